extension ReceiptVerifier {
    /// Verifies the receipt that a version 1 body carries.
    ///
    /// That is `unified_receipt.latest_receipt`, else `latest_receipt`, else `latest_expired_receipt`; the receipt
    /// itself is not given out.
    ///
    /// ```swift
    /// let event = try normalizer.event(from: body)
    /// let coverage = try verifier.receipt(in: body)?.coverage(of: event, expecting: app)
    /// ```
    ///
    /// - Parameter body: The body as posted.
    /// - Returns: What Apple signed; `nil` if the body has no receipt.
    /// - Throws: ``AuthenticityError`` with what is wrong with the receipt; `payload.malformed` or
    ///   `payload.duplicate-key` if the body is not a strict JSON object.
    public func receipt(in body: some Collection<UInt8>) throws(AuthenticityError) -> AppReceipt? {
        try StrictObject.withSlack(after: body) { (memory) throws(AuthenticityError) in try receiptInMemory(memory) }
    }

    /// Verifies the receipt in a body that is followed by slack.
    private func receiptInMemory(_ body: UnsafeRawBufferPointer) throws(AuthenticityError) -> AppReceipt? {
        var found = V1Receipts()
        do throws(JSONFault) {
            try StrictObject.read(body, keys: V1Receipts.keys) { (member, walker) throws(JSONFault) in
                try found.take(member, &walker)
            }
        } catch {
            throw AuthenticityError(error.code == .duplicateKey ? .duplicatePayloadKey : .badPayload)
        }
        guard let (text, path) = found.first, let memory = body.baseAddress else { return nil }
        do throws(AuthenticityError) {
            return try text.withCharacters(in: memory) { (text) throws(AuthenticityError) in try verify(text.bytes) }
        } catch {
            throw error.inside(path)
        }
    }
}

/// The places of receipts in a version 1 body.
private struct V1Receipts {
    static let keys = KeyTable(["unified_receipt", "latest_receipt", "latest_expired_receipt"])
    private static let unified = KeyTable(["latest_receipt"])
    private static let paths = ["unified_receipt.latest_receipt", "latest_receipt", "latest_expired_receipt"]

    private var texts = [JSONText](repeating: .absent, count: 3)

    /// The one that is verified, and where it is.
    var first: (JSONText, String)? {
        for (text, path) in zip(texts, Self.paths) where !text.isBlank { return (text, path) }
        return nil
    }

    mutating func take(_ member: JSONWalker.Member, _ walker: inout JSONWalker) throws(JSONFault) {
        switch member.slot {
        case 0 where member.value.kind == .object:
            var object = try walker.enterObject()
            while let inner = try walker.nextMember(of: &object, known: Self.unified) {
                if inner.slot == 0, inner.value.kind == .string { texts[0] = inner.value.text }
                try walker.skip(inner.value)
            }
            return
        case 1, 2: if member.value.kind == .string { texts[member.slot] = member.value.text }
        default: break
        }
        try walker.skip(member.value)
    }
}
