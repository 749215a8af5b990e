/// Notifications inside texts: JSON in a string, a compact JWS, base64, a line of a log, an object in typed values.
extension Finder {
    /// What is in the characters of a string: JSON, or a compact JWS.
    func findInString(_ string: JSONTree, _ around: Surroundings) -> Findings {
        let range = string.range
        return string.withCharacters { bytes in
            if SignedPayload.looksLikeOne(bytes) { return readSigned(bytes, at: range.start, around) }
            let first = bytes.first { $0 > 0x20 }
            if first == 0x7B || first == 0x22 { return open(at: range.start, around) { $0.append(bytes) } }
            let packed = findPacked(bytes, at: range.start, around)
            guard packed.isNothing else { return packed }
            var findings = findAround(bytes, at: range.start, around)
            findings.explain(packed)
            return findings
        }.enclosed(in: range.start..<range.end)
    }

    /// What is in a text inside of another, which `write` writes; failures are placed at `offset` of that.
    func open(at offset: Int, _ around: Surroundings, _ write: (OutputBuffer) -> Void) -> Findings {
        guard around.texts < Envelope.mostTexts else { return .tooManyTexts }
        let buffer = OutputBuffer(capacity: 1024)
        write(buffer)
        return open(buffer, at: offset, around)
    }

    private func open(
        _ buffer: OutputBuffer, at offset: Int, _ around: Surroundings, pointer: [String] = []
    ) -> Findings {
        var inside = around
        inside.texts += 1
        inside.parts = []
        // White space after the text does not belong to it: what was cut off may end with a line end.
        let length = (buffer.bytes.lastIndex { $0 > 0x20 } ?? -1) + 1
        buffer.reserve(JSONScanner.slack)
        var findings = find(inText: UnsafeRawPointer(buffer.memory), 0..<length, buffer, inside, at: pointer)
            .enclosed(in: nil)
        findings.failure?.offset = offset
        findings.translated?.offset = offset
        findings.openedTexts += 1
        return findings
    }

    /// What is in a text: JSON, or a compact JWS as it is.
    ///
    /// ``JSONScanner/slack`` readable bytes follow the text; `owner` holds it, and is `nil` where it outlives what is found.
    /// Failures have offsets in the text.
    func find(
        inText memory: UnsafeRawPointer, _ range: Range<Int>, _ owner: OutputBuffer?, _ around: Surroundings,
        at pointer: [String] = []
    ) -> Findings {
        let text = UnsafeRawBufferPointer(start: memory + range.lowerBound, count: range.count)
        if text.starts(with: "ey".utf8) {
            let end = (text.lastIndex { $0 > 0x20 } ?? -1) + 1
            return readSigned(UnsafeRawBufferPointer(rebasing: text[..<end]), at: 0, around)
        }
        do throws(JSONFault) {
            let tree = try JSONTree(memory, range, owner)
            let isRoot = tree.kind == .array && around.texts == 0 && pointer.isEmpty
            var findings = isRoot ? findInRoot(tree, around) : find(at: pointer[...], in: tree, around)
            findings.failure?.move(back: range.lowerBound)
            findings.translated?.move(back: range.lowerBound)
            return findings
        } catch {
            if error.code == .syntax || error.code == .invalidEscape,
                let findings = findInRubyHash(text, around, at: pointer)
            {
                return findings.enclosed(in: range)
            }
            return .failed(NotificationError(error, in: memory, from: range.lowerBound, to: range.upperBound))
        }
    }

    /// What is in a hash of Ruby; `nil` if the text is none.
    private func findInRubyHash(
        _ text: UnsafeRawBufferPointer, _ around: Surroundings, at pointer: [String]
    ) -> Findings? {
        guard text.holds("=>"), around.texts < Envelope.mostTexts else { return nil }
        let buffer = OutputBuffer(capacity: text.count + text.count / 8)
        RubyHash.appendJSON(of: text, to: buffer)
        let findings = open(buffer, at: 0, around, pointer: pointer)
        return findings.failure?.code.rawValue == "json.syntax" ? nil : findings
    }

