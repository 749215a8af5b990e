/// Ids and product names as numbers that are compared in place of the texts.
///
/// Apple's transaction ids are numbers themselves; anything else becomes a hash of 63 bits, which for two texts of one
/// subscription never collides in practice.
enum TimelineID {
    static let none: UInt64 = 0

    /// The number of an id that is written in 1 to 18 digits.
    static func number(_ text: EventText) -> Int64? {
        let bytes = text.bytes
        guard !text.hasEscapes, 1...18 ~= bytes.count, 0x31...0x39 ~= bytes[0] else { return nil }
        return JSONNumber.integer(bytes)
    }

    static func of(number: Int64) -> UInt64 { UInt64(bitPattern: number) & ~(1 << 63) }

    static func of(_ text: EventText) -> UInt64 {
        guard !text.isAbsent, !text.bytes.isEmpty else { return none }
        if let number = number(text) { return of(number: number) }
        var hash = StableHash()
        hash.addWords(text.bytes)
        return hash.mixed | 1 << 63
    }
}
