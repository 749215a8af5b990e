/// Writes the ``Evidence`` of a notification while its record is in view.
///
/// One for each worker; keeps its memory.
package final class EvidenceWriter {
    /// So many transactions of a list are kept, the newest; then only those that mean something by themselves, and those
    /// from the time when Apple did not send renewals, because no other notification may show them: Apple's hundred
    /// rows fit in.
    private static let (mostPlain, mostSpecial, mostUntold) = (28, 36, 110)

    // Run-time exclusivity checks on both cost 2 % of a timeline of small bodies, 3 % of typical ones.
    @exclusivity(unchecked) private var dated: [(index: Int, purchase: Int64)] = []
    @exclusivity(unchecked) private var rows: [TimelineRow] = []
    private var details = ShownDetails()
    /// Whether the ``ShownDetails`` of the transactions are wanted of notifications; of answers they always are.
    private let keepsDetails: Bool
    /// The same of the piece that is being written.
    private var takesDetails = false

    private let renewalsToldSince = DecisionTable.current.parameters.renewalsToldSince

    /// The key of the pseudonyms that replace what points to a person; `nil` leaves it as it is.
    private let redactionKey: RedactionKey?
    /// What details point into that no record holds.
    private var texts = TextArena()

    /// A writer; `keepsDetails` for what `state` and `transactions` are made of.
    package init(keepsDetails: Bool = false, redactionKey: RedactionKey? = nil) {
        self.keepsDetails = keepsDetails
        self.redactionKey = redactionKey
    }

    /// Begins a piece of evidence, of what an event says whichever version it is of.
    func begin(_ event: inout EventDraft, subject: EventText, isAnswer: Bool = false) -> Statement {
        takesDetails = keepsDetails || isAnswer
        rows.removeAll(keepingCapacity: true)
        details = ShownDetails()
        var statement = Statement(&event, subject: subject)
        if isAnswer { statement.header.kind.insert(.isAnswer) }
        if takesDetails {
            texts = TextArena()
            statement.header.kind.insert(.details)
            let app = event.appAppleID
            details.appAppleID = app.text.isAbsent ? texts.keep(app.number.map { String($0) }) : app.text
        }
        return statement
    }

    func append(_ row: TimelineRow, _ shown: @autoclosure () -> RowDetails) {
        rows.append(row)
        if takesDetails { details.rows.append(redacted(shown())) }
    }

    private func redacted(_ shown: RowDetails) -> RowDetails {
        guard let redactionKey else { return shown }
        var shown = shown
        shown.shown.appAccountToken = texts.keep(shown.shown.appAccountToken.string.map(redactionKey.pseudonym))
        return shown
    }

    func finish(_ statement: Statement, to output: OutputBuffer) {
        var statement = statement
        var coder = ByteWriter(output: output)
        statement.rows = rows.indices
        statement.code(&coder, &rows, &details)
    }

    // MARK: Version 1

    /// Appends the evidence of a version 1 body.
    ///
    /// - Parameters:
    ///   - event: Its event, judged alone; `inout` so that it is not copied, like the reading.
    ///   - reading: What was read of it on the way.
    ///   - fields: Its fields.
    ///   - view: The memory they are in.
    ///   - type: The name of its type.
    ///   - idText: The text that its id is made of, without the namespace; absent if it is that of what the event says.
    ///   - output: Where the evidence goes.
    func write(
        _ event: inout EventDraft, _ reading: inout V1Reading, _ fields: V1Fields, _ view: TextView, type: EventText,
        idText: EventText, to output: OutputBuffer
    ) {
        let subject = EventText(reading.subject.originalTransactionID, in: view.memory)
        var statement = begin(&event, subject: subject)
        statement.typeText = type
        statement.facts = reading.facts
        statement.idText = idText
        if !idText.isAbsent { statement.header.kind.insert(.idText) }
        if let time = reading.ownTime {
            (statement.ownTime, statement.ownField) = (time.milliseconds, TimeField.number(of: time.field))
        }
        if let known = reading.latestKnown {
            (statement.latestKnown, statement.latestField) = (known.milliseconds, TimeField.number(of: known.field))
        }
        collect(&reading, fields, view)
        let leftOutBefore = appendRows(fields, view)
        if fields.unifiedRows > 0 || fields.receiptRows > 0 {
            statement.header.kind.insert(.list)
            let isCapped = reading.facts.says(.capped, FactValue.Plain.yes)
            statement.leftOutBefore = leftOutBefore ?? (isCapped ? dated.last?.purchase ?? .max : nil)
        }
        // Where nothing says what it is about, words alone do not distinguish it from another.
        let possible = possible(&reading, fields, view)
        if !isNamed(&event) { statement.fingerprint = fields.fingerprint(view.memory) ^ Self.fingerprint(possible) }
        details.possibleSubjects = possible
        statement.receipt = EvidenceReceipt(&event)
        finish(statement, to: output)
    }

    /// So many of the purchases that may be meant are kept, the newest.
    private static let mostPossible = 8

    /// The purchases that a notification may be about which names none: shared ones, or those made once; of a refund
    /// those that were refunded.
    private func possible(_ reading: inout V1Reading, _ fields: V1Fields, _ view: TextView) -> [ShownDetails.Subject] {
        guard reading.subject.isNone, let type = reading.type else { return [] }
        let shape = DecisionTable.current.shape(ofType: type)
        var found: [(subject: ShownDetails.Subject, purchase: Int64)] = []
        var known: [String: Int] = [:]
        for index in 0..<fields.rows.count {
            let id = EventText(fields[row: index, .originalTransactionID], in: view.memory)
            let cancelled = fields.date(.cancellation, row: index, view).date?.milliseconds
            let isMeant =
                shape.subject == .shared
                ? fields.isShared(index, view)
                : fields.date(.expires, row: index, view).date == nil
            guard isMeant, !id.isAbsent, !id.bytes.isEmpty, cancelled != nil || shape.transaction != .cancelled
            else { continue }
            let name = view.string(fields[row: index, .originalTransactionID])
            if let subject = known[name] {
                found[subject].subject.cancelled = [found[subject].subject.cancelled, cancelled].compactMap { $0 }.max()
            } else {
                known[name] = found.count
                let purchase = fields.date(.purchase, row: index, view).date?.milliseconds ?? .min
                found.append((.init(originalTransactionID: id, cancelled: cancelled), purchase))
            }
        }
        found.sort {
            $0.purchase != $1.purchase
                ? $0.purchase > $1.purchase
                : TimelineID.of($0.subject.originalTransactionID) < TimelineID.of($1.subject.originalTransactionID)
        }
        return found.prefix(Self.mostPossible).map(\.subject)
    }

    /// A number that distinguishes refunds which name no purchase: what they show as refunded; 0 for nothing.
    ///
    /// The lowest 32 bits stay free for what distinguishes apps and receipts.
    private static func fingerprint(_ possible: [ShownDetails.Subject]) -> UInt64 {
        var hash: UInt64 = 0
        for one in possible {
            guard let cancelled = one.cancelled else { continue }
            hash =
                (hash ^ TimelineID.of(one.originalTransactionID) ^ UInt64(bitPattern: cancelled) << 20)
                &* 0x9E37_79B9_7F4A_7C15
            hash ^= hash >> 29
        }
        return hash << 32
    }

    /// Whether an event names the purchase that it is about.
    private func isNamed(_ event: inout EventDraft) -> Bool {
        event.hasTransaction
            && !(event.transactionFields.originalTransactionID.isAbsent
                && event.transactionFields.transactionID.isAbsent)
    }

    /// The subject's transactions with a purchase date, the newest first.
    private func collect(_ reading: inout V1Reading, _ fields: V1Fields, _ view: TextView) {
        dated.removeAll(keepingCapacity: true)
        guard !reading.subject.isNone else { return }
        for index in 0..<fields.rows.count {
            guard reading.isOfSubject(index, fields, view), !fields[row: index, .transactionID].isBlank,
                let purchase = fields.date(.purchase, row: index, view).date
            else { continue }
            dated.append((index, purchase.milliseconds))
        }
        dated.sort { $0.purchase != $1.purchase ? $0.purchase > $1.purchase : $0.index < $1.index }
    }

    /// Takes the transactions that are worth their bytes.
    ///
    /// - Returns: The purchase date from which on none is left out; `nil` if none is.
    private func appendRows(_ fields: V1Fields, _ view: TextView) -> Int64? {
        var leftOutBefore: Int64?
        for (position, index) in dated.enumerated() {
            let row = TimelineRow(fields, view, index.index, purchase: index.purchase)
            let isSpecial = row.cancellation != nil || row.isUpgraded || row.isRedeemed
            let most =
                index.purchase < renewalsToldSince
                ? Self.mostUntold : leftOutBefore == nil ? Self.mostPlain : isSpecial ? Self.mostSpecial : 0
            if rows.count < most {
                append(row, RowDetails(fields, row: index.index, view))
            } else {
                if leftOutBefore == nil { leftOutBefore = dated[position - 1].purchase }
                if takesDetails { details.more.append((row, redacted(RowDetails(fields, row: index.index, view)))) }
            }
        }
        return leftOutBefore
    }

    // MARK: Version 2

    /// Appends the evidence of a version 2 payload; its transaction is the only one it shows.
    ///
    /// - Parameters:
    ///   - event: Its event, judged alone.
    ///   - attempts: How often it was sent, where it is in a page of Apple's notification history.
    ///   - output: Where the evidence goes.
    func write(_ event: inout EventDraft, _ attempts: SendAttempts?, to output: OutputBuffer) {
        var statement = begin(&event, subject: .absent)
        if let attempts {
            statement.header.kind.insert(attempts.areSuccessful ? [.isInHistory, .isSent] : .isInHistory)
            statement.attempts = UInt8(clamping: attempts.count)
        }
        let basis = event.occurredAtBasis
        // An end or an original purchase does not say when it happened.
        let isDistant =
            event.flags.known.contains(.timeFromEnd) || basis.hasSameBytes(as: EventText("originalPurchaseDate"))
        if !isDistant, !basis.hasSameBytes(as: EventText(.receivedAt)), let time = event.occurredAt {
            (statement.ownTime, statement.ownField) = (time, TimeField.number(of: basis))
        }
        statement.signedAt = event.signedAt
        if event.hasTransaction, let purchase = event.transactionFields.purchasedAt,
            !event.transactionFields.transactionID.isAbsent
        {
            let isInPart = event.flags.known.contains(.refundPartial)
            append(
                TimelineRow(event.transactionFields, purchase: purchase, isInPart: isInPart),
                RowDetails(&event))
        }
        let pair = (event.v2.type.string ?? "") + "/" + (event.v2.subtype.string ?? "")
        pair.utf8.withMemory { bytes in
            statement.typeText = EventText(bytes)
            finish(statement, to: output)
        }
    }
}

