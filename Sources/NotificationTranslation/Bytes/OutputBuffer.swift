import NotificationLibC

/// Bytes on their way out: grows, is emptied and is used again without giving its memory back.
///
/// A value of reference kind: one owner at a time fills it. It is `@unchecked Sendable` because a worker hands a
/// filled buffer to the writer and never touches it again before it comes back.
package final class OutputBuffer: @unchecked Sendable {
    private(set) var memory: UnsafeMutableRawPointer
    private(set) var capacity: Int
    // Run-time exclusivity checks cost 3 % of a small record, a quarter of a timeline of small bodies. Other modules
    // would check it all the same: they read `count`.
    @exclusivity(unchecked) private var end = 0

    /// Bytes written so far.
    package var count: Int { end }

    package init(capacity: Int = 64 * 1024) {
        self.capacity = max(capacity, 16)
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
    package func removeAll() { end = 0 }

    /// Makes room for `extra` more bytes.
    package func reserve(_ extra: Int) {
        if capacity - count < extra { grow(by: extra) }
    }

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
        end += source.count
    }

    /// Appends what `fill` writes into room for at most `most` bytes.
    ///
    /// - Returns: False, with nothing appended, if `fill` returns no number of bytes.
    package func append(atMost most: Int, _ fill: (UnsafeMutableRawPointer) -> Int?) -> Bool {
        reserve(most)
        guard let written = fill(memory + count) else { return false }
        end += written
        return true
    }

    /// Appends one byte.
    @inline(__always)
    package func append(_ byte: UInt8) {
        reserve(1)
        memory.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
        end += 1
    }

    /// Appends bytes between quotes.
    package func append(quoted source: UnsafeRawBufferPointer) {
        reserve(source.count + 2)
        (memory + count).storeBytes(of: 0x22, as: UInt8.self)
        if let from = source.baseAddress { memcpy(memory + (count + 1), from, source.count) }
        (memory + count).storeBytes(of: 0x22, toByteOffset: source.count + 1, as: UInt8.self)
        end += source.count + 2
    }

    /// Appends a literal.
    @inline(__always)
    package func append(_ text: StaticString) {
        reserve(text.utf8CodeUnitCount)
        (memory + count).copyMemory(from: text.utf8Start, byteCount: text.utf8CodeUnitCount)
        end += text.utf8CodeUnitCount
    }

    /// Appends a string's UTF-8.
    package func append(_ text: String) { text.utf8.withMemory { append($0) } }

    /// Appends a number in decimal digits.
    package func append(decimal value: Int64) { append(String(value)) }

    /// Appends a number, seven bits a byte, the lowest first.
    func append(varint value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(truncatingIfNeeded: rest))
    }
}

extension Collection<UInt8> {
    /// Calls `body` with the bytes in one piece of memory; copies them only if the collection does not hold them so.
    func withMemory<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let direct: Swift.Result<Result, Failure>? = withContiguousStorageIfAvailable { buffer in
            do throws(Failure) {
                return .success(try body(UnsafeRawBufferPointer(buffer)))
            } catch {
                return .failure(error)
            }
        }
        if let direct { return try direct.get() }
        return try Array(self).span.bytes.withUnsafeBytes(body)
    }
}
