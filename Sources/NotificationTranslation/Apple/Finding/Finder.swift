/// Finds the notifications in a record of unknown shape.
///
///     {"Records":[{"kinesis":{"data":"eyJub3RpZm…"}}]}                      base64 in an array
///     {"log":{"entries":[{"request":{"postData":{"text":"{…}"}}}]}}
///     {"Item":{"doc":{"M":{"notification_type":{"S":"CANCEL"}}}}}             values of a database
///     {"id":7,"notification_type":"DID_RENEW","raw_data":{"notification_type":…}}      a row beside its body
///
/// It works on the tree of the record and goes down objects and arrays, texts of JSON and base64, to a depth of
/// ``Envelope/deepest`` keys. Each function takes a value with what is around it, and returns what was found in it. The
/// names of envelopes lead; where they lead to nothing, all other members are searched. All that is found in an array are
/// notifications of the record; of the members of one object, what says the same as one before is the same notification
/// kept twice.
struct Finder {
    let policy: TrustPolicy
    /// Whether the text of version 2 payloads is kept, to be passed on as a whole.
    let keepsPayload: Bool

    func find(in value: JSONTree, _ around: Surroundings) -> Findings {
        switch value.kind {
        case .object: findInObject(value, around)
        case .array: findInArray(value, around)
        case .string: findInString(value, around)
        case .number, .true, .false, .null: .nothing
        }
    }

    /// What is in the value that a JSON pointer leads to; the times of arrival of the objects on the way hold for it.
    func find(at pointer: ArraySlice<String>, in value: JSONTree, _ around: Surroundings) -> Findings {
        guard let step = pointer.first else { return find(in: value, around) }
        var inside = around
        if value.kind == .object {
            var times = EnvelopeTimes(around.receivedAt)
            for (key, value) in value.pairs where !key.says(step) { times.takeEnvelope(key, value) }
            inside.receivedAt = times.time
        }
        guard let next = value.child(step) else { return Findings(missedPointer: true) }
        return find(at: pointer.dropFirst(), in: next, inside)
    }

    /// What is in the elements of an array, each a record of its own; the first error is what the record fails with.
    private func findInArray(_ array: JSONTree, _ around: Surroundings) -> Findings {
        let elements = array.parts
        if elements.count > 20, let findings = findInBytes(elements, around) { return findings }
        var around = around
        if let time = EnvelopeTimes.time(inRow: elements) { around.receivedAt = time }
        var findings = Findings.nothing
        for element in elements where isPlausible(element) {
            findings.append(find(in: element, around))
            if findings.failsAsTooMany(at: element.offset) { break }
        }
        return findings
    }

    /// What is in an array that is where a record should be: nothing, unless notifications are in it.
    ///
    /// A row, in which one is after a text or a number, is an envelope. Other arrays are reported, as one record
    /// is one notification or an envelope of some.
    func findInRoot(_ array: JSONTree, _ around: Surroundings) -> Findings {
        let findings = findInArray(array, around)
        let first = array.parts.first
        if findings.isNothing || findings.found.count == 1 && findings.failure == nil && first?.kind.isScalar == true {
            return findings
        }
        let sentence = "an array of notifications where one record should be"
        return .failed(NotificationError(code: .notAnObject, offset: array.offset, sentence: sentence))
    }

    /// What is in an object: an envelope, a page of history, or the notification itself.
    private func findInObject(_ object: JSONTree, _ around: Surroundings) -> Findings {
        let members = EnvelopeMembers(object, around)
        var findings = Findings.nothing
        findings.receivedAt = members.times.time
        if members.shapes.isTranslation {
            let sentence = "a translation that this program wrote, not Apple's word; read the record it was made of"
            findings.translated = NotificationError(
                code: .translated, path: "translation", offset: object.offset, sentence: sentence)
            return findings
        }
        findings.explained = members.shapes.explained
        var around = around
        around.receivedAt = members.times.time
        if let history = members.history {
            findings.append(findInArray(history, around))
            findings = findFurther(members.candidates[...], around.inside(), beside: findings)
            findings.take(SendAttempts(), replacing: false)
        } else if let signed = members.signedPayload {
            findings.append(findSigned(signed, members, around))
        } else {
            findings.append(findUnsigned(members, around))
        }
        if let attempts = members.times.attempts { findings.take(attempts, replacing: true) }
        return findings
    }

