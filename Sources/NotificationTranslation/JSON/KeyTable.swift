/// The keys a decoder knows of one kind of object, found without comparing more than one or two of them.
///
/// Keys are distinguished by their length, first eight and last eight bytes; what is between is compared when a
/// candidate was found. The table is built once and lives as long as the process.
///
/// A value without references, so that handing it on costs nothing; hence it is never given back, and tables belong in
/// constants.
struct KeyTable: @unchecked Sendable {
    /// The most keys one table can hold: one bit each in ``JSONWalker/Object``.
    static let capacity = 64

    private struct Entry {
        var first: UInt64 = 0
        var last: UInt64 = 0
        var count = -1
        var slot = -1
    }

    private static let buckets = 256
    private let entries: UnsafeMutablePointer<Entry>
    private let names: UnsafeMutableBufferPointer<EventText>

    /// A table in which the key at place n of `names` has slot n.
    init(_ names: [StaticString]) { self.init(names.map { EventText($0) }) }

    /// A table of the cases of a list, whose raw values are the slots: the name of a case is the key, once `spelling` has
    /// changed it.
    init<Key: CaseIterable>(_ keys: Key.Type, spelling: (String) -> String = { $0 }) {
        self.init(keeping: keys.allCases.map { spelling("\($0)") })
    }

    /// A table of names that are not literals.
    init(keeping names: some Sequence<String>) { self.init(names.map { KeptText($0).text }) }

    private init(_ names: [EventText]) {
        precondition(names.count <= Self.capacity)
        self.names = .allocate(capacity: names.count)
        _ = self.names.initialize(from: names)
        entries = .allocate(capacity: Self.buckets)
        entries.initialize(repeating: Entry(), count: Self.buckets)
        for (slot, name) in names.enumerated() {
            let padded = Array(name.bytes) + [UInt8](repeating: 0, count: 8)
            let words = padded.withUnsafeBufferPointer { name in
                name.baseAddress.map { Self.words($0, name.count - 8) } ?? (first: 0, last: 0)
            }
            var bucket = Self.bucket(words.first, words.last, name.bytes.count)
            while entries[bucket].slot >= 0 { bucket = (bucket + 1) % Self.buckets }
            entries[bucket] = Entry(first: words.first, last: words.last, count: name.bytes.count, slot: slot)
        }
    }

    /// The slot of a key of a text, however it is written there; -1 if it is none of the table's.
    func slot(of key: JSONText, _ memory: UnsafeRawPointer) -> Int {
        guard !key.hasEscapes else { return slot(of: KeyLog.characters(key, memory)) }
        return slot((memory + key.start).assumingMemoryBound(to: UInt8.self), key.count)
    }

    /// The slot of a key of those characters; -1 if it is none of the table's.
    func slot(of key: [UInt8]) -> Int {
        (key + [UInt8](repeating: 0, count: 8)).withUnsafeBufferPointer { bytes in
            bytes.baseAddress.map { slot($0, key.count) } ?? -1
        }
    }

    /// Whether it has a key of those characters.
    func holds(_ key: [UInt8]) -> Bool { slot(of: key) >= 0 }

    /// The slot of the key, or -1.
    ///
    /// Eight bytes after the key must be readable.
    @inline(__always)
    func slot(_ key: UnsafePointer<UInt8>, _ count: Int) -> Int {
        let words = Self.words(key, count)
        var bucket = Self.bucket(words.first, words.last, count)
        while true {
            let entry = entries + bucket
            if entry.pointee.slot < 0 { return -1 }
            if entry.pointee.first == words.first, entry.pointee.last == words.last, entry.pointee.count == count,
                count <= 16 || Self.sameMiddle(key, names[entry.pointee.slot].bytes, count)
            {
                return entry.pointee.slot
            }
            bucket = (bucket &+ 1) & (Self.buckets - 1)
        }
    }

    /// Whether two texts agree between their first and their last eight bytes; `memcmp` took 4.2 % of the samples on typical bodies.
    @inline(__always)
    private static func sameMiddle(_ key: UnsafeRawPointer, _ name: UnsafeRawBufferPointer, _ count: Int) -> Bool {
        var at = 8
        while at &+ 8 < count {
            let word = key.loadUnaligned(fromByteOffset: at, as: UInt64.self)
            if word != name.loadUnaligned(fromByteOffset: at, as: UInt64.self) { return false }
            at &+= 8
        }
        return true
    }

    var count: Int { names.count }

    func name(_ slot: Int) -> String { String(decoding: names[slot].bytes, as: UTF8.self) }

    /// The key at a slot, which lives as long as the process.
    func text(_ slot: Int) -> EventText { names[slot] }

    /// All keys, in the order of their slots.
    var allNames: [String] { (0..<count).map(name) }

    @inline(__always)
    private static func words(_ key: UnsafePointer<UInt8>, _ count: Int) -> (first: UInt64, last: UInt64) {
        if count >= 8 {
            let raw = UnsafeRawPointer(key)
            return (
                raw.loadUnaligned(as: UInt64.self).littleEndian,
                raw.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self).littleEndian
            )
        }
        let word = UnsafeRawPointer(key).loadUnaligned(as: UInt64.self).littleEndian
        return (word & ((1 &<< UInt64(truncatingIfNeeded: 8 &* count)) &- 1), 0)
    }

    @inline(__always)
    private static func bucket(_ first: UInt64, _ last: UInt64, _ count: Int) -> Int {
        let mixed = (first ^ last &* 0x9E37_79B9_7F4A_7C15 ^ UInt64(truncatingIfNeeded: count)) &* 0xD6E8_FEB8_6659_FD93
        return Int(truncatingIfNeeded: mixed >> 56)
    }
}
