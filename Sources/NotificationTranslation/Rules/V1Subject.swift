/// Which subscription of a receipt a notification is about.
struct V1Subject {
    /// The `original_transaction_id`; absent if the body names none at all.
    var originalTransactionID: JSONText
    var isCertain: Bool
    /// Whether it is none of the purchases that the receipt shows, as far as is known: no row is the one meant.
    var isNone = false
    /// Whether another time of arrival could select another subscription or transaction.
    var dependsOnArrival = false
    /// The row of a purchase that is meant and has no such id; else any row of the id.
    var row: Int?
}

/// Finds it.
///
/// One receipt can hold transactions and renewal infos of several subscriptions, the customer's other ones and those
/// of family members. Everything else is read only after this is settled.
struct SubjectFinder: ~Copyable {
    let fields: V1Fields
    let view: TextView
    /// How the type is read; `nil` for a type that this build does not know.
    let shape: TypeRules.Shape?
    /// When a purchase was made that shows which subscription is meant; `nil` if none does.
    let bought: ClosedRange<Int64>?
    /// The earliest cancellation that Apple may still report when the body was received; `nil` if that time is not known.
    let cancelledSince: Int64?
    /// Whether it is for the id, which is made of the body alone.
    let isForID: Bool

    private var isCancelled: Bool { shape?.transaction == .cancelled }

    /// The subscription or purchase, and whether that is certain.
    func find() -> V1Subject {
        let top = fields[.originalTransactionID]
        if !top.isBlank { return certain(top) }
        let singles = fields.unifiedRows..<max(fields.unifiedRows, fields.rows.count - fields.receiptRows)
        if let only = only(ids(singles)) { return certain(only) }
        let webOrder = fields[.webOrderLineItemID]
        if !webOrder.isBlank {
            let named = (0..<fields.rows.count).filter { view.same(fields[row: $0, .webOrderLineItemID], webOrder) }
            if let only = only(ids(named)) { return certain(only) }
        }
        switch shape?.subject {
        case .oneTime: return oneTimePurchase
        case .shared: return sharedPurchase
        case .subscription, nil: return subscriptionOfRenewalInfo ?? likelySubscription
        }
    }

    private func certain(_ id: JSONText) -> V1Subject { V1Subject(originalTransactionID: id, isCertain: true) }

    /// Nothing that the body shows.
    private var none: V1Subject {
        V1Subject(
            originalTransactionID: .absent, isCertain: fields.rows.count == 0, isNone: fields.rows.count > 0,
            dependsOnArrival: isCancelled)
    }

    // MARK: Ids

    private func ids(_ rows: some Sequence<Int>) -> [JSONText] { rows.map { fields[row: $0, .originalTransactionID] } }

    private func ids(pending entries: some Sequence<Int>) -> [JSONText] {
        entries.map { fields[pending: $0, .originalTransactionID] }
    }

    /// The one id that all nonblank ids are equal to; `nil` if all are blank or two differ.
    private func only(_ ids: [JSONText]) -> JSONText? {
        guard let first = ids.first(where: { !$0.isBlank }) else { return nil }
        return ids.allSatisfy { $0.isBlank || view.same(first, $0) } ? first : nil
    }

    /// The only purchase that rows show, each by its id, or by itself where it has none; `nil` for none and for several.
    private func purchase(_ rows: [Int]) -> V1Subject? {
        let ids = ids(rows)
        if ids.count == 1, ids[0].isBlank {
            return V1Subject(originalTransactionID: .absent, isCertain: true, row: rows[0])
        }
        return ids.contains(where: \.isBlank) ? nil : only(ids).map { certain($0) }
    }

    // MARK: Subscriptions

    /// The renewal infos that agree with the top level.
    private var agreeing: [Int] { (0..<fields.pending.count).filter { fields.agrees($0, view) } }

    /// The subject of the only renewal info that agrees with the top level; else of the only such one that meets
    /// `pending` of the type; uncertain where infos that agree name no subscription, and others do; else `nil`.
    private var subscriptionOfRenewalInfo: V1Subject? {
        let (product, entries) = (fields[.autoRenewProductID], agreeing)
        let ids = ids(pending: entries)
        let all = self.ids(0..<fields.rows.count) + self.ids(pending: 0..<fields.pending.count)
        if !ids.isEmpty, ids.allSatisfy(\.isBlank), !all.allSatisfy(\.isBlank) {
            return V1Subject(originalTransactionID: .absent, isCertain: false)
        }
        if let only = only(ids) { return certain(only) }
        // A change of plan that waits for the renewal was reported by the same type, without a purchase.
        let isWaiting = entries.contains { entry in
            let running = fields[pending: entry, .productID]
            return !running.isBlank && !view.same(running, product)
        }
        if shape?.pending == .justBought, isWaiting { return nil }
        let known = bought.flatMap { buyer(of: product, at: $0) }
        let meeting = entries.filter { entry in
            shape?.pending == .inRetry
                ? view.truth(fields[pending: entry, .isInBillingRetryPeriod]) == true
                : known.map { view.same($0, fields[pending: entry, .originalTransactionID]) } ?? false
        }
        return only(self.ids(pending: meeting)).map {
            V1Subject(originalTransactionID: $0, isCertain: true, dependsOnArrival: shape?.pending == .justBought)
        }
    }

