/// Rows and renewal infos that lost their `original_transaction_id`.
///
/// One gets the id of the only subscription in the body that shares its product or its group:
///
///     pending_renewal_info   A monthly, B games     rows   A monthly, - games     →  B's
///     pending_renewal_info   A monthly              rows   A monthly, - games     →  nobody's
///
/// That a row is in the body does not make it one of the subscription that the notification is about.
extension V1Fields {
    /// Whose products and groups are, as far as the body says.
    private struct Owners {
        let view: TextView
        var ids: [String: JSONText] = [:]
        var first = JSONText.absent
        var areSeveral = false

        /// Takes in that a subscription has a product or a group; of a name that two have, nobody is the owner.
        mutating func add(_ id: JSONText, product: JSONText = .absent, group: JSONText = .absent) {
            guard !id.isBlank else { return }
            if first.isBlank { first = id } else if !view.same(first, id) { areSeveral = true }
            for (kind, name) in [("p", product), ("g", group)] where !name.isBlank {
                let key = kind + view.string(name)
                ids[key] = view.same(ids[key] ?? id, id) ? id : .absent
            }
        }

        /// The id of the owner of a product or, where nobody is known to have it, of a group; absent for none.
        func owner(product: JSONText, group: JSONText = .absent) -> JSONText {
            let known = product.isBlank ? nil : ids["p" + view.string(product)]
            return known ?? (group.isBlank ? nil : ids["g" + view.string(group)]) ?? .absent
        }
    }

    /// Names rows and renewal infos without an id.
    func nameUnnamed(_ view: TextView) {
        guard
            (0..<rows.count).contains(where: { self[row: $0, .originalTransactionID].isBlank })
                || (0..<pending.count).contains(where: { self[pending: $0, .originalTransactionID].isBlank })
        else { return }
        var owners = Owners(view: view)
        owners.add(self[.originalTransactionID], product: self[.autoRenewProductID])
        owners.add(self[.originalTransactionID], product: self[.productID])
        // What was named by a product names others by its group.
        for _ in 0..<2 {
            for entry in 0..<pending.count { name(entry: entry, &owners) }
            for row in 0..<rows.count { name(row: row, &owners) }
        }
        // One renewal info is one subscription, so what is older than its newest row is an earlier plan of it.
        guard pending.count <= 1, !owners.first.isBlank, !owners.areSeveral else { return }
        var newest = Int64.min
        for row in 0..<rows.count where !self[row: row, .originalTransactionID].isBlank {
            newest = max(newest, date(.purchase, row: row, view).date?.milliseconds ?? .min)
        }
        for row in 0..<rows.count where self[row: row, .originalTransactionID].isBlank {
            guard date(.expires, row: row, view).date != nil else { continue }
            if date(.purchase, row: row, view).date?.milliseconds ?? .max < newest {
                rows[row, V1Keys.Row.originalTransactionID.rawValue] = owners.first
            }
        }
    }

    private func name(entry: Int, _ owners: inout Owners) {
        let (product, next) = (self[pending: entry, .productID], self[pending: entry, .autoRenewProductID])
        if self[pending: entry, .originalTransactionID].isBlank {
            pending[entry, V1Keys.Pending.originalTransactionID.rawValue] =
                owners.owner(product: product.isBlank ? next : product)
        }
        owners.add(self[pending: entry, .originalTransactionID], product: product)
        owners.add(self[pending: entry, .originalTransactionID], product: next)
    }

    private func name(row: Int, _ owners: inout Owners) {
        let (product, group) = (self[row: row, .productID], self[row: row, .subscriptionGroupIdentifier])
        if self[row: row, .originalTransactionID].isBlank {
            rows[row, V1Keys.Row.originalTransactionID.rawValue] = owners.owner(product: product, group: group)
        }
        owners.add(self[row: row, .originalTransactionID], product: product, group: group)
    }

    /// Whether a renewal info is one of a subscription; one that names nothing is, if it is the only one.
    func isEntry(_ entry: Int, of subject: JSONText, _ view: TextView) -> Bool {
        let id = self[pending: entry, .originalTransactionID]
        guard id.isBlank, !subject.isBlank else { return subject.isBlank || view.same(id, subject) }
        return pending.count == 1 && self[pending: entry, .productID].isBlank
            && self[pending: entry, .autoRenewProductID].isBlank
    }

    func isOnlyCancelled(_ row: Int, _ view: TextView) -> Bool {
        (0..<rows.count).filter { date(.cancellation, row: $0, view).date != nil } == [row]
    }
}
