/// Version 2: a signed payload, a decoded one, and what is signed inside it.
extension NotificationDecoder {
    /// Takes a compact JWS: the policy judges it as it was received, then its payload is read.
    func takeSignedPayload(
        _ bytes: UnsafeRawBufferPointer, at offset: Int, _ receivedAt: ReceiveTime?, _ visitor: FoundVisitor
    ) throws(NotificationError) {
        let inner = try inner()
        inner.scratch.removeAll()
        do throws(NotificationError) {
            visitor.signed = try authenticity(ofSigned: bytes, at: offset, payload: inner.scratch, visitor)
        } catch {
            // Whoever signed it: what explains itself is not refused.
            let probe = FoundVisitor()
            inner.scratch.removeAll()
            if let signed = SignedPayload(bytes), Self.decode(signed.payload, into: inner.scratch) {
                try? inner.decodeScratch(at: offset, nil, probe)
            }
            guard probe.isExplained else { throw error }
            visitor.wasRefused = false
            return visitor.explain(as: probe)
        }
        defer { visitor.signed = nil }
        if policy.checksNothing {
            guard let signed = SignedPayload(bytes), Self.decode(signed.payload, into: inner.scratch) else {
                throw NotificationError(
                    code: .malformedJWS, path: "signedPayload", offset: offset, sentence: "not three parts of base64url"
                )
            }
        }
        guard inner.scratch.bytes.first(where: { $0 > 0x20 }) == 0x7B else {
            throw NotificationError(
                code: .badPayload, path: "signedPayload", offset: offset, sentence: "the payload is not a JSON object")
        }
        let before = visitor.notifications
        visitor.passesOverForeign += 1
        defer { visitor.passesOverForeign -= 1 }
        try inner.decodeScratch(at: offset, receivedAt, visitor)
        if visitor.notifications == before, !visitor.isExplained {
            throw NotificationError(
                code: .badPayload, path: "signedPayload", offset: offset, sentence: "the payload is not a notification")
        }
    }

    /// Takes the object walked last, and what is under `data` or in its place, as a decoded payload.
    ///
    /// Its parts are looked for under `data`, then beside that, then beside the object itself.
    func takeDecodedPayload(
        _ met: Met, _ walker: inout JSONWalker, _ visitor: FoundVisitor, _ doubts: Found.Doubts
    ) throws(JSONFault) -> NotificationError? {
        let memory = walker.memory
        v2.removeAll()
        try v2.root.addRow { (row) throws(JSONFault) in
            for slot in 0..<row.count { row[slot] = v1.root[0, slot] }
        }
        var nested = Nested()
        var parts = V2Details.Parts()
        let data = met.candidates.filter { $0.isPayload && $0.value.kind == .object }.min { $0.rank < $1.rank }
        var (key, place) = (data?.payloadName, data?.place)
        if met.hasUnknownMember || met.candidates.count > 1 {
            let unknown = try unknownMembers(met, besides: key, isSigned: visitor.signed != nil, &walker)
            if place == nil, let instead = unknown.data { (key, place) = instead }
            parts.unknown = unknown.keys.subtracting([key ?? ""])
        }
        if let place {
            v2.hasDataObject = true
            walker.go(to: place)
            nested = try takeData(&walker)
            if let key { parts.key = key }
            parts.data = Self.text(from: place, to: walker.at, memory)
        } else {
            walker.go(to: met.start)
            nested = try takeData(&walker)
            clearForeignStatus(memory)
        }
        v2.clearZeros(TextView(memory: memory))
        v2.clearMasks(TextView(memory: memory))
        var found = Found(.v2, memory, self, met.receivedAt)
        found.doubts = doubts
        do throws(NotificationError) {
            if let signed = visitor.signed {
                found.authenticity = signed
            } else {
                found.authenticity = try authenticityOfUnsigned(memory, visitor)
                v2.hasLostSignedText = visitor.lostSignedText
            }
        } catch {
            return error
        }
        if data == nil, met.candidates.contains(where: \.isPayload) { v1.oddities.insert(.misplaced) }
        try takeParts(nested, met, &walker, &found, &parts)
        if let casing = casingInside { return try takeReshaped(casing, doubts == .version, met, &walker, visitor) }
        if v1.oddities.contains(.misplaced) { v2.hasUnreadablePart = true }
        parts.unknown.subtract(parts.names)
        if visitor.signed == nil, v2.hasZonelessDate(found) { visitor.zonelessPayloads += 1 }
        if keepsPayload || !parts.unknown.isEmpty {
            walker.go(to: met.start)
            var object = try walker.enterObject()
            while let member = try walker.nextMember(of: &object, known: JSONTree.noKeys) {
                try walker.skip(member.value)
            }
            parts.whole = Self.text(from: met.start, to: walker.at, memory)
        }
        v2.details = V2Details.text(of: parts) { v2.held($0, found) }
        if keepsPayload { v2.original = V2Details.payload(parts) }
        visitor.visit(found)
        return nil
    }

