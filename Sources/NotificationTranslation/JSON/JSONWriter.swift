import SystemLibC

/// Writes one stretch of JSON to the end of an ``OutputBuffer``: compact, UTF-8, only what must be escaped escaped.
///
/// Between ``init(_:)`` and ``finish()`` the end of the buffer is a local pointer here, so that a piece costs a
/// comparison with the end of the room and a few stores. No other face of the buffer may be used meanwhile.
/// ``LineWriter`` does without the comparisons where a whole event is written.
struct JSONWriter {
    private let output: OutputBuffer
    private var at: UnsafeMutableRawPointer
    private var limit: UnsafeMutableRawPointer

    init(_ output: OutputBuffer) {
        self.output = output
        (at, limit) = output.room
    }

    /// Makes what was written part of the buffer.
    func finish() {
        output.end(at: at)
    }

    /// The position in the buffer of the next byte.
    var position: Int { output.position(of: at) }

    /// Makes sure that `count` bytes can be written.
    @inline(__always)
    private mutating func reserve(_ count: Int) {
        if limit - at < count { (at, limit) = output.moreRoom(count, from: at) }
    }

    /// Writes what is JSON already.
    @inline(__always)
    mutating func literal(_ text: StaticString) {
        let count = text.utf8CodeUnitCount
        reserve(count)
        at.copyMemory(from: text.utf8Start, byteCount: count)
        at += count
    }

    /// Writes bytes that are JSON already.
    mutating func raw(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress else { return }
        reserve(bytes.count)
        memcpy(at, start, bytes.count)
        at += bytes.count
    }

    /// Writes a string, or `null` if it is absent.
    mutating func text(_ text: EventText) {
        let bytes = text.bytes
        guard let start = bytes.baseAddress else {
            literal("null")
            return
        }
        reserve((text.hasEscapes ? Self.mostRewritten(bytes.count) : bytes.count) + 2)
        at.storeBytes(of: 0x22, as: UInt8.self)
        at += 1
        if text.hasEscapes {
            at = Self.rewrite(start, bytes.count, to: at)
        } else {
            memcpy(at, start, bytes.count)
            at += bytes.count
        }
        at.storeBytes(of: 0x22, as: UInt8.self)
        at += 1
    }

    /// The most bytes that ``rewrite(_:_:to:)`` writes for a text, whatever its bytes are.
    static func mostRewritten(_ count: Int) -> Int { count * 6 }

    /// Writes the inside of a string with escapes as this package writes it, however it was written before: of a string
    /// of JSON never more bytes, of any other at most ``mostRewritten(_:)``.
    @inline(never)
    static func rewrite(
        _ start: UnsafeRawPointer, _ count: Int, to target: UnsafeMutableRawPointer
    ) -> UnsafeMutableRawPointer {
        guard memchr(start, 0x5C, count) != nil else {
            memcpy(target, start, count)
            return target + count
        }
        var at = target
        JSONEscapes.unescape(start, from: 0, to: count) { characters in
            JSONEscapes.escape(characters) { piece in
                guard let start = piece.baseAddress else { return }
                memcpy(at, start, piece.count)
                at += piece.count
            }
        }
        return at
    }

    /// Writes a whole number, or `null`.
    mutating func number(_ value: Int64?) {
        guard let value else {
            literal("null")
            return
        }
        reserve(DecimalText.longest)
        at = DecimalText.write(value, to: at)
    }

    /// Writes a truth value, or `null`.
    mutating func bool(_ value: Bool?) {
        switch value {
        case true?: literal("true")
        case false?: literal("false")
        case nil: literal("null")
        }
    }

    /// Writes an instant in RFC 3339 form, or `null`.
    mutating func time(_ milliseconds: Int64?) {
        guard let milliseconds else {
            literal("null")
            return
        }
        reserve(26)
        at = Self.write(time: milliseconds, to: at)
    }

    /// Writes the 26 bytes of an instant.
    static func write(time milliseconds: Int64, to target: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
        target.storeBytes(of: 0x22, as: UInt8.self)
        let words = CivilTime.words(milliseconds)
        target.storeBytes(of: words.0.littleEndian, toByteOffset: 1, as: UInt64.self)
        target.storeBytes(of: words.1.littleEndian, toByteOffset: 9, as: UInt64.self)
        target.storeBytes(of: words.2.littleEndian, toByteOffset: 17, as: UInt64.self)
        target.storeBytes(of: 0x22, toByteOffset: 25, as: UInt8.self)
        return target + 26
    }

    /// Writes the 38 bytes of a UUID.
    static func write(id: EventID, to target: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
        target.storeBytes(of: 0x22, as: UInt8.self)
        id.write(to: target + 1)
        target.storeBytes(of: 0x22, toByteOffset: 37, as: UInt8.self)
        return target + 38
    }

    // MARK: Canonical texts, which are not JSON

    /// Writes the characters of a text, and nothing if it is absent.
    @inline(__always)
    mutating func characters(_ text: EventText) {
        let bytes = text.bytes
        guard let start = bytes.baseAddress else { return }
        reserve(bytes.count)
        if text.hasEscapes {
            at = Self.unescape(start, bytes.count, to: at)
        } else {
            memcpy(at, start, bytes.count)
            at += bytes.count
        }
    }

    @inline(never)
    private static func unescape(
        _ start: UnsafeRawPointer, _ count: Int, to target: UnsafeMutableRawPointer
    ) -> UnsafeMutableRawPointer {
        var at = target
        JSONEscapes.unescape(start, from: 0, to: count) { piece in
            guard let start = piece.baseAddress else { return }
            memcpy(at, start, piece.count)
            at += piece.count
        }
        return at
    }

    /// Writes the 16 bytes of a UUID.
    mutating func bytes(of id: EventID) {
        reserve(16)
        at.storeBytes(of: id.high.bigEndian, as: UInt64.self)
        at.storeBytes(of: id.low.bigEndian, toByteOffset: 8, as: UInt64.self)
        at += 16
    }
}
