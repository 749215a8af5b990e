/// The names of a table's rows with their numbers, found by their bytes.
///
/// Rules name pairs, flags and types two thousand times; looked up here, a name need not become a string first. Names
/// are distinguished as strings are: those that hold more than ASCII, which Apple has none of, are compared one by one.
struct NameIndex: Sendable {
    private struct Entry {
        var start: Int32
        var end: Int32
        var number: Int32
    }

    private let ignoresCase: Bool
    /// All names, concatenated, in upper case if the case does not matter.
    private var bytes: [UInt8] = []
    private var entries: [Entry] = []
    /// Places in `entries`, found by the hash of the name; a power of two, at least twice as many as entries.
    private var buckets: [Int32]
    private var isASCII = true

    /// An index of nothing.
    ///
    /// - Parameters:
    ///   - count: How many names there are going to be, about.
    ///   - ignoresCase: Whether names are found whatever the case of their letters.
    init(count: Int, ignoresCase: Bool = false) {
        self.ignoresCase = ignoresCase
        var room = 16
        while room < count * 2 { room *= 2 }
        buckets = Array(repeating: -1, count: room)
        entries.reserveCapacity(count)
        bytes.reserveCapacity(count * 32)
    }

    /// Adds a name; false if it is there already.
    mutating func insert(_ name: UnsafeBufferPointer<UInt8>, _ number: Int) -> Bool {
        guard self.number(of: name) == nil else { return false }
        let start = bytes.count
        if Self.isASCII(name) {
            bytes.append(contentsOf: name)
            if ignoresCase { for place in start..<bytes.count { bytes[place] = Self.upper(bytes[place]) } }
        } else {
            isASCII = false
            let text = String(decoding: name, as: UTF8.self)
            bytes.append(contentsOf: (ignoresCase ? text.uppercased() : text).utf8)
        }
        entries.append(Entry(start: Int32(start), end: Int32(bytes.count), number: Int32(number)))
        if entries.count * 2 > buckets.count {
            buckets = Array(repeating: -1, count: buckets.count * 2)
            for entry in entries.indices { place(entry) }
        } else {
            place(entries.count - 1)
        }
        return true
    }

    /// Adds a name; false if it is there already.
    mutating func insert(_ name: String, _ number: Int) -> Bool {
        var name = name
        return name.withUTF8 { insert($0, number) }
    }

    /// The number of a name.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - exactly: Whether it must be the name as it is kept, in upper case if the case does not matter otherwise.
    /// - Returns: The number it was added with; `nil` if it was not.
    func number(of name: UnsafeBufferPointer<UInt8>, exactly: Bool = false) -> Int? {
        let found: Int? = bytes.withUnsafeBufferPointer { bytes in
            var bucket = bucket(name)
            while buckets[bucket] >= 0 {
                let entry = entries[Int(buckets[bucket])]
                let kept = UnsafeBufferPointer(rebasing: bytes[Int(entry.start)..<Int(entry.end)])
                if kept.hasSameBytes(as: name) || ignoresCase && !exactly && Self.isUpper(kept, of: name) {
                    return Int(entry.number)
                }
                bucket = (bucket + 1) & (buckets.count - 1)
            }
            return nil
        }
        if found != nil || isASCII && Self.isASCII(name) { return found }
        var wanted = String(decoding: name, as: UTF8.self)
        if ignoresCase, !exactly { wanted = wanted.uppercased() }
        return entries.first { String(decoding: bytes[Int($0.start)..<Int($0.end)], as: UTF8.self) == wanted }
            .map { Int($0.number) }
    }

    /// The number of a name.
    func number(of name: String, exactly: Bool = false) -> Int? {
        var name = name
        return name.withUTF8 { number(of: $0, exactly: exactly) }
    }

    /// The number of a name in a table; `nil` also if it is not a string.
    func number(of name: JSONTree, exactly: Bool = false) -> Int? {
        guard name.kind == .string else { return nil }
        return name.withCharacters { number(of: $0, exactly: exactly) }
    }

    private mutating func place(_ entry: Int) {
        let name = entries[entry]
        var bucket = bytes.withUnsafeBufferPointer {
            self.bucket(UnsafeBufferPointer(rebasing: $0[Int(name.start)..<Int(name.end)]))
        }
        while buckets[bucket] >= 0 { bucket = (bucket + 1) & (buckets.count - 1) }
        buckets[bucket] = Int32(entry)
    }

    /// Where the search for a name begins: by its length and its ends, without the bit that distinguishes upper from
    /// lower case.
    private func bucket(_ name: UnsafeBufferPointer<UInt8>) -> Int {
        var first: UInt64 = 0
        var last: UInt64 = 0
        if name.count >= 8 {
            let memory = UnsafeRawBufferPointer(name)
            first = memory.loadUnaligned(as: UInt64.self).littleEndian
            last = memory.loadUnaligned(fromByteOffset: name.count - 8, as: UInt64.self).littleEndian
        } else {
            for byte in name { first = first << 8 | UInt64(byte) }
        }
        let caseless: UInt64 = 0xDFDF_DFDF_DFDF_DFDF
        let word = first & caseless ^ (last & caseless) &* 0x9E37_79B9_7F4A_7C15 ^ UInt64(name.count)
        let mixed = word &* 0xD6E8_FEB8_6659_FD93
        return Int(truncatingIfNeeded: mixed >> 40) & (buckets.count - 1)
    }

    private static func isASCII(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        var all: UInt8 = 0
        for byte in name { all |= byte }
        return all < 0x80
    }

    private static func isUpper(_ upper: UnsafeBufferPointer<UInt8>, of name: UnsafeBufferPointer<UInt8>) -> Bool {
        upper.count == name.count && zip(upper, name).allSatisfy { $0 == Self.upper($1) }
    }

    private static func upper(_ byte: UInt8) -> UInt8 { 0x61...0x7A ~= byte ? byte & 0xDF : byte }
}
