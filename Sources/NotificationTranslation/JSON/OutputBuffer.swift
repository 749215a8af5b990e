#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Bytes on their way out: grows, is emptied and is used again without giving its memory back.
///
/// A value of reference kind: one owner at a time fills it. It is `@unchecked Sendable` because a worker hands a
/// filled buffer to the writer and never touches it again before it comes back.
package final class OutputBuffer: @unchecked Sendable {
    // Every append reads and writes these; as one owner fills a buffer at a time, checking at run time that no access
    // overlaps another would find nothing and costs 3 % of a conversion.
    @exclusivity(unchecked) private(set) var memory: UnsafeMutableRawPointer
    @exclusivity(unchecked) private(set) var capacity: Int
    @exclusivity(unchecked) package private(set) var count = 0

    package init(capacity: Int = 64 * 1024) {
        self.capacity = max(capacity, 1024)
        memory = UnsafeMutableRawPointer.allocate(byteCount: self.capacity, alignment: 16)
    }

    deinit {
        memory.deallocate()
    }

    /// The bytes written so far; valid until the next change.
    package var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: memory, count: count)
    }

    /// Forgets the bytes and keeps the memory.
    package func removeAll() {
        count = 0
    }

    /// Makes room for `extra` more bytes.
    @inline(__always)
    package func reserve(_ extra: Int) {
        if capacity - count < extra { grow(by: extra) }
    }

    @inline(never)
    private func grow(by extra: Int) {
        let wanted = max(capacity * 2, count + extra + 64)
        let larger = UnsafeMutableRawPointer.allocate(byteCount: wanted, alignment: 16)
        larger.copyMemory(from: memory, byteCount: count)
        memory.deallocate()
        memory = larger
        capacity = wanted
    }

    /// Appends bytes.
    package func append(_ source: UnsafeRawBufferPointer) {
        guard let from = source.baseAddress else { return }
        reserve(source.count)
        memcpy(memory + count, from, source.count)
        count += source.count
    }

    /// Appends what `fill` writes into room for at most `most` bytes.
    ///
    /// - Returns: False, with nothing appended, if `fill` returns no number of bytes.
    func append(atMost most: Int, _ fill: (UnsafeMutableRawPointer) -> Int?) -> Bool {
        reserve(most)
        guard let written = fill(memory + count) else { return false }
        count += written
        return true
    }

    /// Appends one byte.
    package func append(_ byte: UInt8) {
        reserve(1)
        memory.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
        count += 1
    }

    /// Appends a literal.
    package func append(_ text: StaticString) {
        append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Appends a string's UTF-8.
    package func append(_ text: String) {
        var text = text
        text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
    }

    /// Appends a number in decimal digits.
    package func append(decimal value: Int64) {
        var digits: (UInt64, UInt64, UInt64) = (0, 0, 0)
        withUnsafeMutableBytes(of: &digits) { room in
            var at = room.count
            var rest = value.magnitude
            repeat {
                at -= 1
                room[at] = UInt8(truncatingIfNeeded: 0x30 + rest % 10)
                rest /= 10
            } while rest != 0
            if value < 0 {
                at -= 1
                room[at] = 0x2D
            }
            append(UnsafeRawBufferPointer(rebasing: room[at...]))
        }
    }
}
