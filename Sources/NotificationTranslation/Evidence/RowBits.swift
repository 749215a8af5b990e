/// The first byte of a transaction in ``Evidence``.
struct RowBits: OptionSet {
    let rawValue: UInt8

    /// The id is a number, written as the distance from the last one.
    static let numericID = Self(rawValue: 1)
    /// It ends where the newer one begins.
    static let contiguous = Self(rawValue: 2)
    static let expires = Self(rawValue: 4)
    static let cancelled = Self(rawValue: 8)
    static let upgraded = Self(rawValue: 16)
    static let offer = Self(rawValue: 32)
    static let trial = Self(rawValue: 64)
    static let introductory = Self(rawValue: 128)
}