    /// What is in a compact JWS: the policy judges it as it was received, then its payload is read.
    func readSigned(_ bytes: UnsafeRawBufferPointer, at offset: Int, _ around: Surroundings) -> Findings {
        guard around.texts < Envelope.mostTexts else { return .tooManyTexts }
        let payload = OutputBuffer(capacity: bytes.count)
        var inside = around
        inside.signedTexts += 1
        do throws(AuthenticityError) {
            // Where anything is checked, what is read is what was signed.
            inside.signed = try policy.authenticity(ofSignedPayload: bytes, payload: payload)
        } catch {
            let refusal = NotificationError(error, offset: offset)
            return policy.checksNothing ? .failed(refusal) : findRefused(bytes, refusal, around)
        }
        func badPayload(_ sentence: String) -> NotificationError {
            NotificationError(code: .badPayload, path: "signedPayload", offset: offset, sentence: sentence)
        }
        guard payload.bytes.first(where: { $0 > 0x20 }) == 0x7B else {
            return .failed(badPayload("the payload is not a JSON object"))
        }
        var findings = open(payload, at: offset, inside)
        if findings.isNothing, !findings.isExplained {
            findings.failure = badPayload("the payload is not a notification")
        }
        return findings
    }

    /// What explains a signed text that the policy refuses, whoever signed it; else the refusal.
    private func findRefused(
        _ bytes: UnsafeRawBufferPointer, _ refusal: NotificationError, _ around: Surroundings
    ) -> Findings {
        var inside = Surroundings()
        (inside.level, inside.texts) = (around.level, around.texts)
        var explanation = Findings.nothing
        if let signed = SignedPayload(bytes) {
            let payload = OutputBuffer(capacity: bytes.count)
            if SignedPayload.decode(signed.payload, into: payload) {
                explanation.explain(open(payload, at: refusal.offset, inside))
            }
        }
        return explanation.isExplained ? explanation : .failed(refusal, isRefused: true)
    }

    /// What is in a text that is base64 of JSON or of a JWS, or a JSON array, or JSON in hexadecimal.
    private func findPacked(_ bytes: UnsafeRawBufferPointer, at offset: Int, _ around: Surroundings) -> Findings {
        guard bytes.count > 20, around.texts < Envelope.mostTexts, let text = Envelope.unpacked(bytes) else {
            return .nothing
        }
        guard Envelope.isRequest(base64: bytes) else { return openQuietly(text, at: offset, around) }
        var inside = around
        inside.texts += 1
        inside.parts = []
        return findAround(text.bytes, at: offset, inside)
    }

    /// What is in a text that may be anything: what cannot be read fails only if it shows signs of a notification.
    private func openQuietly(_ buffer: OutputBuffer, at offset: Int, _ around: Surroundings) -> Findings {
        let length = buffer.count
        var findings = open(buffer, at: offset, around)
        findings.forgive { NotificationSigns.stand(in: UnsafeRawBufferPointer(rebasing: buffer.bytes[..<length])) }
        return findings
    }

    /// What is in an array of bytes that are JSON, as Node writes a `Buffer` and journald what is not all text; `nil` if
    /// the array does not hold such bytes.
    func findInBytes(_ elements: [JSONTree], _ around: Surroundings) -> Findings? {
        guard let first = elements.first, first.kind == .number, around.texts < Envelope.mostTexts else { return nil }
        let buffer = OutputBuffer(capacity: elements.count)
        for element in elements {
            guard element.kind == .number, let byte = UInt8(element.characters) else { return nil }
            buffer.append(byte)
        }
        guard let start = buffer.bytes.first(where: { $0 > 0x20 }), start == 0x7B || start == 0x22 || start == 0x65
        else { return nil }
        return openQuietly(buffer, at: first.offset, around)
    }

    // MARK: Other shapes

    /// What is in an object whose values a database has wrapped, as one notification: its members are not searched
    /// first, which would open each of them by itself.
    func findTyped(_ members: EnvelopeMembers, _ around: Surroundings) -> Findings {
        let object = members.object
        guard around.texts < Envelope.mostTexts, let plain = TypedValues.unwrapped(object) else { return .nothing }
        var inside = around
        inside.isSearch = true
        return open(at: object.offset, inside) { plain.append(to: $0) }.enclosed(
            in: object.range.start..<object.range.end)
    }

    /// What is in a body after it was rewritten in Apple's shape.
    func findReshaped(
        _ object: JSONTree, _ casing: BodyReshaper.Casing, gathersRow: Bool, _ around: Surroundings
    ) -> Findings {
        guard around.texts < Envelope.mostTexts else { return .tooManyTexts }
        var inside = around
        inside.reshapings += 1
        let buffer = OutputBuffer(capacity: object.range.count)
        var reshaper = BodyReshaper(casing: casing, gathersRow: gathersRow)
        if casing == .untyped {
            (TypedValues.unwrapped(object) ?? JSONValue(object)).append(to: buffer)
        } else {
            reshaper.reshape(object, to: buffer)
        }
        var findings = open(buffer, at: 0, inside).enclosed(in: object.range.start..<object.range.end)
        if reshaper.zonelessDates > 0 {
            for place in findings.found.indices { findings.found[place].hasZonelessDates = true }
        }
        return findings
    }
}
