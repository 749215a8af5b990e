/// Computes the facts of one version 1 body from its fields.
///
/// Only here is V1's form turned into what rules can ask; what follows from a fact is in the table. Every
/// tolerance comes from the table's parameters.
struct FactFinder: ~Copyable {
    let table: DecisionTable
    let fields: V1Fields
    let view: TextView
    /// When the server received it, if that is known.
    let receivedAt: Int64?
    /// Whether it is read for its id, which is made of the body alone.
    let isForID: Bool

    /// Reads the body into a reading that is as new.
    ///
    /// Passed `inout` even where nothing changes it, to avoid a copy.
    func read(_ reading: inout V1Reading) {
        reading.type = table.type(fields[.notificationType], view)
        let shape = reading.type.map { table.shape(ofType: $0) }
        let isSandbox = environment(&reading)
        let delivery = table.parameters.delivery(isSandbox: isSandbox)
        let tolerance = delivery.tolerance
        reading.subject = SubjectFinder(
            fields: fields, view: view, shape: shape, bought: purchaseTimes(shape?.pending, tolerance),
            cancelledSince: receivedAt.map { $0 - delivery.horizon }, isForID: isForID
        ).find()
        V1Rows(
            fields: fields, view: view, subject: reading.subject, type: reading.type ?? -1, shape: shape, table: table,
            delivery: delivery, isProduction: reading.facts.says(.environment, FactValue.Environment.production),
            receivedAt: receivedAt
        ).collect(&reading)
        if reading.rows.hasUnowned { reading.subject.isCertain = false }
        reading.pending = pendingEntry(&reading)
        history(&reading)
        renewal(&reading)
        if shape?.transaction == .atTime { changes(&reading, tolerance) }
        if shape?.transaction == .cancelled {
            cancellation(&reading)
            if shape?.subject != .subscription, reading.rows.refundedRows == .one, namesNoPurchase {
                let isLate = isOutsideRetrySchedule(reading, isSandbox)
                reading.facts.set(.refundedRows, isLate ? FactValue.RefundedRows.late : .only)
            }
        }
        reading.facts.set(.subject, reading.subject.isCertain ? FactValue.Subject.certain : .uncertain)
        reading.facts.set(.readable, !reading.rows.isUnreadable && !fields.hasMisplacedValue)
        if !reading.subject.isCertain { forgetHistory(&reading) }
    }

    /// Whether the product stays, where all renewal infos that say what the top level says agree in that; whichever of
    /// their subscriptions is meant.
    private var staysWhicheverIsMeant: Bool? {
        let entries = (0..<fields.pending.count).filter { fields.agrees($0, view) }
        let products = entries.map { fields[pending: $0, .productID] }
        let answers = Set(products.map { view.same($0, fields[.autoRenewProductID]) })
        return answers.count == 1 && products.allSatisfy { !$0.isBlank } ? answers.first : nil
    }

    // MARK: Around the transaction

    private func environment(_ reading: inout V1Reading) -> Bool {
        let name = fields[.environment].isBlank ? fields.unifiedEnvironment : fields[.environment]
        guard let value = table.codes.value(of: .environment, for: name, view) else { return false }
        reading.facts[Fact.environment.index] = value
        return value == FactValue.Environment.sandbox.rawValue
    }

    /// When a purchase was made that shows which subscription is meant, where the type asks for one.
    private func purchaseTimes(_ pending: TypeRules.Pending?, _ tolerance: Int64) -> ClosedRange<Int64>? {
        switch pending {
        case .justBought: return receivedAt.map { $0 - table.parameters.deliveryHorizon ... .max }
        case .boughtThen:
            guard view.truth(fields[.autoRenewStatus]) == true else { return nil }
            return fields.date(.statusChange, view).date.map {
                $0.milliseconds - tolerance...$0.milliseconds + tolerance
            }
        case .inRetry, nil: return nil
        }
    }

    /// The subject's entry of `pending_renewal_info`; of several one that its content chooses.
    private func pendingEntry(_ reading: inout V1Reading) -> Int? {
        let subject = reading.subject.originalTransactionID
        guard !reading.subject.isNone, !subject.isBlank || fields.pending.count <= 1 else { return nil }
        let entries = (0..<fields.pending.count).filter { fields.isEntry($0, of: subject, view) }
        return entries.max { view.comesAfter(fields.pending, $1, $0) ?? false }
    }

