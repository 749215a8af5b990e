#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The memory that ranges belong to, and what can be asked of a range.
struct TextView {
    let memory: UnsafeRawPointer

    /// The bytes of a range as they stand, escapes not resolved.
    @inline(__always)
    func bytes(_ text: JSONText) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: memory + text.start, count: text.count)
    }

    /// Whether two ranges are the same characters.
    func same(_ one: JSONText, _ other: JSONText) -> Bool {
        if one.hasEscapes || other.hasEscapes {
            return KeyLog.characters(one, memory) == KeyLog.characters(other, memory)
        }
        return one.count == other.count && Self.same(memory + one.start, memory + other.start, one.count)
    }

    /// Whether bytes are the same; ids and products, which have eight to 32, are compared in two overlapping steps.
    @inline(__always)
    private static func same(_ one: UnsafeRawPointer, _ other: UnsafeRawPointer, _ count: Int) -> Bool {
        if 8...16 ~= count {
            let first = one.loadUnaligned(as: UInt64.self) ^ other.loadUnaligned(as: UInt64.self)
            let end = count &- 8
            let last = (one + end).loadUnaligned(as: UInt64.self) ^ (other + end).loadUnaligned(as: UInt64.self)
            return first | last == 0
        }
        if 17...32 ~= count {
            typealias Half = SIMD16<UInt8>
            let first = one.loadUnaligned(as: Half.self) ^ other.loadUnaligned(as: Half.self)
            let end = count &- 16
            let last = (one + end).loadUnaligned(as: Half.self) ^ (other + end).loadUnaligned(as: Half.self)
            let rest = unsafeBitCast(first | last, to: SIMD2<UInt64>.self)
            return rest[0] | rest[1] == 0
        }
        return memcmp(one, other, count) == 0
    }

    @inline(__always)
    func same(_ text: JSONText, _ word: StaticString) -> Bool {
        text.count == word.utf8CodeUnitCount && memcmp(memory + text.start, word.utf8Start, text.count) == 0
    }

    /// Whether a range is the characters of a table's name.
    @inline(__always)
    func same(_ text: JSONText, _ name: EventText) -> Bool {
        guard let start = name.bytes.baseAddress, name.bytes.count == text.count else { return false }
        return memcmp(memory + text.start, start, text.count) == 0
    }

    /// Whether one row of a table comes after another by the bytes of their slots, those from a slot on first; `nil` for
    /// rows that hold the same.
    func comesAfter(_ table: TextTable, _ one: Int, _ other: Int, from slot: Int = 0) -> Bool? {
        for place in 0..<table.width {
            let slot = (place + slot) % table.width
            let (first, second) = (bytes(table[one, slot]), bytes(table[other, slot]))
            if second.lexicographicallyPrecedes(first) { return true }
            if first.lexicographicallyPrecedes(second) { return false }
        }
        return nil
    }

    /// The characters of a range.
    func string(_ text: JSONText) -> String {
        text.hasEscapes
            ? String(decoding: KeyLog.characters(text, memory), as: UTF8.self)
            : String(decoding: bytes(text), as: UTF8.self)
    }

    /// V1's truth values: `true`, `"true"`, `1` and `"1"`, and their opposites; `nil` for anything else.
    func truth(_ text: JSONText) -> Bool? {
        switch text.count {
        case 1:
            switch last(text) {
            case 0x30: return false
            case 0x31: return true
            default: return nil
            }
        case 4: return word(text) == 0x6575_7274 ? true : nil
        case 5: return word(text) == 0x736C_6166 && last(text) == 0x65 ? false : nil
        default: return nil
        }
    }

    /// The first four bytes, the first one lowest.
    @inline(__always)
    private func word(_ text: JSONText) -> UInt32 {
        memory.loadUnaligned(fromByteOffset: text.start, as: UInt32.self).littleEndian
    }

    /// The last byte.
    @inline(__always)
    private func last(_ text: JSONText) -> UInt8 {
        memory.load(fromByteOffset: text.end &- 1, as: UInt8.self)
    }

    /// A whole number, written in digits or as a JSON number of any form; `nil` for anything else.
    func integer(_ text: JSONText) -> Int64? {
        text.isBlank ? nil : JSONNumber.rounded(bytes(text))
    }
}