    /// What is in the signed payload of an object; if that was blanked or redacted, what is beside it.
    private func findSigned(_ text: JSONTree, _ members: EnvelopeMembers, _ around: Surroundings) -> Findings {
        let object = members.object.range
        let isAlone = !members.hasV2Type && !members.hasV1Type && members.candidates.isEmpty
        let isObject = text.withCharacters(Self.isObject)
        if isObject || text.kind == .string && !text.withCharacters(SignedPayload.looksLikeOne) {
            // A text that is no JWS may be a notification all the same; if not, one may be beside it.
            let findings =
                isObject
                ? open(at: text.offset, around) { buffer in text.withCharacters { buffer.append($0) } }
                : findInString(text, around)
            if !findings.found.isEmpty || findings.translated != nil
                || isObject && (findings.isRefused || isAlone && !findings.isNothing)
            {
                return findFurther(members.candidates[...], around.inside(), beside: findings)
            }
        }
        var findings = Findings.nothing
        if text.range.count > 0, isAlone || text.withCharacters(SignedPayload.isWhole) {
            findings = text.withCharacters { readSigned($0, at: text.offset, around) }
                .enclosed(in: isAlone ? object.start..<object.end : nil)
            let isLost = findings.failure?.code == .malformedJWS && !findings.isRefused
            guard isLost, !isAlone || !members.others.isEmpty else {
                return findFurther(members.candidates[...], around.inside(), beside: findings)
            }
        }
        var around = around
        around.lostSignedText = true
        var beside = findUnsigned(members, around)
        if beside.isNothing { beside.failure = findings.failure ?? Self.emptyJWS("signedPayload", text) }
        beside.explain(findings)
        return beside
    }

    /// Whether a text begins as an object does.
    static func isObject(_ text: UnsafeRawBufferPointer) -> Bool { text.first { $0 > 0x20 } == 0x7B }

    /// The error of a signed payload that holds nothing that could be one.
    private static func emptyJWS(_ path: String, _ text: JSONTree) -> NotificationError {
        NotificationError(
            code: .malformedJWS, path: path, offset: text.offset,
            sentence: text.range.isBlank ? "the signed payload is empty" : "not three parts of base64url")
    }

    /// What is in the values that may hold the notification, or the object itself.
    private func findUnsigned(_ members: EnvelopeMembers, _ around: Surroundings) -> Findings {
        var notes = Findings.nothing
        var saysNothingItself = false
        func with(_ findings: Findings) -> Findings {
            var all = findings
            all.explain(notes)
            return all
        }
        if members.isTyped, members.mayBeAround(around) {
            let findings = findTyped(members, around)
            if !findings.isNothing { return findings }
            notes.explain(findings)
        }
        if !members.hasV2Type, !members.candidates.isEmpty {
            let (findings, isLost) = findInCandidates(members, around)
            if !findings.isNothing { return with(findings) }
            notes.explain(findings)
            // An object with the keys of an envelope is a notification only if it also names a type.
            if members.hasV1Type {
                var around = around
                around.lostSignedText = isLost
                return with(findBesideType(members, around))
            }
            saysNothingItself = true
        }
        if saysNothingItself && around.level < Envelope.deepest || members.mayBeAround(around) {
            let findings = search(members, around)
            if !findings.isNothing { return with(findings) }
            notes.explain(findings)
            if !members.others.isEmpty { saysNothingItself = true }
        }
        return saysNothingItself ? notes : with(findBesideType(members, around))
    }

    /// What is in the envelope's values, in the order of their names.
    ///
    /// A signed text that was blanked, redacted or cut short is lost, and ends the search only if nothing is beside it.
    private func findInCandidates(
        _ members: EnvelopeMembers, _ around: Surroundings
    ) -> (findings: Findings, isLost: Bool) {
        guard around.level < Envelope.deepest else { return (.nothing, around.lostSignedText) }
        var inside = around.inside()
        if !members.parts.isEmpty { inside.parts = members.parts }
        var notes = Findings.nothing
        var broken: NotificationError?
        for (place, candidate) in members.candidates.enumerated() {
            var findings = find(in: candidate.value, inside)
            findings.explain(notes)
            if !findings.found.isEmpty {
                return (findFurther(members.candidates[(place + 1)...], inside, beside: findings), false)
            }
            if let failure = findings.failure {
                if failure.code == .malformedJWS, !findings.isRefused {
                    broken = broken ?? failure
                } else if !members.hasV1Type || findings.isRefused {
                    return (findings, false)
                }
            }
            if findings.failure != nil || candidate.isSigned { inside.lostSignedText = true }
            if candidate.isSigned, candidate.value.range.isBlank {
                broken = broken ?? Self.emptyJWS(candidate.name, candidate.value)
            }
            findings.found = []
            findings.failure = nil
            findings.isRefused = false
            notes = findings
        }
        if !members.hasV1Type { notes.failure = broken }
        return (notes, inside.lostSignedText)
    }

