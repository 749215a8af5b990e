/// Texts that are not JSON as a whole, such as lines of logs: objects and signed payloads are somewhere in them.
extension Finder {
    /// What is in a text that is not JSON as a whole, such as a wrapped line of a log.
    func findAround(_ bytes: UnsafeRawBufferPointer, at offset: Int, _ around: Surroundings) -> Findings {
        guard bytes.count > 20, around.texts < Envelope.mostTexts, Envelope.mayHoldPart(bytes) else { return .nothing }
        let copy = OutputBuffer(capacity: bytes.count + JSONScanner.slack)
        copy.append(bytes)
        var inside = around
        inside.isSearch = true
        inside.parts = []
        var times = PrefixTime(fixed: around.receivedAt)
        var findings = findParts(of: copy.bytes, copy, inside, &times, comparing: true).enclosed(in: nil)
        findings.failure?.offset = offset
        findings.translated?.offset = offset
        return findings
    }

    /// The notifications in the JSON objects of a text, and in its signed payloads; where an object held one, payloads
    /// inside of objects are passed over.
    ///
    /// ``JSONScanner/slack`` readable bytes follow the text; `owner` holds it if it is a text inside of another, and is `nil`
    /// where it outlives what is found. With `comparing`, what says the same as one before is passed over. The failure is
    /// the first of what has signs of a notification.
    func findParts(
        of text: UnsafeRawBufferPointer, _ owner: OutputBuffer?, _ around: Surroundings, at pointer: [String] = [],
        _ times: inout some PartTimes, comparing: Bool
    ) -> Findings {
        guard let memory = text.baseAddress else { return .nothing }
        var findings = Findings.nothing
        var fingerprints = Fingerprints()
        func append(_ part: Findings) {
            var part = part
            if comparing { part.found = fingerprints.new(part.found) }
            findings.append(part)
        }
        var inside = around
        if owner != nil { inside.texts += 1 }
        var objects: [Range<Int>] = []
        var read: [Range<Int>] = []
        var (at, open) = (0, 0)
        while !findings.isRefused, open < LogPart.mostOpen, let part = LogPart(in: text, from: at) {
            // After one without an end, the search continues in it.
            if !part.isWhole { open += 1 }
            at = part.isWhole ? part.range.upperBound : part.range.lowerBound + 1
            inside.receivedAt = times.time(of: part, in: text)
            if part.isWhole { objects.append(part.range) }
            var found = find(inText: memory, part.range, owner, inside, at: pointer)
            if owner == nil { found.failure = found.failure ?? found.translated }
            found.forgive { NotificationSigns.stand(in: UnsafeRawBufferPointer(rebasing: text[part.range])) }
            if part.isWhole || !found.found.isEmpty { read.append(part.range) }
            append(found)
            // A refused row does not stop the rows after it.
            if times.areOfRows { findings.isRefused = false }
        }
        // Malformed JSON is reported as malformed. In other forms a signed payload is searched, which is complete in
        // itself.
        let isFound = !findings.found.isEmpty
        let isOtherForm = findings.failure.map { $0.code.rawValue == "json.syntax" } ?? true
        guard !findings.isRefused, isFound || isOtherForm else { return findings }
        at = 0
        inside = around
        times.beginTokens()
        while !findings.isRefused, let token = CompactToken.range(in: text, from: at) {
            at = token.upperBound
            let next = objects.partitioningIndex { $0.upperBound > token.lowerBound }
            if isFound, next < objects.count, objects[next].overlaps(token) {
                at = objects[next].upperBound
                continue
            }
            let signed = UnsafeRawBufferPointer(rebasing: text[token])
            guard Self.mayBeNotification(signed) else { continue }
            inside.receivedAt = times.time(of: LogPart(range: token, isWhole: true), in: text)
            if findings.found.isEmpty { findings.failure = nil }
            var found = readSigned(signed, at: 0, inside)
            if let failure = found.failure {
                findings.failure = isFound ? findings.failure ?? failure : failure
                found.failure = nil
            }
            read.append(token)
            append(found)
        }
        if !findings.found.isEmpty, findings.failure == nil {
            findings.leavesSigns = NotificationSigns.stand(
                in: text, beside: read, times.areOfRows ? nil : findings.found)
        }
        return findings
    }
}