extension V1Reading {
    /// Whether a row is of the purchase that the notification is about.
    mutating func isOfSubject(_ row: Int, _ fields: V1Fields, _ view: TextView) -> Bool {
        guard !subject.isNone else { return false }
        return rows.isOfSubject(row) ?? fields.isRow(row, of: subject.originalTransactionID, view)
    }
}

extension Statement {
    /// What an event says of itself, whichever version it is of.
    fileprivate init(_ event: inout EventDraft, subject: EventText) {
        let isV1 = event.source.version == .v1
        let original = event.hasTransaction ? event.transactionFields.originalTransactionID : .absent
        header.kind = isV1 ? [] : .isV2
        header.environment = event.environment
        header.bundleID = event.bundleID
        header.originalTransactionID = original.isAbsent ? subject : original
        header.id = event.id
        receivedAt = event.source.receivedAt
        if event.hasTransaction {
            transactionText = event.transactionFields.transactionID
            productText = event.transactionFields.productID
        }
        access = EvidenceAccess(&event)
        // The id of a V1 record is made of these whether its event shows them or not.
        guard isV1 || event.hasRenewal else { return }
        let renewal = event.renewalFields
        nextProductText = renewal.autoRenewProductID
        autoRenewStatus = Self.truth(renewal.autoRenewStatus)
        intent = UInt8(stated: renewal.expirationIntent)
        isInBillingRetry = renewal.inBillingRetry == true
        consent = Self.truth(renewal.priceIncreaseStatus)
        nextOfferType = renewal.offerType == nil ? 0 : UInt8(stated: renewal.offerType)
        nextOfferText = renewal.offerID
        graceUntil = renewal.gracePeriodExpiresAt
    }

