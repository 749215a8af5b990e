import NotificationLibC

extension UnsafeRawBufferPointer {
    /// Where a byte is first found, at `start` or after it and before `end`; looks at many bytes at a time.
    package func offset(of byte: UInt8, from start: Int = 0, to end: Int? = nil) -> Int? {
        let end = end ?? count
        guard start < end, let memory = baseAddress, let found = memchr(memory + start, Int32(byte), end - start)
        else { return nil }
        return UnsafeRawPointer(found) - memory
    }

    /// The index of the next of three bytes; looks at eight at a time, as receipts are most of an archive.
    package func offset(of bytes: (UInt8, UInt8, UInt8), from start: Int) -> Int? {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let patterns = (UInt64(bytes.0) &* ones, UInt64(bytes.1) &* ones, UInt64(bytes.2) &* ones)
        var at = start
        while at + 8 <= count {
            let word = loadUnaligned(fromByteOffset: at, as: UInt64.self).littleEndian
            let found = zeroBytes(word ^ patterns.0) | zeroBytes(word ^ patterns.1) | zeroBytes(word ^ patterns.2)
            if found != 0 { return at + found.trailingZeroBitCount / 8 }
            at += 8
        }
        return at < count ? self[at...].firstIndex { $0 == bytes.0 || $0 == bytes.1 || $0 == bytes.2 } : nil
    }

    /// The index after the decimal digits that begin at an index, which is the same if there are none.
    func endOfDigits(_ start: Int) -> Int {
        self[Swift.min(start, count)...].firstIndex { !(0x30...0x39 ~= $0) } ?? count
    }

    /// Whether a text is anywhere in it.
    package func holds(_ text: StaticString) -> Bool { offset(of: text, from: 0) != nil }

    /// Where a text of two bytes or more is first found, at `start` or after it.
    ///
    /// Looked for by its first and its last byte, 16 offsets at a time. Where case is ignored it consists of lowercase
    /// letters.
    package func offset(of text: StaticString, from start: Int, ignoresCase: Bool = false) -> Int? {
        let length = text.utf8CodeUnitCount
        let (first, last) = (text.utf8Start[0], text.utf8Start[length - 1])
        let caseBit: UInt8 = ignoresCase ? 0x20 : 0
        let caseBits = SIMD16<UInt8>(repeating: caseBit)
        let (firsts, lasts) = (SIMD16<UInt8>(repeating: first), SIMD16<UInt8>(repeating: last))
        var at = start
        while at + length <= count {
            if at + length + 15 <= count {
                let heads = loadUnaligned(fromByteOffset: at, as: SIMD16<UInt8>.self) | caseBits .== firsts
                let tails =
                    loadUnaligned(fromByteOffset: at + length - 1, as: SIMD16<UInt8>.self) | caseBits .== lasts
                let found = unsafeBitCast(heads .& tails, to: SIMD2<UInt64>.self)
                if found[0] | found[1] == 0 {
                    at += 16
                    continue
                }
            }
            for _ in 0..<16 where at + length <= count {
                if self[at] | caseBit == first,
                    (0..<length).allSatisfy({ self[at + $0] | caseBit == text.utf8Start[$0] })
                {
                    return at
                }
                at += 1
            }
        }
        return nil
    }
}

extension StaticString {
    var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: utf8Start, count: utf8CodeUnitCount) }
}

/// Strict UTF-8 (RFC 3629): no overlong forms, no surrogates, nothing above U+10FFFF.
enum UTF8Check {
    /// The offset of the first byte that begins no valid sequence, or `nil`; called only for stretches that are not all
    /// ASCII.
    static func firstFault(in memory: UnsafeRawPointer, from start: Int, to end: Int) -> Int? {
        var at = start
        while at < end {
            if memory.load(fromByteOffset: at, as: UInt8.self) < 0x80 {
                at += 1
                continue
            }
            var bytes = UnsafeRawBufferPointer(start: memory + at, count: min(4, end - at)).makeIterator()
            var parser = Unicode.UTF8.ForwardParser()
            guard case .valid(let scalar) = parser.parseScalar(from: &bytes) else { return at }
            at += scalar.count
        }
        return nil
    }
}

/// The top bit of every byte that is zero, and perhaps of others above the first one.
private func zeroBytes(_ word: UInt64) -> UInt64 {
    (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080
}

extension Array {
    /// The index from which on a condition holds for all elements (partition point); the count if there is none.
    package func partitioningIndex(where holds: (Element) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if holds(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