    private func history(_ reading: inout V1Reading) {
        if let time = reading.time?.milliseconds {
            reading.facts.set(.era, era(time))
        } else {
            eraOfBounds(&reading)
        }
        reading.facts.set(.history, reading.rows.history)
        let isFull = fields.unifiedRows >= table.parameters.historyCap && fields.receiptRows == 0
        reading.facts.set(.capped, reading.rows.isCut || isFull)
        guard let notified = reading.notified else { return }
        ownership(&reading, notified)
        let code = fields[row: notified.index, .offerCodeRefName]
        let promotional = fields[row: notified.index, .promotionalOfferID]
        if notified.index < fields.unifiedRows || !code.isBlank || !promotional.isBlank || isBeforeOffers(&reading) {
            reading.facts.set(.offer, offer(code, promotional))
        }
        if reading.type.map({ table.shape(ofType: $0).transaction == .first }) ?? false, fields.rows.count > 1 {
            reading.facts.set(.groupHistory, groupHistory(notified))
        }
        let isOriginal = isOriginal(notified)
        reading.facts.set(.original, isOriginal)
        reading.facts.set(.rowKind, notified.expires == nil ? FactValue.RowKind.oneTime : .subscription)
        if reading.rows.mayBeOfPrevious { reading.facts.set(.beginning, FactValue.Beginning.earlier) }
        periodBefore(&reading, notified, isOriginal)
    }

    private func periodBefore(_ reading: inout V1Reading, _ notified: V1Reading.Row, _ isOriginal: FactValue.Answer) {
        guard let previous = reading.previous else {
            if isOriginal == .yes {
                reading.facts.set(.gap, FactValue.Gap.first)
                reading.facts.set(.productChanged, FactValue.Answer.no)
                reading.facts.set(.previousUpgraded, FactValue.Upgraded.no)
            }
            return
        }
        let product = fields[row: notified.index, .productID]
        let before = fields[row: previous.index, .productID]
        let areNamed = !product.isBlank && !before.isBlank
        let sameProduct = areNamed && view.same(product, before)
        if areNamed { reading.facts.set(.productChanged, !sameProduct) }
        let upgraded = upgraded(notified, previous, sameProduct)
        reading.facts.set(.previousUpgraded, upgraded)
        if let purchase = notified.purchase?.milliseconds,
            let end = upgraded == .yes ? previous.expires?.milliseconds : previous.end
        {
            reading.facts.set(.gap, table.parameters.gap(purchase - end))
        }
    }

    /// Whether the customer had a subscription of the same group before, under another original id.
    private func groupHistory(_ notified: V1Reading.Row) -> FactValue.GroupHistory {
        let group = fields[row: notified.index, .subscriptionGroupIdentifier]
        let original = fields[row: notified.index, .originalTransactionID]
        guard !group.isBlank, !original.isBlank, let purchase = notified.purchase?.milliseconds else { return .none }
        let isOlder = (0..<fields.rows.count).contains { row in
            let other = fields[row: row, .originalTransactionID]
            return !other.isBlank && !view.same(other, original)
                && view.same(fields[row: row, .subscriptionGroupIdentifier], group) && !fields.isShared(row, view)
                && fields.date(.purchase, row: row, view).date.map { $0.milliseconds < purchase } ?? false
        }
        return isOlder ? .older : .none
    }

    /// Whether a transaction is the first of its subscription; unknown where an id is missing.
    private func isOriginal(_ row: V1Reading.Row) -> FactValue.Answer {
        let id = fields[row: row.index, .transactionID]
        let original = fields[row: row.index, .originalTransactionID]
        guard !id.isBlank, !original.isBlank else { return .unknown }
        return view.same(id, original) ? .yes : .no
    }

    /// What became of the period before.
    private func upgraded(_ row: V1Reading.Row, _ previous: V1Reading.Row, _ sameProduct: Bool) -> FactValue.Upgraded {
        guard let cancelled = previous.cancellation?.milliseconds, let purchase = row.purchase?.milliseconds else {
            return previous.isUpgraded ? .yes : .no
        }
        let period = CancelledPeriod(
            cancelledAt: cancelled, isUpgraded: previous.isUpgraded, isUnmarked: previous.index < fields.unifiedRows,
            isIssue: table.codes.isIssue(view.integer(fields[row: previous.index, .cancellationReason])))
        return period.fate(at: purchase, isSameProduct: sameProduct, table.parameters)
    }

    private func ownership(_ reading: inout V1Reading, _ row: V1Reading.Row) {
        let owner = fields[row: row.index, .inAppOwnershipType]
        if let value = table.codes.value(of: .ownership, for: owner, view) {
            reading.facts[Fact.ownership.index] = value
        } else if (reading.time?.milliseconds ?? receivedAt).map({ $0 < table.parameters.familySharingSince }) ?? false
        {
            reading.facts.set(.ownership, FactValue.Ownership.purchased)
        }
    }

