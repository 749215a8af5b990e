/// Bodies that were stored in another shape than Apple's.
extension NotificationDecoder {
    /// How often a body is rewritten: capitals first, then the case of version 1, then texts inside.
    static let mostReshapings = 3

    /// How the keys of the version 1 body in `v1` are to be rewritten; `nil` if it is in Apple's shape.
    func oddCasingOfVersion1() -> BodyReshaper.Casing? {
        if v1.rows.count == 0, v1.pending.count == 0, v1[.autoRenewStatus].isBlank,
            v1.oddities.contains(.version2InSnakeCase) || !v1[.v2Subtype].isBlank
        {
            return reshapings < Self.mostReshapings ? .camel : nil
        }
        guard !v1.oddities.isDisjoint(with: [.texts, .paths]) || v1.oddities.contains(.flatRow) && v1.rows.count == 0
        else { return nil }
        if reshapings < Self.mostReshapings { return .asIs }
        if v1.oddities.contains(.texts) { v1.hasMisplacedValue = true }
        return nil
    }

    /// The same of the payload in `v1` whose type is under version 2's name.
    func oddCasingOfVersion2(_ met: Met, _ memory: UnsafeRawPointer) -> BodyReshaper.Casing? {
        guard reshapings < Self.mostReshapings else { return nil }
        if isVersion1InCamelCase(met, memory) { return .snake }
        if v1.oddities.contains(.partsInSnakeCase), met.parts.isEmpty { return .camel }
        let view = TextView(memory: memory)
        let mayHoldJSON: [V1Keys.Root] = [
            .v2Data, .v2Summary, .v2ExternalPurchaseToken, .v2AppData, .v2UnclaimInfo, .v2TransactionInfo,
            .v2RenewalInfo, .v2AppTransactionInfo, .v2SignedTransactionInfo, .v2SignedRenewalInfo,
            .v2SignedAppTransactionInfo,
        ]
        return mayHoldJSON.contains { view.holdsJSON(v1[$0]) } ? .asIs : nil
    }

    /// Whether a type under version 2's name is version 1's all the same: a name that version 2 never had, or version
    /// 1's fields beside it and none of version 2's.
    private func isVersion1InCamelCase(_ met: Met, _ memory: UnsafeRawPointer) -> Bool {
        guard !met.candidates.contains(where: \.isPayload), met.parts.isEmpty else { return false }
        let name = TextView(memory: memory).string(v1[.v2Type]).filter { $0 != " " }
        if V1NotificationType.onlyVersion1.contains(V1NotificationType(rawValue: name)) { return true }
        let hasField = { (key: V1Keys.Root) in !self.v1[key].isBlank }
        let looksLikeVersion1 =
            v1.oddities.contains(.version1InCamelCase) || [.password, .bid, .bvrs].contains(where: hasField)
        let ofVersion2: [V1Keys.Root] = [.v2UUID, .v2Version, .v2SignedDate, .v2Subtype, .v2Data, .v2Summary]
        return looksLikeVersion1 && !ofVersion2.contains(where: hasField)
    }

    /// Rewrites the body walked last in Apple's shape, and takes that.
    func takeReshaped(
        _ casing: BodyReshaper.Casing, _ met: Met, _ walker: inout JSONWalker, _ visitor: FoundVisitor
    ) throws(JSONFault) -> NotificationError? {
        let gathersRow = v1.oddities.contains(.flatRow) && v1.rows.count == 0
        walker.go(to: met.start)
        do throws(NotificationError) {
            let inner = try inner()
            inner.reshapings = reshapings + 1
            inner.scratch.removeAll()
            let reshaper = BodyReshaper(casing, gathersRow: gathersRow || casing == .snake)
            try write(reshaper, &walker, to: inner.scratch)
            if reshaper.zonelessDates > 0 { visitor.zonelessPayloads += 1 }
            try inner.decodeScratch(at: 0, met.receivedAt, visitor)
            return nil
        } catch {
            return error
        }
    }

    private func write(
        _ reshaper: BodyReshaper, _ walker: inout JSONWalker, to output: OutputBuffer
    ) throws(NotificationError) {
        do throws(JSONFault) {
            try reshaper.reshape(&walker, to: output)
        } catch {
            throw NotificationError(error, in: walker.memory, from: 0, to: error.offset)
        }
    }
}