    /// Adds the notifications under further names of an envelope.
    ///
    /// A second copy of a notification, in any form, is not added. A value that cannot be read counts as a copy and is
    /// ignored, unless its secret is wrong: that is reported.
    private func findFurther(
        _ candidates: ArraySlice<EnvelopeMembers.Candidate>, _ around: Surroundings, beside found: Findings
    ) -> Findings {
        var findings = found
        guard !found.found.isEmpty, found.failure == nil, around.level <= Envelope.deepest else { return found }
        for candidate in candidates where !candidate.isPayload && Envelope.mayHoldNotification(candidate.value) {
            let further = find(in: candidate.value, around)
            findings.openedTexts += further.openedTexts
            findings.translated = findings.translated ?? further.translated
            if further.failure?.code.rawValue == "trust.secret-mismatch" {
                findings.failure = findings.failure ?? further.failure
            }
            for one in further.found where findings.found.allSatisfy(one.isOther) { findings.found.append(one) }
            if findings.failsAsTooMany(at: candidate.value.offset) { break }
        }
        return findings
    }

    /// What is in the values under unknown names; nothing if no notification is there.
    private func search(_ members: EnvelopeMembers, _ around: Surroundings) -> Findings {
        var inside = around
        inside.isSearch = true
        var (findings, read) = findInOthers(members.others, inside)
        if !findings.found.isEmpty, !findings.leavesSigns {
            // Texts that begin as JSON or a JWS were read, or fail.
            let found = findings.found
            findings.leavesSigns = members.object.pairs.contains { _, value in
                value.kind == .string && !Self.isSigned(value) && !read.contains(value.offset)
                    && !"{[\"\\".utf8.contains(value.bytes.first { $0 > 0x20 } ?? 0x7B)
                    && NotificationSigns.stand(in: value.bytes, beside: [], found)
            }
        }
        if !findings.isNothing || members.isTyped || around.texts >= Envelope.mostTexts
            || !TypedValues.mayBe(in: members.object.bytes)
        {
            return findings
        }
        findings.append(findTyped(members, inside))
        return findings
    }

    /// Every notification in values under unknown names, the first failure that must be reported, and the offsets of the
    /// values in which a notification was found.
    private func findInOthers(
        _ others: [JSONTree], _ around: Surroundings
    ) -> (findings: Findings, read: Set<Int>) {
        var (findings, read) = (Findings.nothing, Set<Int>())
        var fingerprints = Fingerprints()
        // What is signed leads, as it is worth more than what was decoded from it.
        let ordered = others.filter(Self.isSigned) + others.filter { !Self.isSigned($0) }
        for other in ordered where isPlausible(other) {
            var inside = find(in: other, around.inside())
            let failure = inside.failure
            // A text that looks like a notification and cannot be read is reported; other texts may be in braces and be
            // no JSON.
            inside.forgive {
                other.kind == .string
                    ? NotificationSigns.stand(in: other.bytes)
                    : failure?.code != .malformedJWS && failure?.code != .badPayload
            }
            if !inside.found.isEmpty { read.insert(other.offset) }
            if others.count > 1 { inside.found = fingerprints.new(inside.found) }
            findings.append(inside)
            if findings.failsAsTooMany(at: other.offset) { break }
            if findings.isRefused, findings.failure != nil { break }
        }
        return (findings, read)
    }

    /// Whether a value is a text that looks like a JWS.
    private static func isSigned(_ value: JSONTree) -> Bool {
        value.kind == .string && value.bytes.starts(with: "ey".utf8)
    }

    /// Whether it can be a notification: what is signed may be anybody's, such as the token of a request, and is
    /// looked at before a policy judges it.
    private func isPlausible(_ value: JSONTree) -> Bool {
        guard Self.isSigned(value) else { return true }
        return value.withCharacters { !SignedPayload.looksLikeOne($0) || Self.mayBeNotification($0) }
    }