    private func era(_ time: Int64) -> FactValue.Era {
        FactValue.Era(rawValue: table.parameters.eraStarts.count { $0 <= time }) ?? .unknown
    }

    /// The era of a notification without a time of its own, where both instants that it is between are of one era: the
    /// newest date that it knows (or the earliest that Apple would still report then), and its reception.
    private func eraOfBounds(_ reading: inout V1Reading) {
        var earliest = FactValue.Era.toAugust2019
        if let known = reading.latestKnown, !known.isEnd { earliest = era(known.milliseconds) }
        if let receivedAt {
            let told = era(receivedAt - table.parameters.deliveryHorizon)
            if told.rawValue > earliest.rawValue { earliest = told }
        }
        let latest = receivedAt.map { era($0) } ?? .fromFebruary2022
        if earliest == latest { reading.facts.set(.era, earliest) }
    }

    /// Whether it certainly happened before there were offers that the old receipts could not name.
    private func isBeforeOffers(_ reading: inout V1Reading) -> Bool {
        (reading.time?.milliseconds ?? receivedAt).map { $0 < table.parameters.promotionalOffersSince } ?? false
    }

    private func offer(_ code: JSONText, _ promotional: JSONText) -> FactValue.Offer {
        if !code.isBlank { return .code }
        return promotional.isBlank ? .none : .promotional
    }

    // MARK: The renewal to come

    private func renewal(_ reading: inout V1Reading) {
        let stated = view.truth(fields[.autoRenewStatus])
        let pendingStatus = reading.pending.flatMap { view.truth(fields[pending: $0, .autoRenewStatus]) }
        if let status = stated ?? pendingStatus {
            reading.facts.set(.autoRenew, status ? FactValue.Switch.on : .off)
        }
        reading.facts.set(.autoRenewConflict, stated != nil && pendingStatus != nil && stated != pendingStatus)
        nextProduct(&reading)
        guard let pending = reading.pending else {
            if let intent = intent(fields[.expirationIntent]) { reading.facts.set(.expirationIntent, intent) }
            if isBeforeOffers(&reading) { reading.facts.set(.nextOffer, FactValue.Offer.none) }
            return
        }
        reading.facts.set(
            .nextOffer,
            offer(fields[pending: pending, .offerCodeRefName], fields[pending: pending, .promotionalOfferID]))
        let reason = fields[pending: pending, .expirationIntent]
        reading.facts.set(
            .expirationIntent, intent(reason) ?? intent(fields[.expirationIntent]) ?? FactValue.Intent.absent)
        reading.facts.set(.billingRetry, view.truth(fields[pending: pending, .isInBillingRetryPeriod]) ?? false)
        let consent =
            view.truth(fields[pending: pending, .priceConsentStatus])
            ?? view.truth(fields[pending: pending, .priceIncreaseStatus])
        reading.facts.set(.priceConsent, consent.map { $0 ? .agreed : .pending } ?? FactValue.Consent.absent)
        let grace = fields.date(.gracePeriodExpires, pending: pending, view).date?.milliseconds
        let expires = reading.notified?.expires?.milliseconds ?? .min
        reading.facts.set(.grace, grace.map { $0 > expires ? .running : .none } ?? FactValue.Grace.none)
    }

    private func nextProduct(_ reading: inout V1Reading) {
        let stated = fields[.autoRenewProductID]
        var next = reading.pending.map { fields[pending: $0, .autoRenewProductID] } ?? .absent
        if next.isBlank { next = stated }
        var current = reading.notified.map { fields[row: $0.index, .productID] } ?? .absent
        // pending_renewal_info names the running product, not the cancelled one.
        let isCancelled = reading.type.map { table.shape(ofType: $0).transaction == .cancelled } ?? false
        if current.isBlank, !isCancelled, let pending = reading.pending {
            current = fields[pending: pending, .productID]
        }
        guard !next.isBlank, !current.isBlank, stated.isBlank || view.same(stated, next) else { return }
        reading.facts.set(.nextProduct, view.same(next, current) ? FactValue.Product.same : .different)
    }

    /// What `expiration_intent` says; zero is how typed languages write that there is none.
    private func intent(_ text: JSONText) -> FactValue.Intent? {
        let code = view.integer(text)
        guard !text.isBlank, code != 0 else { return nil }
        return table.codes.value(of: .expirationIntent, forNumber: code).flatMap(FactValue.Intent.init(rawValue:))
    }

    // MARK: What happened

