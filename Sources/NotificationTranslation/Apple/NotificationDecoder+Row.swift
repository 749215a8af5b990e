/// Rows whose columns repeat the type of the notification that is kept whole beside them.
///
///     {"id":7,"notification_type":"DID_RENEW","created_at":"2021-06-01T09:00:12Z","raw_data":{"notification_type":…}}
///
/// Such a row is an envelope: the body in it is the notification, and the times of the row are times of receipt.
extension NotificationDecoder {
    /// Takes the notification that is beside the type of the object walked last; where there is none, the object itself.
    func takeRowOrOwnFields(
        _ met: Met, _ walker: inout JSONWalker, _ visitor: FoundVisitor
    ) throws(JSONFault) -> NotificationError? {
        guard hasValuesBeside(met) else { return try takeOwnFields(met, &walker, visitor) }
        return try takeRow(met, &walker, visitor)
    }

    /// Whether there is anything in the object that may hold a notification and was not tried yet.
    @inline(__always)
    private func hasValuesBeside(_ met: Met) -> Bool {
        !met.others.isEmpty || !v1[.v2Type].isBlank && met.candidates.contains { !$0.isPayload }
    }

    @inline(never)
    private func takeRow(
        _ met: Met, _ walker: inout JSONWalker, _ visitor: FoundVisitor
    ) throws(JSONFault) -> NotificationError? {
        guard level < Envelope.deepest, hasBareType(met, walker.memory) else {
            return try takeOwnFields(met, &walker, visitor)
        }
        guard rowsAround < Envelope.mostRows else {
            let doubting = DoubtVisitor(visitor, .unreadable)
            defer { visitor.count(doubting) }
            return try takeOwnFields(met, &walker, doubting)
        }
        rowsAround += 1
        defer { rowsAround -= 1 }
        var values = met
        if !v1[.v2Type].isBlank {
            let untried = met.candidates.filter { !$0.isPayload }.sorted { $0.rank < $1.rank }
            values.others = untried.map { Other(value: $0.value, place: $0.place) } + met.others
        }
        let own = V1Fields(copying: v1)
        let look = rowVisitor(nil, walker.memory)
        let failure = try takeOthers(values, &walker, look)
        v1.copy(own)
        // A word that Apple never used is not a type where a whole notification is beside it.
        let isForeign = look.foundOther && !look.foundBody && !look.isAppleType
        if look.wasRefused || look.foundBody || isForeign {
            // Where the row holds notifications of other types too, none of them is left out.
            let row = rowVisitor(isForeign ? DoubtVisitor(visitor, .otherType) : visitor, walker.memory)
            row.takesAll = look.foundOther && (look.foundBody || isForeign)
            let failure = try takeOthers(values, &walker, row)
            visitor.count(row)
            return failure
        }
        visitor.openedTexts += look.openedTexts
        visitor.explain(as: look)
        guard look.foundOther || failure != nil else { return try takeOwnFields(met, &walker, visitor) }
        let doubting = DoubtVisitor(visitor, look.foundOther ? .otherType : .unreadable)
        defer { visitor.count(doubting) }
        return try takeOwnFields(met, &walker, doubting)
    }

    private func rowVisitor(_ outer: FoundVisitor?, _ memory: UnsafeRawPointer) -> RowVisitor {
        let view = TextView(memory: memory)
        let row = RowVisitor(
            outer, type: text(.notificationType, or: .v2Type, memory), subtype: view.string(v1[.v2Subtype]))
        row.own = RowVisitor.identities.filter { !v1[$0].isBlank }.map { (key: $0, text: view.string(v1[$0])) }
        return row
    }

    /// Whether the object walked last has a type and nothing that a notification is made of: no rows, no renewal info,
    /// no parts of a payload.
    ///
    /// A secret beside a bundle identifier is that of a body.
    private func hasBareType(_ met: Met, _ memory: UnsafeRawPointer) -> Bool {
        let type = v1[.notificationType].isBlank ? v1[.v2Type] : v1[.notificationType]
        guard !type.isBlank, isString(type, memory), v1.rows.count == 0, v1.pending.count == 0, met.parts.isEmpty,
            v1[.password].isBlank || v1[.bid].isBlank,
            !met.candidates.contains(where: \.isPayload), v1.oddities.isDisjoint(with: [.paths, .partsInSnakeCase])
        else { return false }
        let receiptsAndParts: [V1Keys.Root] = [
            .unifiedReceipt, .latestReceiptInfo, .latestExpiredReceiptInfo, .pendingRenewalInfo, .v2TransactionInfo,
            .v2RenewalInfo, .v2AppTransactionInfo, .v2SignedTransactionInfo, .v2SignedRenewalInfo,
            .v2SignedAppTransactionInfo,
        ]
        return receiptsAndParts.allSatisfy { v1[$0].isBlank }
    }

    private func text(_ key: V1Keys.Root, or other: V1Keys.Root, _ memory: UnsafeRawPointer) -> String {
        TextView(memory: memory).string(v1[key].isBlank ? v1[other] : v1[key])
    }
}
