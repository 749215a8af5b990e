/// Numbers of things by a key of 64 bits, in the order in which the keys were seen first.
struct ReportCounts: Hashable, Sendable {
    private(set) var keys: [UInt64] = []
    private(set) var counts: [Int] = []
    /// Places of keys plus one; 0 where there is none.
    private var slots: [UInt32] = []
    /// Where the key added last stands: often it is the next one, too.
    private var last = -1

    init() {}

    /// Adds to the number of a key.
    mutating func add(_ key: UInt64, _ count: Int = 1) {
        if last >= 0, keys[last] == key {
            counts[last] += count
            return
        }
        if slots.isEmpty { slots = Array(repeating: 0, count: 64) }
        let slot = slot(of: key)
        last = Int(slots[slot]) - 1
        if last >= 0 {
            counts[last] += count
        } else {
            insert(key, count, slot)
        }
    }

    @inline(never)
    private mutating func insert(_ key: UInt64, _ count: Int, _ slot: Int) {
        last = keys.count
        keys.append(key)
        counts.append(count)
        slots[slot] = UInt32(keys.count)
        if keys.count * 2 > slots.count { grow() }
    }

    /// Whether a key was seen.
    func contains(_ key: UInt64) -> Bool {
        !slots.isEmpty && slots[slot(of: key)] != 0
    }

    /// Forgets everything and keeps the memory.
    mutating func removeAll() {
        guard !keys.isEmpty else { return }
        keys.removeAll(keepingCapacity: true)
        counts.removeAll(keepingCapacity: true)
        last = -1
        for place in slots.indices { slots[place] = 0 }
    }

    /// Where a key stands, or where it belongs.
    private func slot(of key: UInt64) -> Int {
        let mask = slots.count - 1
        var slot = Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) >> 40) & mask
        while slots[slot] != 0, keys[Int(slots[slot]) - 1] != key { slot = (slot + 1) & mask }
        return slot
    }

    private mutating func grow() {
        slots = Array(repeating: 0, count: slots.count * 2)
        for (place, key) in keys.enumerated() { slots[slot(of: key)] = UInt32(place + 1) }
    }

    /// Appends everything; read by ``read(_:)`` of the same build.
    func append(to output: OutputBuffer) {
        output.append(varint: UInt64(keys.count))
        for (key, count) in zip(keys, counts) {
            output.append(varint: key)
            output.append(varint: UInt64(count))
        }
    }

    /// Takes in what ``append(to:)`` wrote.
    mutating func read(_ reader: inout ByteReader) {
        for _ in 0..<reader.count() where !reader.failed {
            let key = reader.varint()
            add(key, Int(truncatingIfNeeded: reader.varint()))
        }
    }
}