    private func changes(_ reading: inout V1Reading, _ tolerance: Int64) {
        guard let changed = reading.time?.milliseconds else {
            // It was received when billing retry may have ended.
            if let receivedAt, let expires = reading.notified?.expires?.milliseconds,
                receivedAt - expires >= table.parameters.retryLastDay,
                reading.facts.says(.autoRenew, FactValue.Switch.off)
            {
                reading.facts.set(.changedAt, FactValue.ChangedAt.retryLastDay)
            }
            return
        }
        if let purchase = reading.notified?.purchase?.milliseconds {
            reading.facts.set(.newTransaction, abs(purchase - changed) <= tolerance)
            reading.facts.set(.switchedLater, changed - purchase > table.parameters.switchedWithPurchase)
        }
        let isOn = reading.facts.says(.autoRenew, FactValue.Switch.on)
        if let end = isOn ? reading.notified?.end : reading.notified?.expires?.milliseconds {
            reading.facts.set(.changedAt, table.parameters.changedAt(changed - end))
        }
        let (isNear, isKnown) = (reading.rows.refundNear, reading.rows.history == .rows)
        if isNear || isKnown { reading.facts.set(.refundNear, isNear) }
    }

    /// Whether nothing at the top level says which cancelled purchase the body is about.
    ///
    /// A refunded consumable need not be in the receipt, so it may be about another one than the receipt shows.
    private var namesNoPurchase: Bool {
        fields[.originalTransactionID].isBlank && fields[.webOrderLineItemID].isBlank
            && fields.date(.rootCancellation, view).date == nil
    }

    /// Whether the newest cancellation of a purchase is at a distance at which Apple delivers no notification of it.
    private func isOutsideRetrySchedule(_ reading: V1Reading, _ isSandbox: Bool) -> Bool {
        guard let receivedAt, let cancelled = reading.notified?.cancellation?.milliseconds else { return false }
        let (delay, isFar) = receivedAt.subtractingReportingOverflow(cancelled)
        // The sandbox delivers once.
        return !isFar && (isSandbox ? delay > table.parameters.lateDelivery : !table.parameters.mayDeliver(delay))
    }

    private func cancellation(_ reading: inout V1Reading) {
        reading.facts.set(.refundedRows, reading.rows.refundedRows)
        guard let notified = reading.notified else { return }
        reading.facts.set(.notified, reading.rows.isNotifiedLatest ? FactValue.Notified.latest : .older)
        if let reason = view.integer(fields[row: notified.index, .cancellationReason]),
            reason != 0 || notified.cancellation != nil
        {
            let value = table.codes.value(of: .revocationReason, forNumber: reason)
            reading.facts.set(.revocationReason, value.flatMap(FactValue.Reason.init(rawValue:)) ?? .unknown)
        }
        if notified.isUpgraded, !reading.rows.isLongUpgraded {
            reading.facts.set(.cancelledRow, FactValue.CancelledRow.upgraded)
        } else if let cancelled = (reading.time ?? notified.cancellation)?.milliseconds,
            let expires = notified.expires?.milliseconds, expires < cancelled - table.parameters.contiguous
        {
            reading.facts.set(.cancelledRow, FactValue.CancelledRow.over)
        } else if reading.rows.isSuperseded {
            reading.facts.set(.cancelledRow, FactValue.CancelledRow.superseded)
        } else if reading.rows.history == .rows, notified.cancellation != nil {
            reading.facts.set(.cancelledRow, FactValue.CancelledRow.plain)
        }
    }

    /// Takes back what was read from rows that may be another subscription's.
    private func forgetHistory(_ reading: inout V1Reading) {
        for fact in [
            Fact.gap, .productChanged, .previousUpgraded, .newTransaction, .changedAt, .cancelledRow, .refundNear,
            .nextProduct, .offer, .nextOffer, .grace, .billingRetry, .expirationIntent, .priceConsent, .ownership,
            .original, .rowKind, .switchedLater,
        ] {
            if let unknown = fact.unknown { reading.facts[fact.index] = unknown }
        }
        reading.facts.set(.groupHistory, FactValue.GroupHistory.none)
        if let isSame = staysWhicheverIsMeant {
            reading.facts.set(.nextProduct, isSame ? FactValue.Product.same : .different)
        }
    }
}

extension String {
    /// Without blanks at either end.
    var trimmed: String {
        let isText = { (byte: UInt8) in byte != UInt8(ascii: " ") && byte != UInt8(ascii: "\t") }
        guard let first = utf8.firstIndex(where: isText), let last = utf8.lastIndex(where: isText) else { return "" }
        return String(self[first...last])
    }
}
