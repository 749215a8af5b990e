/// Version 2: a signed payload, a decoded one, and what is signed inside it.
extension NotificationDecoder {
    /// Takes a compact JWS: the policy judges it as it was received, then its payload is read.
    func takeSignedPayload(
        _ bytes: UnsafeRawBufferPointer, at offset: Int, _ receivedAt: Int64?, _ visitor: FoundVisitor
    ) throws(NotificationError) {
        let inner = try inner()
        inner.scratch.removeAll()
        visitor.signed = try authenticity(ofSigned: bytes, at: offset, payload: inner.scratch, visitor)
        defer { visitor.signed = nil }
        if policy.checksNothing {
            guard let signed = SignedPayload(bytes), Self.decode(signed.payload, into: inner.scratch) else {
                throw NotificationError(
                    code: .malformedJWS, path: "signedPayload", offset: offset, sentence: "not three parts of base64url"
                )
            }
        }
        let before = visitor.notifications
        visitor.passesOverForeign += 1
        defer { visitor.passesOverForeign -= 1 }
        try inner.decodeScratch(at: offset, receivedAt, visitor)
        if visitor.notifications == before {
            throw NotificationError(
                code: .badPayload, path: "signedPayload", offset: offset, sentence: "the payload is no notification")
        }
    }

    /// Takes the object walked last, and what stands under `data` or in its place, as a decoded payload.
    func takeDecodedPayload(
        _ candidates: [Candidate], _ walker: inout JSONWalker, _ receivedAt: Int64?, _ visitor: FoundVisitor
    ) throws(JSONFault) -> NotificationError? {
        let memory = walker.memory
        v2.removeAll()
        try v2.root.addRow { (row) throws(JSONFault) in
            for slot in 0..<row.count { row[slot] = v1.root[0, slot] }
        }
        var nested = Nested()
        for candidate in candidates.sorted(by: { $0.rank < $1.rank })
        where candidate.rank >= 100 && candidate.value.kind == .object {
            v2.payload = V1Keys.Root(rawValue: candidate.rank - 100)
            walker.go(to: candidate.place)
            nested = try takeData(&walker)
            break
        }
        try takeNested(nested, &walker)
        var found = Found(.v2, memory, self, receivedAt)
        do throws(NotificationError) {
            if let signed = visitor.signed {
                found.authenticity = signed
            } else {
                found.authenticity = try authenticityOfUnsigned(memory, visitor)
            }
        } catch {
            return error
        }
        if let part = takeSignedPart(v2[.signedTransactionInfo], memory, orders.transaction, transactionPart) {
            found.transactionMemory = part.memory
            v2.transaction = part.table
        }
        if let part = takeSignedPart(v2[.signedRenewalInfo], memory, orders.renewal, renewalPart) {
            found.renewalMemory = part.memory
            v2.renewal = part.table
        }
        // There is one or the other, never a transaction beside an app transaction; if there is, the app's is left.
        if v2.transaction.count == 0,
            let part = takeSignedPart(v2[.signedAppTransactionInfo], memory, orders.appTransaction, transactionPart)
        {
            found.appTransactionMemory = part.memory
            v2.appTransaction = part.table
        }
        visitor.visit(found)
        return nil
    }

    /// Decodes a JWS inside the payload into memory of its own; `nil` if there is none.
    ///
    /// What cannot be read is noted in `v2`, as the notification around it says enough to be an event.
    func takeSignedPart(
        _ text: JSONText, _ memory: UnsafeRawPointer, _ keys: KeyOrder, _ part: OutputBuffer
    ) -> (memory: UnsafeRawPointer, table: TextTable)? {
        guard !text.isBlank else { return nil }
        var table = TextTable(width: keys.table.count, rows: 1)
        part.removeAll()
        guard let signed = SignedPayload(plain(text, memory)), Self.decode(signed.payload, into: part) else {
            v2.hasUnreadablePart = true
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
            var misplaced = false
            var empty = true
            try table.addRow { (row) throws(JSONFault) in
                try V1Fields.takeScalars(&walker, keys, into: row, &misplaced, &empty)
            }
            try walker.finish()
        } catch {
            v2.hasUnreadablePart = true
            return nil
        }
        return (decoded, table)
    }

    /// The objects of a decoded payload that stand where a JWS stood.
    struct Nested {
        var transaction: JSONWalker.Place?
        var renewal: JSONWalker.Place?
        var appTransaction: JSONWalker.Place?
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
            case (let key?, let kind) where kind.isScalar && kind != .null:
                v2.data[0, key.rawValue] = walker.settled(member.value.text)
            default: break
            }
            try walker.skip(member.value)
        }
        return nested
    }

    func takeNested(_ nested: Nested, _ walker: inout JSONWalker) throws(JSONFault) {
        var misplaced = false
        if let place = nested.transaction {
            walker.go(to: place)
            var empty = true
            try v2.transaction.addRow { (row) throws(JSONFault) in
                try V1Fields.takeScalars(&walker, orders.transaction, into: row, &misplaced, &empty)
            }
            if empty { v2.transaction.removeLastRow() }
        }
        if let place = nested.renewal {
            walker.go(to: place)
            var empty = true
            try v2.renewal.addRow { (row) throws(JSONFault) in
                try V1Fields.takeScalars(&walker, orders.renewal, into: row, &misplaced, &empty)
            }
            if empty { v2.renewal.removeLastRow() }
        }
        if let place = nested.appTransaction {
            walker.go(to: place)
            var empty = true
            try v2.appTransaction.addRow { (row) throws(JSONFault) in
                try V1Fields.takeScalars(&walker, orders.appTransaction, into: row, &misplaced, &empty)
            }
            if empty { v2.appTransaction.removeLastRow() }
        }
    }

    /// Appends the bytes that a part of a JWS stands for; false if it is not strict base64url.
    private static func decode(_ text: UnsafeRawBufferPointer, into output: OutputBuffer) -> Bool {
        output.append(atMost: StrictBase64.room(text.count)) { StrictBase64.decodeURL(text, into: $0) }
    }
}