    /// The only subscription in the body.
    ///
    /// Without one, the newest of those that agree with the top level is likely; of a cancellation the one that was
    /// cancelled last.
    private var likelySubscription: V1Subject {
        let rows = (0..<fields.subjectRows).filter { fields.date(.expires, row: $0, view).date != nil }
        let all = ids(rows) + ids(pending: 0..<fields.pending.count)
        if let only = only(all) { return certain(only) }
        let agreed = ids(pending: agreeing)
        let isNamed = agreed.contains { !$0.isBlank }
        // A set: there may be thousands of both.
        let named = Set(isNamed ? agreed.map(view.string) : [])
        let candidates = rows.map { row in
            (
                row: row, isMeant: !isNamed || named.contains(view.string(fields[row: row, .originalTransactionID])),
                date: fields.date(isCancelled ? .cancellation : .purchase, row: row, view).date?.milliseconds ?? .min
            )
        }
        let newest = candidates.max { one, other in
            if one.isMeant != other.isMeant { return other.isMeant }
            return one.date != other.date ? one.date < other.date : fields.isNewer(other.row, than: one.row, view)
        }
        let id = newest.map { fields[row: $0.row, .originalTransactionID] } ?? .absent
        // Of a body that names none, each renewal info is one.
        return V1Subject(
            originalTransactionID: id, isCertain: all.allSatisfy(\.isBlank) && fields.pending.count <= 1)
    }

    /// The only subscription with a purchase of a product at some time; `nil` if a purchase does not say when it was.
    private func buyer(of product: JSONText, at times: ClosedRange<Int64>) -> JSONText? {
        var bought: [Int] = []
        for row in 0..<fields.subjectRows where view.same(fields[row: row, .productID], product) {
            guard let purchase = fields.date(.purchase, row: row, view).date else { return nil }
            if times.contains(purchase.milliseconds) { bought.append(row) }
        }
        return only(ids(bought))
    }

    // MARK: Other purchases

    /// By there being only one shared purchase that was taken back, as a member's receipt holds the member's own
    /// purchases too.
    ///
    /// What is gone may have left the receipt, so a shared purchase is not meant because it is the only one left. Without
    /// any rows, the renewal info that agrees with the top level tells the subscription, as for other types.
    private var sharedPurchase: V1Subject {
        let revoked = (0..<fields.subjectRows).filter {
            fields.isShared($0, view) && fields.date(.cancellation, row: $0, view).date != nil
        }
        return purchase(revoked) ?? (fields.rows.count == 0 ? subscriptionOfRenewalInfo : nil) ?? none
    }

    /// By there being only one such purchase of the product that the body names, or only one that was refunded, ever
    /// or recently, and is not a subscription's.
    ///
    /// A consumable leaves the receipt, so a purchase is not meant because it is the only one left.
    private var oneTimePurchase: V1Subject {
        let product = fields[.productID]
        guard isCancelled || !product.isBlank else { return none }
        func cancelled(_ row: Int) -> Int64? { fields.date(.cancellation, row: row, view).date?.milliseconds }
        let found = (0..<fields.subjectRows).filter { row in
            let isMeant =
                product.isBlank
                ? fields.date(.expires, row: row, view).date == nil
                : view.same(fields[row: row, .productID], product)
            return isMeant && (!isCancelled || cancelled(row) != nil)
        }
        // If only one was refunded recently, it is also the one refunded last: the id takes that one, and needs no time of
        // arrival.
        let since = isForID ? found.compactMap(cancelled).max() : cancelledSince
        let recently = found.filter { row in since.map { cancelled(row) ?? .min >= $0 } ?? false }
        return purchase(found) ?? (isCancelled ? purchase(recently) : nil) ?? none
    }
}

extension V1Fields {
    /// Whether a renewal info says what the top level says.
    func agrees(_ entry: Int, _ view: TextView) -> Bool {
        let product = self[.autoRenewProductID]
        guard !product.isBlank, let status = view.truth(self[.autoRenewStatus]) else { return false }
        return view.same(self[pending: entry, .autoRenewProductID], product)
            && view.truth(self[pending: entry, .autoRenewStatus]) == status
    }
}
