import NotificationLibC

/// A scalar's place in the scanned memory: of a string what is between the quotes, else the literal itself.
///
/// Eight bytes, no reference, no copy. The highest bit of `bound` says that a backslash is in the range, so that
/// whoever copies it knows whether the bytes are the characters.
struct JSONText: Hashable, Sendable {
    private(set) var lower: UInt32
    private var bound: UInt32

    /// Set in `bound` if the text holds a backslash; the other bits are the offset of its end.
    static let escapeMark: UInt32 = 0x8000_0000

    /// No such value. (A value never starts at offset 0: something has to open it.)
    static let absent = JSONText(lower: 0, bound: 0)

    var start: Int { Int(lower) }
    var end: Int { Int(bound & ~Self.escapeMark) }
    var count: Int { end - start }
    var hasEscapes: Bool { bound & Self.escapeMark != 0 }
    /// The number of bytes, with the same mark in the highest bit.
    var measure: UInt32 { bound &- lower }
    var isAbsent: Bool { bound == 0 }
    /// Absent or the empty string: Apple's archives hold both for "not there".
    var isBlank: Bool { count == 0 }
}

extension JSONText {
    init(_ lower: Int, _ upper: Int, escaped: Bool) {
        self.init(lower, marked: UInt32(truncatingIfNeeded: upper) | (escaped ? Self.escapeMark : 0))
    }

    /// A text from an offset to an end that has its mark already.
    init(_ lower: Int, marked bound: UInt32) {
        self.init(lower: UInt32(truncatingIfNeeded: lower), bound: bound)
    }

    /// Whether two ranges are the same characters.
    func hasSameCharacters(as other: JSONText, in memory: UnsafeRawPointer) -> Bool {
        if hasEscapes || other.hasEscapes {
            return KeyLog.characters(self, memory) == KeyLog.characters(other, memory)
        }
        return count == other.count && memcmp(memory + start, memory + other.start, count) == 0
    }

    /// Calls `body` with the characters, which are copied only where escapes are among them.
    func withCharacters<Result, Failure: Error>(
        in memory: UnsafeRawPointer, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        guard hasEscapes else { return try body(UnsafeRawBufferPointer(start: memory + start, count: count)) }
        return try KeyLog.characters(self, memory).span.bytes.withUnsafeBytes(body)
    }
}
