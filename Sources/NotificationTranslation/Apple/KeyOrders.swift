/// The orders in which one decoder met the keys of each kind of object.
final class KeyOrders {
    private let memory: UnsafeMutablePointer<UnsafePointer<KeyTable.Form>>
    let root: KeyOrder
    /// Of five keys no order is kept.
    let unified = V1Keys.unified
    let row: KeyOrder
    let pending: KeyOrder
    let transaction: KeyOrder
    let renewal: KeyOrder
    let appTransaction: KeyOrder

    init() {
        let tables = [
            V1Keys.root, V1Keys.row, V1Keys.pending, V2Keys.transaction, V2Keys.renewal, V2Keys.appTransaction,
        ]
        memory = .allocate(capacity: tables.reduce(0) { $0 + KeyOrder.words($1) })
        var free = memory
        func order(_ table: KeyTable) -> KeyOrder {
            defer { free += KeyOrder.words(table) }
            return KeyOrder(table, free)
        }
        root = order(V1Keys.root)
        row = order(V1Keys.row)
        pending = order(V1Keys.pending)
        transaction = order(V2Keys.transaction)
        renewal = order(V2Keys.renewal)
        appTransaction = order(V2Keys.appTransaction)
    }

    deinit {
        memory.deallocate()
    }
}
