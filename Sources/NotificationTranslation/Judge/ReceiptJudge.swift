/// Says of each event what the receipt in its body proves; one for a policy that verifies receipts.
///
/// The receipt is read where it is, and nothing of it goes into the event but its creation date.
final class ReceiptJudge: Sendable {
    private let verifier: any ReceiptVerifier
    private let policy: TrustPolicy

    /// The codes of refusals, in memory that events may point to.
    private static let codes = Dictionary(
        uniqueKeysWithValues: AuthenticityError.Reason.allCases.map { ($0, KeptText($0.code)) })

    /// A judge; `nil` where the policy leaves receipts alone.
    init?(_ policy: TrustPolicy) {
        guard let verifier = policy.receiptVerifier else { return nil }
        (self.verifier, self.policy) = (verifier, policy)
    }

    /// Compares an event of version 1 with the receipt of its body, and notes in the event what is proven of it.
    ///
    /// `genuine` gets the receipt, if rows are wanted and it is one of the app and the environment.
    ///
    /// - Returns: Why the event must not be used; `nil` if the policy takes it.
    func judge(
        _ event: inout EventDraft, _ fields: V1Fields, _ memory: UnsafeRawPointer, _ authenticity: Authenticity,
        _ genuine: inout AppReceipt?
    ) -> NotificationError? {
        event.source.isReceiptRequested = true
        let isRequired = policy.needsReceipt && authenticity == .unverified
        let text = fields.receipt
        if !text.isBlank {
            event.source.hasReceipt = true
            event.source.receiptFields = EventDraft.ReceiptProof()
            do throws(AuthenticityError) {
                let receipt = try text.withCharacters(in: memory) { (text) throws(AuthenticityError) in
                    try verifier.verify(text.bytes)
                }
                event.source.receiptFields.createdAt = receipt.createdAt.milliseconds
                try policy.receiptAge?.check(receipt, at: VerificationTime.systemClock())
                compare(&event, fields, memory, with: receipt)
                if policy.completesRows, event.source.receiptFields.code.isAbsent { genuine = receipt }
            } catch {
                if isRequired, error.reason == .notNow { return NotificationError(error) }
                event.source.receiptFields.code = Self.codes[error.reason]?.text ?? .absent
            }
        }
        guard isRequired else { return nil }
        guard !event.source.hasReceipt || event.source.receiptFields.covers != .all else { return nil }
        return NotificationError(AuthenticityError(.noProof), offset: text.isBlank ? 0 : text.start)
    }

    /// Compares an event that was made again, of the body completed by the receipt.
    func judgeCompleted(
        _ event: inout EventDraft, _ fields: V1Fields, _ memory: UnsafeRawPointer, with receipt: AppReceipt
    ) {
        (event.source.isReceiptRequested, event.source.hasReceipt) = (true, true)
        event.source.receiptFields.createdAt = receipt.createdAt.milliseconds
        compare(&event, fields, memory, with: receipt)
        event.flags.formUnion(.receiptRows)
    }

    private func compare(
        _ event: inout EventDraft, _ fields: V1Fields, _ memory: UnsafeRawPointer, with receipt: AppReceipt
    ) {
        var claims = UnifiedEvent(id: "", type: .unknown)
        claims.bundleID = event.bundleID.string
        claims.environment = event.environment.string.map(NotificationEnvironment.init(rawValue:))
        if event.hasTransaction {
            var transaction = UnifiedEvent.Transaction()
            transaction.exchange(&event.transactionFields, EventExchange(texts: nil))
            claims.transaction = transaction
        }
        let coverage = receipt.coverage(of: claims, expecting: policy.expected)
        var covers = coverage.covers
        if let refusal = coverage.refusal {
            event.source.receiptFields.code = Self.codes[refusal]?.text ?? .absent
            event.flags.formUnion(refusal == .receiptBundleID ? .receiptOtherBundle : .receiptContradictsRow)
            return
        }
        var flags = coverage.contradicted.isEmpty ? FlagSet() : .receiptContradictsRow
        if coverage.lacksTransaction { flags.formUnion(.transactionNotInReceipt) }
        // The rows around that of the event decide with it what happened, and until when there is access.
        let view = TextView(memory: memory)
        let rows = RowDifferences(of: fields, view, from: receipt)
        flags.formUnion(rows.flags)
        // A consumable that was refunded has vanished; whatever else was cancelled is there with the date.
        if covers != .nothing, RowDifferences.lacksCancellation(of: fields, view, receipt) {
            flags.formUnion(.receiptContradictsRow)
            covers = .some
        }
        if rows.isUnproven || !rows.flags.isEmpty, covers == .all { covers = .some }
        event.source.receiptFields.covers = covers
        event.flags.formUnion(flags)
    }
}