    /// Apple's 1 and 0; `nil` for every other number and where nothing is stated.
    private static func truth(_ value: Int64?) -> Bool? { value == 1 ? true : value == 0 ? false : nil }
}

extension TimelineRow {
    /// A transaction as a row of version 1 shows it.
    init(_ fields: V1Fields, _ view: TextView, _ index: Int, purchase: Int64) {
        setID(EventText(fields[row: index, .transactionID], in: view.memory))
        productText = EventText(fields[row: index, .productID], in: view.memory)
        self.purchase = purchase
        expires = fields.date(.expires, row: index, view).date?.milliseconds
        cancellation = fields.date(.cancellation, row: index, view).date?.milliseconds
        if cancellation != nil { reason = UInt8(stated: view.integer(fields[row: index, .cancellationReason])) }
        isUpgraded = view.truth(fields[row: index, .isUpgraded]) ?? false
        if let offer = fields.offer(row: index, view) { (offerType, offerText) = (UInt8(offer.type), offer.id) }
    }

    /// A transaction as version 2 or an answer of Apple's shows it.
    init(_ transaction: EventDraft.Transaction, purchase: Int64, isInPart: Bool) {
        setID(transaction.transactionID)
        productText = transaction.productID
        self.purchase = purchase
        expires = transaction.expiresAt
        cancellation = transaction.revokedAt
        if cancellation != nil {
            reason = UInt8(stated: transaction.revocationReason)
            self.isInPart = isInPart
        }
        isUpgraded = transaction.isUpgraded == true
        if let offer = transaction.offerType, 1...254 ~= offer {
            offerType = UInt8(offer)
            if offerType != UInt8(.introductory) { offerText = transaction.offerID }
        }
    }

    private mutating func setID(_ id: EventText) {
        transactionText = id
        number = TimelineID.number(id)
    }
}
