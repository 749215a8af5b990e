/// The keys a decoder knows of one kind of object, found without comparing more than one or two of them.
///
/// Keys are looked for by their length, first eight and last eight bytes. When a candidate was found, the eight bytes
/// beside those are compared, and all of a key of more than 32. The table is built once and lives as long as the
/// process.
///
/// A value without references, so that handing it on costs nothing; hence it is never given back, and tables belong in
/// constants.
struct KeyTable: @unchecked Sendable {
    /// The most keys one table can hold: one bit each in ``JSONWalker/Container``.
    static let capacity = 64

    private struct Entry {
        var first: UInt64 = 0
        var last: UInt64 = 0
        /// The words beside those, of keys of more than 16 bytes.
        var second: UInt64 = 0
        var nextToLast: UInt64 = 0
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
            padded.withUnsafeBufferPointer { bytes in
                guard let key = bytes.baseAddress else { return }
                let count = name.bytes.count
                let (first, last) = Self.words(key, count)
                var bucket = Self.bucket(first, last, count)
                while entries[bucket].slot >= 0 { bucket = (bucket + 1) % Self.buckets }
                let inner = count > 16 ? (Self.word(key, at: 8), Self.word(key, at: count - 16)) : (0, 0)
                entries[bucket] = Entry(
                    first: first, last: last, second: inner.0, nextToLast: inner.1, count: count, slot: slot)
            }
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
            if entry.pointee.first == words.first, entry.pointee.last == words.last, entry.pointee.count == count,
                count <= 16 || hasInner(entry, key, count)
            {
                return entry.pointee.slot
            }
            if entry.pointee.slot < 0 { return -1 }
            bucket = (bucket &+ 1) & (Self.buckets - 1)
        }
    }

    /// Whether a key agrees with a candidate between the first and the last eight bytes; a loop over the words took
    /// 5 % of the samples of large bodies.
    @inline(__always)
    private func hasInner(_ entry: UnsafePointer<Entry>, _ key: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        Self.word(key, at: 8) == entry.pointee.second && Self.word(key, at: count &- 16) == entry.pointee.nextToLast
            && (count <= 32
                || names[entry.pointee.slot].bytes.elementsEqual(UnsafeBufferPointer(start: key, count: count)))
    }

    @inline(__always)
    private static func word(_ key: UnsafePointer<UInt8>, at offset: Int) -> UInt64 {
        UnsafeRawPointer(key).loadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian
    }

    var count: Int { names.count }

    func name(_ slot: Int) -> String { String(decoding: names[slot].bytes, as: UTF8.self) }

    /// The key at a slot, which lives as long as the process.
    func text(_ slot: Int) -> EventText { names[slot] }

    /// All keys, in the order of their slots.
    var allNames: [String] { (0..<count).map(name) }

    @inline(__always)
    private static func words(_ key: UnsafePointer<UInt8>, _ count: Int) -> (first: UInt64, last: UInt64) {
        if count >= 8 { return (word(key, at: 0), word(key, at: count &- 8)) }
        return (word(key, at: 0) & ((1 &<< UInt64(truncatingIfNeeded: 8 &* count)) &- 1), 0)
    }

    @inline(__always)
    private static func bucket(_ first: UInt64, _ last: UInt64, _ count: Int) -> Int {
        let mixed = (first &+ last &+ UInt64(truncatingIfNeeded: count)) &* 0xD6E8_FEB8_6659_FD93
        return Int(truncatingIfNeeded: mixed >> 56)
    }
}
