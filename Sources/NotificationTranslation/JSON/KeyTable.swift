/// The keys a decoder knows of one kind of object, found without comparing more than one or two of them.
///
/// Keys are told apart by their length, first eight and last eight bytes; what lies between is compared, eight bytes at
/// a time, when a candidate was found. The table is built once and lives as long as the process.
///
/// A value without references, so that handing it on costs nothing; hence it is never given back, and tables belong in
/// constants.
struct KeyTable: @unchecked Sendable {
    /// The most keys one table can hold: one bit each in ``JSONWalker/Object``.
    static let capacity = 64

    private struct Entry {
        var first: UInt64 = 0
        var last: UInt64 = 0
        /// Of keys longer than 16 bytes: the bytes from the eighth, and those before the last eight.
        var second: UInt64 = 0
        var third: UInt64 = 0
        var count = -1
        var slot = -1
    }

    private static let buckets = 256
    private let entries: UnsafeMutablePointer<Entry>
    private let names: UnsafeMutableBufferPointer<StaticString>

    /// A table in which the key at place n of `names` has slot n.
    init(_ names: [StaticString]) {
        precondition(names.count <= Self.capacity)
        self.names = .allocate(capacity: names.count)
        _ = self.names.initialize(from: names)
        entries = .allocate(capacity: Self.buckets)
        entries.initialize(repeating: Entry(), count: Self.buckets)
        for (slot, name) in names.enumerated() {
            let words = Self.words(name.utf8Start, name.utf8CodeUnitCount, padded: true)
            var bucket = Self.bucket(words.first, words.last, name.utf8CodeUnitCount)
            while entries[bucket].slot >= 0 { bucket = (bucket + 1) % Self.buckets }
            let middle = name.utf8CodeUnitCount > 16 ? Self.middle(name.utf8Start, name.utf8CodeUnitCount) : (0, 0)
            entries[bucket] = Entry(
                first: words.first, last: words.last, second: middle.0, third: middle.1,
                count: name.utf8CodeUnitCount, slot: slot)
        }
    }

    /// The slot of the key, or -1.
    ///
    /// Eight bytes behind the key must be readable.
    @inline(__always)
    func slot(_ key: UnsafePointer<UInt8>, _ count: Int) -> Int {
        let words = Self.words(key, count, padded: false)
        var bucket = Self.bucket(words.first, words.last, count)
        while true {
            let entry = entries[bucket]
            if entry.slot < 0 { return -1 }
            if entry.first == words.first, entry.last == words.last, entry.count == count,
                count <= 16 || matchesMiddle(key, count, entry)
            {
                return entry.slot
            }
            bucket = (bucket + 1) & (Self.buckets - 1)
        }
    }

    /// The slot of a key of at most 32 bytes, or -1: the same in less code, for the loop that most members go through.
    @inline(__always)
    func shortSlot(_ key: UnsafeRawPointer, _ count: Int) -> Int {
        var first = key.loadUnaligned(as: UInt64.self).littleEndian
        var last: UInt64 = 0
        if count >= 8 {
            last = (key + (count &- 8)).loadUnaligned(as: UInt64.self).littleEndian
        } else {
            first &= (1 &<< UInt64(truncatingIfNeeded: 8 &* count)) &- 1
        }
        var bucket = Self.bucket(first, last, count)
        while true {
            let entry = entries + bucket
            if entry.pointee.first == first, entry.pointee.last == last, entry.pointee.count == count {
                if count <= 16 { return entry.pointee.slot }
                if (key + 8).loadUnaligned(as: UInt64.self).littleEndian == entry.pointee.second,
                    (key + (count &- 16)).loadUnaligned(as: UInt64.self).littleEndian == entry.pointee.third
                {
                    return count <= 32 ? entry.pointee.slot : -1
                }
            }
            if entry.pointee.slot < 0 { return -1 }
            bucket = (bucket &+ 1) & (Self.buckets - 1)
        }
    }

    /// How many keys it holds.
    var count: Int { names.count }

    /// The name of a slot.
    func name(_ slot: Int) -> StaticString {
        names[slot]
    }

    @inline(__always)
    private func matchesMiddle(_ key: UnsafePointer<UInt8>, _ count: Int, _ entry: Entry) -> Bool {
        let middle = Self.middle(key, count)
        return middle.0 == entry.second && middle.1 == entry.third
            && (count <= 32 || matchesRest(key, count, entry.slot))
    }

    @inline(never)
    private func matchesRest(_ key: UnsafePointer<UInt8>, _ count: Int, _ slot: Int) -> Bool {
        let name = names[slot].utf8Start
        return (16..<count - 16).allSatisfy { key[$0] == name[$0] }
    }

    @inline(__always)
    private static func middle(_ key: UnsafePointer<UInt8>, _ count: Int) -> (UInt64, UInt64) {
        let raw = UnsafeRawPointer(key)
        return (
            raw.loadUnaligned(fromByteOffset: 8, as: UInt64.self).littleEndian,
            raw.loadUnaligned(fromByteOffset: count - 16, as: UInt64.self).littleEndian
        )
    }

    @inline(__always)
    private static func words(
        _ key: UnsafePointer<UInt8>, _ count: Int, padded: Bool
    ) -> (first: UInt64, last: UInt64) {
        if count >= 8 {
            let raw = UnsafeRawPointer(key)
            return (
                raw.loadUnaligned(as: UInt64.self).littleEndian,
                raw.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self).littleEndian
            )
        }
        if padded {
            var word: UInt64 = 0
            for place in 0..<count { word |= UInt64(key[place]) << UInt64(8 * place) }
            return (word, 0)
        }
        let word = UnsafeRawPointer(key).loadUnaligned(as: UInt64.self).littleEndian
        return (word & ((1 &<< UInt64(8 * count)) &- 1), 0)
    }

    @inline(__always)
    private static func bucket(_ first: UInt64, _ last: UInt64, _ count: Int) -> Int {
        let mixed = (first ^ last &* 0x9E37_79B9_7F4A_7C15 ^ UInt64(truncatingIfNeeded: count)) &* 0xD6E8_FEB8_6659_FD93
        return Int(truncatingIfNeeded: mixed >> 56)
    }
}
