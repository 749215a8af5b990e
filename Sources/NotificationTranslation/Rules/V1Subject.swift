/// Which subscription of a receipt a notification is about.
struct V1Subject {
    /// The `original_transaction_id`; absent if the body names none at all.
    var originalTransactionID: JSONText
    var isCertain: Bool
    /// Whether it is none of the purchases that the receipt shows, as far as is known: no row is the one meant.
    var isNone = false
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

    private var isCancelled: Bool { shape?.transaction == .cancelled }

    /// The subscription or purchase, and whether that is certain.
    func find() -> V1Subject {
        let top = fields[.originalTransactionID]
        if !top.isBlank { return certain(top) }
        var single = Single(view: view)
        for row in fields.unifiedRows..<max(fields.unifiedRows, fields.rows.count - fields.receiptRows) {
            single.take(fields[row: row, .originalTransactionID])
        }
        if let only = single.only { return certain(only) }
        let webOrder = fields[.webOrderLineItemID]
        if !webOrder.isBlank {
            var named = Single(view: view)
            for row in 0..<fields.rows.count where view.same(fields[row: row, .webOrderLineItemID], webOrder) {
                named.take(fields[row: row, .originalTransactionID])
            }
            if let only = named.only { return certain(only) }
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
        V1Subject(originalTransactionID: .absent, isCertain: fields.rows.count == 0, isNone: fields.rows.count > 0)
    }

    // MARK: Subscriptions

    /// The subject of the only renewal info that agrees with the top level; else of the only such one that meets
    /// `pending` of the type; uncertain where infos that agree name no subscription, and others do; else `nil`.
    private var subscriptionOfRenewalInfo: V1Subject? {
        let product = fields[.autoRenewProductID]
        let known = bought.flatMap { buyer(of: product, at: $0) }
        var matching = Single(view: view)
        var meetsPending = Single(view: view)
        var (isWaiting, isUnnamed) = (false, false)
        for entry in 0..<fields.pending.count where fields.agrees(entry, view) {
            let id = fields[pending: entry, .originalTransactionID]
            if id.isBlank { isUnnamed = true }
            matching.take(id)
            let meets =
                shape?.pending == .inRetry
                ? view.truth(fields[pending: entry, .isInBillingRetryPeriod]) == true
                : known.map { view.same($0, id) } ?? false
            if meets { meetsPending.take(id) }
            let running = fields[pending: entry, .productID]
            // A change of plan that waits for the renewal was reported by the same type, without a purchase.
            if shape?.pending == .justBought, !running.isBlank, !view.same(running, product) { isWaiting = true }
        }
        if isUnnamed, matching.isEmpty, namesAny {
            return V1Subject(originalTransactionID: .absent, isCertain: false)
        }
        let only = matching.only ?? (isWaiting ? nil : meetsPending.only)
        return only.map { certain($0) }
    }

    /// The only subscription in the body.
    ///
    /// Without one, the newest of those that agree with the top level is likely; of a cancellation the one that was
    /// cancelled last.
    private var likelySubscription: V1Subject {
        let entries = (0..<fields.pending.count).filter { fields.agrees($0, view) }
        let ids = entries.map { fields[pending: $0, .originalTransactionID] }
        let isNamed = ids.contains { !$0.isBlank }
        // A set: there may be thousands of both.
        let agreeing = isNamed ? Set(ids.map(view.string)) : []
        var all = Single(view: view)
        var newest: (row: Int, date: Int64, isMeant: Bool)?
        for row in 0..<fields.subjectRows where fields.date(.expires, row: row, view).date != nil {
            let id = fields[row: row, .originalTransactionID]
            all.take(id)
            let isMeant = !isNamed || agreeing.contains(view.string(id))
            let date = fields.date(isCancelled ? .cancellation : .purchase, row: row, view).date
            let instant = date?.milliseconds ?? .min
            let isNewer =
                newest.map {
                    if $0.isMeant != isMeant { return isMeant }
                    return $0.date != instant ? $0.date < instant : fields.isNewer(row, than: $0.row, view)
                } ?? true
            if isNewer { newest = (row, instant, isMeant) }
        }
        for entry in 0..<fields.pending.count { all.take(fields[pending: entry, .originalTransactionID]) }
        if let only = all.only { return certain(only) }
        let id = newest.map { fields[row: $0.row, .originalTransactionID] } ?? .absent
        // Of a body that names none, each renewal info is one.
        return V1Subject(originalTransactionID: id, isCertain: all.isEmpty && fields.pending.count <= 1)
    }

    /// Whether any row or renewal info names its subscription.
    private var namesAny: Bool {
        (0..<fields.rows.count).contains { !fields[row: $0, .originalTransactionID].isBlank }
            || (0..<fields.pending.count).contains { !fields[pending: $0, .originalTransactionID].isBlank }
    }

    /// The only subscription with a purchase of a product at some time; `nil` if a purchase does not say when it was.
    private func buyer(of product: JSONText, at times: ClosedRange<Int64>) -> JSONText? {
        var bought = Single(view: view)
        for row in 0..<fields.subjectRows where view.same(fields[row: row, .productID], product) {
            guard let purchase = fields.date(.purchase, row: row, view).date else { return nil }
            if times.contains(purchase.milliseconds) { bought.take(fields[row: row, .originalTransactionID]) }
        }
        return bought.only
    }

    // MARK: Other purchases

    /// By there being only one shared purchase that was taken back, as a member's receipt holds the member's own
    /// purchases too.
    ///
    /// What is gone may have left the receipt, so a shared purchase is not meant because it is the only one left.
    private var sharedPurchase: V1Subject {
        var revoked = Single(view: view)
        for row in 0..<fields.subjectRows
        where fields.isShared(row, view) && fields.date(.cancellation, row: row, view).date != nil {
            revoked.take(row, fields)
        }
        return revoked.subject ?? none
    }

    /// By there being only one such purchase of the product that the body names, or only one that was refunded, ever
    /// or recently, and is not a subscription's.
    ///
    /// A consumable leaves the receipt, so a purchase is not meant because it is the only one left.
    private var oneTimePurchase: V1Subject {
        let product = fields[.productID]
        guard isCancelled || !product.isBlank else { return none }
        var found = Single(view: view)
        var recently = Single(view: view)
        for row in 0..<fields.subjectRows {
            let isMeant =
                product.isBlank
                ? fields.date(.expires, row: row, view).date == nil
                : view.same(fields[row: row, .productID], product)
            guard isMeant else { continue }
            if isCancelled {
                guard let cancelled = fields.date(.cancellation, row: row, view).date?.milliseconds else { continue }
                if let cancelledSince, cancelled >= cancelledSince { recently.take(row, fields) }
            }
            found.take(row, fields)
        }
        return found.subject ?? recently.subject ?? none
    }

    /// Ids taken in, and the one of them if all are the same.
    private struct Single {
        let view: TextView
        var first = JSONText.absent
        var differ = false
        var row: Int?

        mutating func take(_ id: JSONText) {
            guard !id.isBlank else { return }
            if first.isBlank {
                first = id
            } else if !view.same(first, id) {
                differ = true
            }
        }

        /// Takes in the id of a row, or the row itself where it has none.
        mutating func take(_ row: Int, _ fields: V1Fields) {
            let id = fields[row: row, .originalTransactionID]
            if id.isBlank, !isEmpty { differ = true }
            if id.isBlank { self.row = self.row ?? row } else if self.row != nil { differ = true }
            take(id)
        }

        var isEmpty: Bool { first.isBlank && row == nil }
        var only: JSONText? { first.isBlank || differ ? nil : first }
        /// The only purchase; `nil` for none and for several.
        var subject: V1Subject? {
            isEmpty || differ ? nil : V1Subject(originalTransactionID: first, isCertain: true, row: row)
        }
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