    /// Whether the payload of a signed text may be a notification.
    static func mayBeNotification(_ text: UnsafeRawBufferPointer) -> Bool {
        guard let parts = SignedPayload(text), let payload = StrictBase64.decoded(url: parts.payload) else {
            return false
        }
        return payload.withUnsafeBytes { NotificationSigns.mayBe(in: $0) }
    }

    // MARK: The object itself

    /// What is beside the type of an object, as in rows of a table whose columns repeat it; where there is nothing, the
    /// object itself.
    ///
    /// Such a row is an envelope: the body in it is the notification, and the times of the row are times of arrival.
    private func findBesideType(_ members: EnvelopeMembers, _ around: Surroundings) -> Findings {
        guard members.mayBeNotification else { return .nothing }
        // Each notification that is found is held by a reader of its own.
        let reader = NotificationReader(policy, keepsPayload: keepsPayload)
        do throws(JSONFault) {
            var walked = try reader.walk(members.object, around.receivedAt)
            walked.mayBeHistoryRequest = members.shapes.mayBeHistoryRequest
            guard members.hasValuesBesideType, around.level < Envelope.deepest, reader.hasBareType(walked) else {
                return try read(walked, reader, members, around)
            }
            guard around.rows < Envelope.mostRows else {
                return try read(walked, reader, members, around).doubted(.unreadable)
            }
            var inside = around
            inside.rows += 1
            let row = RowType(reader.v1, members.object.memory, signedTexts: around.signedTexts)
            let beside = findBeside(row, members, inside)
            if !beside.isNothing { return beside.findings }
            var own = try read(walked, reader, members, inside)
            if beside.hasOther || beside.hasFailure { own = own.doubted(beside.hasOther ? .otherType : .unreadable) }
            own.explain(beside.findings)
            return own
        } catch {
            // At its offset in the memory.
            let (memory, text) = (members.object.memory, members.object.wholeRange)
            var error = NotificationError(error, in: memory, from: text.lowerBound, to: text.upperBound)
            error.offset += text.lowerBound
            return .failed(error)
        }
    }

    /// The notifications beside the type of a row: those that are the row's, unless it holds others too.
    private func findBeside(
        _ row: RowType, _ members: EnvelopeMembers, _ around: Surroundings
    ) -> (findings: Findings, isNothing: Bool, hasOther: Bool, hasFailure: Bool) {
        var inside = around
        inside.signed = nil
        inside.lostSignedText = false
        inside.isSearch = true
        var values = members.others
        if members.hasV2Type {
            values = members.candidates.filter { !$0.isPayload }.map(\.value) + values
        }
        var findings = findInOthers(values, inside).findings
        let own = findings.found.filter(row.agrees)
        let hasOther = own.count < findings.found.count
        // A word that Apple never used is not a type where a whole notification is beside it.
        let isForeign = hasOther && own.isEmpty && !row.isAppleType
        guard findings.isRefused || !own.isEmpty || isForeign else {
            let hasFailure = findings.failure != nil
            findings.found = []
            findings.failure = nil
            return (findings, true, hasOther, hasFailure)
        }
        // Where the row holds notifications of other types too, none of them is left out.
        if !hasOther || own.isEmpty && !isForeign { findings.found = own }
        return (isForeign ? findings.doubted(.otherType) : findings, false, hasOther, findings.failure != nil)
    }

    private func read(
        _ walked: WalkedObject, _ reader: NotificationReader, _ members: EnvelopeMembers, _ around: Surroundings
    ) throws(JSONFault) -> Findings {
        let object = members.object
        switch try reader.read(walked, around) {
        case .notification(let found):
            reader.source = object
            return Findings(found: [found])
        case .nothing: return .nothing
        case .explained(let reason):
            let quiet: ExplainedSkip.Quiet = reason == .notApples ? .types : .all
            let range = object.range
            return Findings(explained: [.init(reason: reason, range: range.start..<range.end, quiet: quiet)])
        case .failed(let error, let isRefused): return .failed(error, isRefused: isRefused)
        case .reshaped(let casing, let isDoubtful):
            let gathersRow = casing == .snake || reader.v1.oddities.contains(.flatRow) && reader.v1.rows.count == 0
            let findings = findReshaped(object, casing, gathersRow: gathersRow, around)
            return isDoubtful ? findings.doubted(.version) : findings
        }
    }
}
