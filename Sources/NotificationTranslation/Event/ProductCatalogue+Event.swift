extension ProductCatalogue {
    /// Whether it has the products that an event names: the one it is about, and the one the plan renews into.
    func names(_ event: inout EventDraft) -> Bool {
        if event.hasTransaction, !event.transactionFields.productID.isAbsent,
            place(event.transactionFields.productID) == nil
        {
            return false
        }
        guard event.hasRenewal, !event.renewalFields.autoRenewProductID.isAbsent else { return true }
        return place(event.renewalFields.autoRenewProductID) != nil
    }
}
