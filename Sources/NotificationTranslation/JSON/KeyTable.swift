import NotificationLibC

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

    /// A key as it is before a text, `key":"` or `key": "`, so that one look at 32 bytes shows whether it is there.
    struct Form {
        fileprivate var head = SIMD16<UInt8>.zero
        fileprivate var tail = SIMD16<UInt8>.zero
        // Bytes that count; of a key that is too long all of them, as zeros are in no string.
        fileprivate var headMask = SIMD16<UInt8>(repeating: 0xFF)
        fileprivate var tailMask = SIMD16<UInt8>(repeating: 0xFF)
        /// The slot's bit among the keys seen.
        fileprivate(set) var bit: UInt64 = 0
        fileprivate(set) var slot = 0
        /// From the quote before the key to the first byte of the text.
        fileprivate(set) var length = 0
        /// Where ``KeyOrder`` says what follows it.
        fileprivate(set) var place = 0

        /// Whether it is at a place that 32 bytes can be read from.
        @inline(__always)
        func matches(at place: UnsafeRawPointer) -> Bool {
            isIn(place.loadUnaligned(as: SIMD16<UInt8>.self), (place + 16).loadUnaligned(as: SIMD16<UInt8>.self))
        }

        /// The same for 32 bytes that were read before.
        @inline(__always)
        fileprivate func isIn(_ start: SIMD16<UInt8>, _ end: SIMD16<UInt8>) -> Bool {
            let first = (start ^ head) & headMask
            let second = (end ^ tail) & tailMask
            let rest = unsafeBitCast(first | second, to: SIMD2<UInt64>.self)
            return rest[0] | rest[1] == 0
        }
    }

    private static let buckets = 256
    private let entries: UnsafeMutablePointer<Entry>
    private let names: UnsafeMutableBufferPointer<StaticString>
    /// Two of each key: without and with a space after the colon.
    private let forms: UnsafeMutablePointer<Form>
    /// The first of the two forms of each key, found by ``formBucket(_:_:)``.
    private let formBuckets: UnsafeMutablePointer<UnsafePointer<Form>?>

    /// A table in which the key at place n of `names` has slot n.
    init(_ names: [StaticString]) {
        precondition(names.count <= Self.capacity)
        self.names = .allocate(capacity: names.count)
        _ = self.names.initialize(from: names)
        entries = .allocate(capacity: Self.buckets)
        entries.initialize(repeating: Entry(), count: Self.buckets)
        forms = .allocate(capacity: max(1, 2 * names.count))
        forms.initialize(repeating: Form(), count: max(1, 2 * names.count))
        formBuckets = .allocate(capacity: Self.buckets)
        formBuckets.initialize(repeating: nil, count: Self.buckets)
        for (slot, name) in names.enumerated() {
            let words = Self.words(name.utf8Start, name.utf8CodeUnitCount, padded: true)
            var bucket = Self.bucket(words.first, words.last, name.utf8CodeUnitCount)
            while entries[bucket].slot >= 0 { bucket = (bucket + 1) % Self.buckets }
            entries[bucket] = Entry(first: words.first, last: words.last, count: name.utf8CodeUnitCount, slot: slot)
            addForms(name, slot)
        }
    }

    private func addForms(_ name: StaticString, _ slot: Int) {
        for spaces in 0...1 { forms[2 * slot + spaces] = Self.form(name, slot, spaces) }
        let count = name.utf8CodeUnitCount
        guard count >= Self.shortestForm else { return }
        withUnsafeTemporaryAllocation(byteCount: count + 20, alignment: 1) { quoted in
            quoted.initializeMemory(as: UInt8.self, repeating: 0x22)
            guard let key = quoted.baseAddress.map({ $0 + 1 }) else { return }
            key.copyMemory(from: name.utf8Start, byteCount: count)
            var bucket = Self.formBucket(key.loadUnaligned(as: SIMD16<UInt8>.self), key + count, count)
            while formBuckets[bucket] != nil { bucket = (bucket + 1) % Self.buckets }
            formBuckets[bucket] = UnsafePointer(forms + 2 * slot)
        }
    }

    private static func form(_ name: StaticString, _ slot: Int, _ spaces: Int) -> Form {
        let tail: StaticString = spaces == 0 ? "\":\"" : "\": \""
        let count = name.utf8CodeUnitCount + tail.utf8CodeUnitCount
        var form = Form()
        form.bit = 1 << UInt64(slot)
        form.slot = slot
        form.length = 1 + count
        form.place = KeyOrder.place(after: slot, spaces: spaces)
        guard count <= 32 else { return form }
        withUnsafeTemporaryAllocation(byteCount: 64, alignment: 16) { bytes in
            bytes.initializeMemory(as: UInt8.self, repeating: 0)
            guard let start = bytes.baseAddress else { return }
            start.copyMemory(from: name.utf8Start, byteCount: name.utf8CodeUnitCount)
            (start + name.utf8CodeUnitCount).copyMemory(from: tail.utf8Start, byteCount: tail.utf8CodeUnitCount)
            (start + 32).initializeMemory(as: UInt8.self, repeating: 0xFF, count: count)
            form.head = start.load(as: SIMD16<UInt8>.self)
            form.tail = start.load(fromByteOffset: 16, as: SIMD16<UInt8>.self)
            form.headMask = start.load(fromByteOffset: 32, as: SIMD16<UInt8>.self)
            form.tailMask = start.load(fromByteOffset: 48, as: SIMD16<UInt8>.self)
        }
        return form
    }

    /// A form to expect where nothing is known yet: any will do.
    var anyForm: UnsafePointer<Form> { UnsafePointer(forms) }

    /// The slot of a key of a text, however it is written there; -1 if it is none of the table's.
    func slot(of key: JSONText, _ memory: UnsafeRawPointer) -> Int {
        guard key.hasEscapes else { return slot((memory + key.start).assumingMemoryBound(to: UInt8.self), key.count) }
        let plain = KeyLog.characters(key, memory)
        return (plain + [UInt8](repeating: 0, count: 8)).withUnsafeBufferPointer { bytes in
            bytes.baseAddress.map { slot($0, plain.count) } ?? -1
        }
    }

    /// Whether it has a key of those characters.
    func holds(_ key: [UInt8]) -> Bool {
        (key + [UInt8](repeating: 0, count: 8)).withUnsafeBufferPointer { bytes in
            bytes.baseAddress.map { slot($0, key.count) >= 0 } ?? false
        }
    }

    /// The slot of the key, or -1.
    ///
    /// Eight bytes after the key must be readable.
    @inline(__always)
    func slot(_ key: UnsafePointer<UInt8>, _ count: Int) -> Int {
        let words = Self.words(key, count, padded: false)
        var bucket = Self.bucket(words.first, words.last, count)
        while true {
            let entry = entries + bucket
            if entry.pointee.slot < 0 { return -1 }
            if entry.pointee.first == words.first, entry.pointee.last == words.last, entry.pointee.count == count,
                count <= 16 || memcmp(key, names[entry.pointee.slot].utf8Start, count) == 0
            {
                return entry.pointee.slot
            }
            bucket = (bucket &+ 1) & (Self.buckets - 1)
        }
    }

    /// How the key that begins at `key` and ends before `end` is there; `nil` if it is none of the table's before a
    /// text.
    ///
    /// Quotes must be before and after the key.
    @inline(__always)
    func form(_ key: UnsafeRawPointer, _ end: UnsafeRawPointer) -> UnsafePointer<Form>? {
        guard end - key >= Self.shortestForm else { return nil }
        let head = key.loadUnaligned(as: SIMD16<UInt8>.self)
        let tail = (key + 16).loadUnaligned(as: SIMD16<UInt8>.self)
        var bucket = Self.formBucket(head, end, end - key)
        while let form = formBuckets[bucket] {
            if form.pointee.isIn(head, tail) { return form }
            if form[1].isIn(head, tail) { return form + 1 }
            bucket = (bucket &+ 1) & (Self.buckets - 1)
        }
        return nil
    }

    /// Bytes of a key and one quote that a bucket is made of.
    private static let shortestForm = 3

    /// Where to look for a key's forms, by its length and its first and last four bytes, of which one may be a quote.
    @inline(__always)
    private static func formBucket(_ head: SIMD16<UInt8>, _ end: UnsafeRawPointer, _ count: Int) -> Int {
        let first = unsafeBitCast(head, to: SIMD2<UInt64>.self)[0].littleEndian & 0xFFFF_FFFF
        let last = UInt64((end - 4).loadUnaligned(as: UInt32.self).littleEndian)
        let mixed = (first | last << 32) &+ UInt64(truncatingIfNeeded: count)
        return Int(truncatingIfNeeded: (mixed &* 0x9E37_79B9_7F4A_7C15) >> 56)
    }

    var count: Int { names.count }

    func name(_ slot: Int) -> StaticString {
        names[slot]
    }

    @inline(__always)
    private static func words(
        _ key: UnsafePointer<UInt8>, _ count: Int, padded: Bool
    ) -> (first: UInt64, last: UInt64) {
        if count >= 8 {
            let raw = UnsafeRawPointer(key)
            return (
                raw.loadUnaligned(as: UInt64.self).littleEndian,
                raw.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self).littleEndian
            )
        }
        if padded {
            var word: UInt64 = 0
            for place in 0..<count { word |= UInt64(key[place]) << UInt64(8 * place) }
            return (word, 0)
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

/// The order in which the keys of one kind of object came last, to be tried first when the next one is read.
///
/// Whoever wrote an archive wrote the keys of every transaction in one order, whichever it is. So which key follows is
/// known before it is read: a look at the bytes confirms it, and neither its length nor its hash is needed.
///
///     {"quantity":"1","product_id":"a"}    learnt: begin → quantity → product_id
///     {"quantity":"1","product_id":"b"}    each key is where it was expected
///
/// A guess that fails costs that look and is replaced by what was found. Bodies with a space after each colon and
/// those without keep an order each, as archives hold both.
///
/// A value without references, so that handing it on costs nothing; the memory is its maker's, and it serves one
/// walker at a time.
struct KeyOrder: @unchecked Sendable {
    let table: KeyTable
    private let following: UnsafeMutablePointer<UnsafePointer<KeyTable.Form>>

    /// Words of memory that the order of a table takes.
    static func words(_ table: KeyTable) -> Int { 2 * (table.count + 1) }

    /// The order of nothing read yet.
    init(_ table: KeyTable, _ memory: UnsafeMutablePointer<UnsafePointer<KeyTable.Form>>) {
        self.table = table
        following = memory
        following.initialize(repeating: table.anyForm, count: Self.words(table))
    }

    /// Where the follower of the key of a slot is kept; slot -1 is the beginning of an object.
    static func place(after slot: Int, spaces: Int) -> Int { 2 &* (slot &+ 1) &+ spaces }

    /// The key expected at a place.
    subscript(place: Int) -> UnsafePointer<KeyTable.Form> {
        get { following[place] }
        nonmutating set { following[place] = newValue }
    }
}
