/// Some of the facts there are.
struct FactSet {
    /// Four bits set for each fact.
    fileprivate(set) var words: (UInt64, UInt64, UInt64) = (0, 0, 0)

    init() {}

    /// Adds the fact at a place.
    mutating func insert(_ index: Int) {
        let bits: UInt64 = 15 << (UInt64(index & 15) * 4)
        switch index >> 4 {
        case 0: words.0 |= bits
        case 1: words.1 |= bits
        default: words.2 |= bits
        }
    }
}
