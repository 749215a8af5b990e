import NotificationLibC

/// A text on its way into an event: a place in memory, nothing copied.
///
/// Valid as long as the memory it points into: the record being converted, the decoder's own, or that of a table,
/// which lives as long as the process. It never leaves the call that converts the record.
package struct EventText: Equatable, ExpressibleByStringLiteral {
    private let start: UnsafeRawPointer?
    private let length: UInt32
    /// Whether the bytes are the inside of a JSON string with escapes, rather than the characters themselves.
    package let hasEscapes: Bool

    /// No text: `null` in the event.
    package static var absent: EventText { EventText(UnsafeRawBufferPointer(start: nil, count: 0)) }

    /// Whether both are the same bytes.
    package func hasSameBytes(as other: EventText) -> Bool {
        guard let start, let otherStart = other.start, length == other.length else { return false }
        return memcmp(start, otherStart, Int(length)) == 0
    }

    /// A literal.
    package init(_ text: StaticString) { self.init(UnsafeRawBufferPointer(text.bytes)) }

    /// A scalar of a record; a blank one counts as absent, as V1 writes both.
    init(_ text: JSONText, in memory: UnsafeRawPointer) {
        start = text.isBlank ? nil : memory + text.start
        length = UInt32(truncatingIfNeeded: text.count)
        hasEscapes = text.hasEscapes
    }

    /// Characters that are in memory as they are, or the inside of a JSON string.
    package init(_ bytes: UnsafeRawBufferPointer, hasEscapes: Bool = false) {
        start = bytes.baseAddress
        length = UInt32(truncatingIfNeeded: bytes.count)
        self.hasEscapes = hasEscapes
    }

    package var isAbsent: Bool { start == nil }

    package var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: start, count: Int(length))
    }

    /// Whether the characters are as they are and JSON wants some of them escaped.
    var needsEscapes: Bool {
        !hasEscapes && bytes.contains { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C }
    }

    /// Appends the characters as they are inside a JSON string.
    package func appendCharacters(to output: OutputBuffer) {
        hasEscapes ? output.append(bytes) : JSONEscapes.escape(bytes) { output.append($0) }
    }

    /// The characters; `nil` if absent.
    package var string: String? {
        guard let start else { return nil }
        guard hasEscapes else { return String(decoding: bytes, as: UTF8.self) }
        var characters: [UInt8] = []
        JSONEscapes.unescape(start, from: 0, to: Int(length)) { characters.append(contentsOf: $0) }
        return String(decoding: characters, as: UTF8.self)
    }

    package init(stringLiteral text: StaticString) { self.init(text) }

    /// Whether both are absent, or the same bytes.
    package static func == (one: EventText, other: EventText) -> Bool {
        one.isAbsent && other.isAbsent || one.hasSameBytes(as: other)
    }
}

/// A text that is kept for the life of the process: names of a table that many events repeat.
struct KeptText: @unchecked Sendable {
    private let storage: UnsafeRawBufferPointer

    init(_ text: String) {
        storage = text.utf8.withMemory { bytes in
            let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, bytes.count), alignment: 1)
            memory.copyMemory(from: bytes)
            return UnsafeRawBufferPointer(start: memory.baseAddress, count: bytes.count)
        }
    }

    var text: EventText { EventText(storage) }
}