    /// Of an object without `data` a row of a table may have a `status` of its own; Apple's is a number from 1 to 5.
    private func clearForeignStatus(_ memory: UnsafeRawPointer) {
        let status = v2[.status]
        guard !status.isBlank else { return }
        let isAppleType = TextView(memory: memory).integer(status).map { 1...5 ~= $0 } ?? false
        if isString(status, memory) || !isAppleType { v2.data[0, V2Keys.Data.status.rawValue] = .absent }
    }

    /// Decodes a JWS inside the payload, or JSON in a text, into memory of its own; `nil` if it cannot be read.
    func takeSignedPart(
        _ text: JSONText, _ memory: UnsafeRawPointer, _ keys: KeyOrder, _ part: OutputBuffer
    ) -> (memory: UnsafeRawPointer, table: TextTable)? {
        var table = TextTable(width: keys.table.count, rows: 1)
        part.removeAll()
        let characters = plain(text, memory)
        if TextView(memory: memory).holdsJSON(text) {
            part.append(characters)
        } else if let signed = SignedPayload(characters) {
            guard Self.decode(signed.payload, into: part) else { return nil }
        } else {
            return nil
        }
        let length = part.count
        part.reserve(JSONScanner.slack)
        guard let decoded = part.bytes.baseAddress else { return nil }
        partScanner.scan(decoded, from: 0, to: length, stopsAtLineFeed: false)
        do throws(JSONFault) {
            if let fault = partScanner.fault { throw fault }
            var walker = partScanner.walker(decoded)
            guard try walker.root().kind == .object else { throw JSONFault(code: .syntax, offset: 0) }
            var found: BodyOddities = []
            var empty = true
            try table.addRow { (row) throws(JSONFault) in
                try V1Fields.takeScalars(&walker, keys, into: row, &found, &empty)
            }
            v1.oddities.formUnion(found.intersection(.misplaced))
            try walker.finish()
        } catch {
            return nil
        }
        return (decoded, table)
    }

    /// The text of an object that begins at a place and ends before an index.
    static func text(from place: JSONWalker.Place, to end: Int, _ memory: UnsafeRawPointer) -> [UInt8] {
        Array(UnsafeRawBufferPointer(start: memory + place.at, count: max(0, end - place.at)))
    }

    func takeData(_ walker: inout JSONWalker) throws(JSONFault) -> Nested {
        var nested = Nested()
        try v2.data.addRow { (_: UnsafeMutableBufferPointer<JSONText>) throws(JSONFault) in }
        var object = try walker.enterObject()
        while let member = try walker.nextMember(of: &object, known: V2Keys.data) {
            switch (V2Keys.Data(rawValue: member.slot), member.value.kind) {
            case (.signedTransactionInfo?, .object), (.transactionInfo?, .object): nested.transaction = walker.place
            case (.signedRenewalInfo?, .object), (.renewalInfo?, .object): nested.renewal = walker.place
            case (.signedAppTransactionInfo?, .object), (.appTransactionInfo?, .object):
                nested.appTransaction = walker.place
            case (let key?, let kind) where kind.isScalar:
                if kind != .null { v2.data[0, key.rawValue] = try walker.read(member.value) }
            case (_?, _):
                // Without `data`, the members are those of a row that may have its own.
                let found = try BodyOddities.inPlaceOfScalar(member.value, &walker)
                v1.oddities.formUnion(v2.hasDataObject ? found : found.intersection(.typedValues))
            case (nil, _): try noteUnknown(member, &walker, &nested)
            }
            try walker.skip(member.value)
        }
        return nested
    }

    /// Notes a member of `data` that is none of Apple's: a part under another name, a key in another case, or what a
    /// database put around all of it.
    @inline(never)
    private func noteUnknown(
        _ member: JSONWalker.Member, _ walker: inout JSONWalker, _ nested: inout Nested
    ) throws(JSONFault) {
        if let part = NamedPart(member.key, member.value, walker) { nested.named.append(part) }
        let key = KeyLog.characters(member.key, walker.memory)
        if v2.hasDataObject, V2Keys.data.holds(BodyReshaper.camelCase(key)) { v1.oddities.insert(.partsInSnakeCase) }
        if TypedValues.isName(key), member.value.kind == .object { v1.oddities.insert(.typedValues) }
    }

    /// Appends the bytes that a part of a JWS represents; false if it is not strict base64url.
    static func decode(_ text: UnsafeRawBufferPointer, into output: OutputBuffer) -> Bool {
        output.append(atMost: StrictBase64.room(text.count)) { StrictBase64.decodeURL(text, into: $0) }
    }
}
