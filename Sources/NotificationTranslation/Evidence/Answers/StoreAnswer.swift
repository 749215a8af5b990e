/// What Apple answered to a question of a server: no notification, and evidence of what happened all the same.
///
/// What it does not show proves nothing. Apple removes the revocation of a refund that was reversed, a history may have
/// been filtered, and verifyReceipt may have been asked without old transactions.
package struct StoreAnswer {
    /// Which question it answers.
    ///
    /// The words are those that evidence keeps, and of `ask` in a worklist.
    enum Form: String, Sendable {
        /// Get Transaction History: a page of it.
        case history = "transaction-history"
        /// Get All Subscription Statuses.
        case statuses = "subscription-status"
        /// Get Refund History: a page of it, which holds refunds alone.
        case refunds = "refund-history"
        /// Get Transaction Info.
        case transaction
        /// Look Up Order ID.
        case order
        /// verifyReceipt.
        case receipt
    }

    /// A transaction as one answer shows it; texts live as long as the answer.
    struct Transaction {
        var row: TimelineRow
        var details: RowDetails
        var originalTransactionID: String
        var bundleID: String?
        var environment: String?
        var signedAt: Int64?
    }

    /// What is to come of a subscription, and how it stood.
    struct Renewal {
        var shown = EventDraft.Renewal()
        var originalTransactionID: String?
        var environment: String?
        /// Apple's number, 1 to 5; `nil` where the answer gives none.
        var status: Int64?
        var signedAt: Int64?
    }

    /// What the texts of its parts are in.
    var sources: [JSONTree] = []
    var form: Form
    /// Whether a version 1 notification about another purchase shows it in its receipt; Apple was not asked for it.
    var isListed = false
    var environment: String?
    var bundleID: String?
    var appAppleID: Int64?
    /// When it was asked for, as far as it says itself.
    var askedAt: Int64?
    /// Whether more pages follow; `nil` for what has no pages.
    var hasMore: Bool?
    var transactions: [Transaction] = []
    var renewals: [Renewal] = []
    /// Parts that carry no proof where one is required, and are not used.
    package var unproven = 0

    /// Whether no newer transaction is missing, as far as an unfiltered history tells.
    var isComplete: Bool { form == .history && hasMore == false && bundleID != nil }

    /// Takes in another page of the same answer.
    mutating func add(page: StoreAnswer) {
        transactions += page.transactions
        renewals += page.renewals
        sources += page.sources
        unproven += page.unproven
        hasMore = hasMore == false || page.hasMore == false ? false : page.hasMore
    }

    /// Whether another answer may be a page of the same one.
    func isContinued(by page: StoreAnswer) -> Bool {
        form == page.form && (form == .history || form == .refunds) && bundleID == page.bundleID
            && environment == page.environment
    }
}

extension StoreAnswer {
    /// What a version 1 notification shows of other purchases than its own; `nil` for nothing.
    ///
    /// - Parameters:
    ///   - event: Its event.
    ///   - reading: What was read of it on the way.
    ///   - fields: Its fields.
    ///   - view: The memory they are in.
    init?(listedIn event: inout EventDraft, _ reading: inout V1Reading, _ fields: V1Fields, _ view: TextView) {
        self.init(form: .receipt, isListed: true)
        var known: Set<String> = []
        for row in 0..<fields.rows.count where !reading.isOfSubject(row, fields, view) {
            let id = view.string(fields[row: row, .transactionID])
            guard !id.isEmpty, known.insert(id).inserted, let transaction = Transaction(fields, row: row, view)
            else { continue }
            transactions.append(transaction)
        }
        guard !transactions.isEmpty else { return nil }
        renewals = (0..<fields.pending.count).map { Renewal(pending: $0, fields, view) }.filter { renewal in
            transactions.contains { $0.originalTransactionID == renewal.originalTransactionID }
        }
        (environment, bundleID) = (event.environment.string, event.bundleID.string)
        appAppleID = event.appAppleID.number ?? event.appAppleID.text.string.flatMap { Int64($0) }
        // It was written after everything that it shows.
        let written = reading.ownTime?.milliseconds ?? event.source.receivedAt ?? reading.latestKnown?.milliseconds
        let newest = transactions.flatMap { [$0.row.purchase, $0.row.cancellation] }.compactMap(\.self).max()
        askedAt = [written, newest].compactMap(\.self).max()
    }
}

extension StoreAnswer.Renewal {
    /// An entry of `pending_renewal_info`.
    init(pending entry: Int, _ fields: V1Fields, _ view: TextView) {
        shown = EventDraft.Renewal(pending: entry, fields, view)
        originalTransactionID = EventText(fields[pending: entry, .originalTransactionID], in: view.memory).string
    }
}

extension StoreAnswer.Transaction {
    /// A `JWSTransactionDecodedPayload`; `nil` for one without an id or a date of purchase.
    init?(_ part: V2Fields.Part, reason: EventText) {
        func value(_ key: V2Keys.Transaction) -> V2Value { part[key.rawValue] }
        var isUnreadable = false
        let shown = EventDraft.Transaction(part, &isUnreadable)
        guard let purchase = shown.purchasedAt, !shown.transactionID.isAbsent,
            let original = value(.originalTransactionId).string
        else { return nil }
        let isInPart = EventTable.current.access.isPartial(
            revocationType: value(.revocationType).string ?? "",
            revocationPercentage: value(.revocationPercentage).integer)
        row = TimelineRow(shown, purchase: purchase, isInPart: isInPart)
        details = RowDetails(shown)
        details.reason = reason
        originalTransactionID = original
        (bundleID, environment) = (value(.bundleId).string, value(.environment).string)
        signedAt = value(.signedDate).time
    }

    /// A row of `latest_receipt_info` or `in_app`; `nil` for one without an id or a date of purchase.
    init?(_ fields: V1Fields, row index: Int, _ view: TextView) {
        let original = fields[row: index, .originalTransactionID]
        guard let purchase = fields.date(.purchase, row: index, view).date, !original.isBlank else { return nil }
        row = TimelineRow(fields, view, index, purchase: purchase.milliseconds)
        details = RowDetails(fields, row: index, view)
        originalTransactionID = view.string(original)
        bundleID = EventText(fields[row: index, .bid], in: view.memory).string
    }
}
