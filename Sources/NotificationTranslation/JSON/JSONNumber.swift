/// JSON's numbers, kept as text: where one ends, and what it says as an integer.
enum JSONNumber {
    /// The offset after the number that begins at `start`.
    ///
    /// - Throws: `json.invalid-number`. How large it is matters only to who reads it; see ``overflows(_:)``.
    static func end(_ memory: UnsafeRawPointer, from start: Int, to end: Int) throws(JSONFault) -> Int {
        var at = start
        func digit() -> Bool {
            at < end && 0x30...0x39 ~= memory.load(fromByteOffset: at, as: UInt8.self)
        }
        func byte(_ wanted: UInt8) -> Bool {
            at < end && memory.load(fromByteOffset: at, as: UInt8.self) == wanted
        }
        func fail(_ code: JSONFault.Code) -> JSONFault {
            JSONFault(code: at >= end ? .unexpectedEnd : code, offset: min(at, end))
        }
        if byte(0x2D) { at += 1 }
        guard digit() else { throw fail(.invalidNumber) }
        let digits = at
        while digit() { at += 1 }
        if at - digits > 1, memory.load(fromByteOffset: digits, as: UInt8.self) == 0x30 {
            throw JSONFault(code: .invalidNumber, offset: digits)
        }
        if byte(0x2E) {
            at += 1
            guard digit() else { throw fail(.invalidNumber) }
            while digit() { at += 1 }
        }
        if byte(0x65) || byte(0x45) {
            at += 1
            if byte(0x2B) || byte(0x2D) { at += 1 }
            guard digit() else { throw fail(.invalidNumber) }
            while digit() { at += 1 }
        }
        return at
    }

    /// Whether a number is an integer that fits neither `Int64` nor `UInt64`, or beyond the largest finite binary64.
    static func overflows(_ number: UnsafeRawBufferPointer) -> Bool {
        let isWhole = number.allSatisfy { 0x30...0x39 ~= $0 || $0 == 0x2D }
        guard number.count > (isWhole ? 18 : 3) else { return false }
        let text = String(decoding: number, as: UTF8.self)
        return isWhole ? Int64(text) == nil && UInt64(text) == nil : !(Double(text)?.isFinite ?? false)
    }

    /// The value of decimal digits with an optional sign, or `nil` if the bytes are something else or too large.
    @inline(__always)
    static func integer(_ bytes: UnsafeRawBufferPointer) -> Int64? {
        var at = 0
        let negative = bytes.first == 0x2D
        if negative { at = 1 }
        guard at < bytes.count, bytes.count - at <= 18 else {
            let isWhole = bytes.allSatisfy { 0x30...0x39 ~= $0 || $0 == 0x2D }
            return isWhole ? Int64(String(decoding: bytes, as: UTF8.self)) : nil
        }
        var value: Int64 = 0
        while at < bytes.count {
            let digit = bytes[at] &- 0x30
            if digit > 9 { return nil }
            value = value &* 10 &+ Int64(digit)
            at += 1
        }
        return negative ? -value : value
    }

    /// The value of a JSON number rounded to the nearest integer, halves away from zero, by its decimal digits alone.
    ///
    /// `1679679936049.7297` is 1679679936050 and `1.743495457425E12` is 1743495457425: no binary fraction is involved.
    /// `nil` if the bytes are not a number or the value has more than 18 digits.
    static func rounded(_ bytes: UnsafeRawBufferPointer) -> Int64? {
        if let value = integer(bytes) { return value }
        let negative = bytes.first == 0x2D
        let mantissa = bytes.dropFirst(negative ? 1 : 0).prefix { $0 | 0x20 != 0x65 }
        let parts = mantissa.split(separator: 0x2E, maxSplits: 1, omittingEmptySubsequences: false)
        let digits = parts.joined().map { $0 &- 0x30 }
        guard !digits.isEmpty, digits.allSatisfy({ $0 < 10 }) else { return nil }
        var whole = parts[0].count
        if mantissa.endIndex < bytes.count {
            let exponent = bytes[(mantissa.endIndex + 1)...]
            let number = integer(UnsafeRawBufferPointer(rebasing: exponent.dropFirst(exponent.first == 0x2B ? 1 : 0)))
            guard let number, -999...999 ~= number else { return nil }
            whole += Int(number)
        }
        guard whole <= 18 else { return nil }
        var value: Int64 = 0
        for place in 0..<max(0, whole) { value = value * 10 + Int64(place < digits.count ? digits[place] : 0) }
        if whole >= 0, whole < digits.count, digits[whole] >= 5 { value += 1 }
        return negative ? -value : value
    }
}
