/// The order in which the keys of one kind of object came last, to be tried first when the next one is read.
///
/// Whoever wrote an archive wrote the keys of every transaction in one order, whichever it is. So which key follows is
/// known before it is read: a look at the bytes confirms it, and neither its length nor its hash is needed.
///
///     {"quantity":"1","product_id":"a"}    learnt: begin → quantity → product_id
///     {"quantity":"1","product_id":"b"}    each key is where it was expected
///
/// A guess that fails costs that look and is replaced by what was found. Bodies with a space after each colon and
/// those without keep an order each, as archives hold both.
///
/// A value without references, so that handing it on costs nothing; the memory is its maker's, and it serves one
/// walker at a time.
struct KeyOrder: @unchecked Sendable {
    let table: KeyTable
    private let following: UnsafeMutablePointer<UnsafePointer<KeyTable.Form>>

    /// Words of memory that the order of a table takes.
    static func words(_ table: KeyTable) -> Int { 2 * (table.count + 1) }

    /// The order of nothing read yet.
    init(_ table: KeyTable, _ memory: UnsafeMutablePointer<UnsafePointer<KeyTable.Form>>) {
        self.table = table
        following = memory
        following.initialize(repeating: table.anyForm, count: Self.words(table))
    }

    /// Where the follower of the key of a slot is kept; slot -1 is the beginning of an object.
    static func place(after slot: Int, spaces: Int) -> Int { 2 &* (slot &+ 1) &+ spaces }

    /// The key expected at a place.
    subscript(place: Int) -> UnsafePointer<KeyTable.Form> {
        get { following[place] }
        nonmutating set { following[place] = newValue }
    }
}
