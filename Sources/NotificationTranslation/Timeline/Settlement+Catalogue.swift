extension Settlement {
    /// Adds what the catalogue says of products that only the neighbours of a notification show together.
    @inline(never)
    func products(_ statement: Statement, _ catalogue: ProductCatalogue, _ facts: inout Facts) {
        if facts.says(.nextProduct, FactValue.Product.different),
            facts.says(.nextPlan, FactValue.PlanChange.unknown)
        {
            facts.set(.nextPlan, catalogue.change(from: statement.product, to: statement.nextProduct))
        }
        guard facts.says(.planChange, FactValue.PlanChange.unknown),
            let index = history.index(of: statement.transaction)
        else { return }
        let row = history.rows[index]
        if isAboutCancelled(statement) {
            guard let at = statement.ownTime ?? row.cancellation else { return }
            let other = history.near(at, within: table.parameters.contiguous).first {
                history.rows[$0].transaction != row.transaction && history.rows[$0].product != row.product
            }
            guard let other else { return }
            facts.set(.planChange, catalogue.change(from: row.product, to: history.rows[other].product))
        } else if let last = history.last(before: row.purchase, otherThan: row.transaction) {
            facts.set(.planChange, catalogue.change(from: history.rows[last].product, to: row.product))
        }
    }

    /// Whether the catalogue says that going over from one transaction's product to the other's takes effect at a renewal
    /// only, so that it did not end the first.
    func isLater(_ one: TimelineRow, _ other: TimelineRow) -> Bool {
        table.catalogue?.change(from: one.product, to: other.product).isLater ?? false
    }
}
