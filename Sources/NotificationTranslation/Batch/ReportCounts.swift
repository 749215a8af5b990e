/// Numbers of things by a key of 64 bits, in the order in which the keys were seen first.
struct ReportCounts: Hashable, Sendable {
    struct Entry: Hashable {
        let key: UInt64
        var count: Int
    }

    private(set) var entries: [Entry] = []
    /// Places of keys plus one; 0 where there is none.
    private var slots: [UInt32] = []
    /// Where the key added last is: often it is the next one, too.
    private var last = -1

    init() {}

    mutating func add(_ key: UInt64, _ count: Int = 1) {
        if last < 0 || entries[last].key != key { last = place(of: key) }
        entries[last].count += count
    }

    /// Adds one to the number of the key at a place.
    mutating func add(at place: Int) {
        entries[place].count += 1
    }

    /// Where a key is until ``removeAll()``; it is added if it was not seen yet.
    mutating func place(of key: UInt64) -> Int {
        if slots.isEmpty { slots = Array(repeating: 0, count: 64) }
        let slot = slot(of: key)
        return slots[slot] > 0 ? Int(slots[slot]) - 1 : insert(key, slot)
    }

    @inline(never)
    private mutating func insert(_ key: UInt64, _ slot: Int) -> Int {
        entries.append(Entry(key: key, count: 0))
        slots[slot] = UInt32(entries.count)
        if entries.count * 2 > slots.count { grow() }
        return entries.count - 1
    }

    func contains(_ key: UInt64) -> Bool {
        !slots.isEmpty && slots[slot(of: key)] != 0
    }

    /// Forgets everything and keeps the memory.
    mutating func removeAll() {
        guard !entries.isEmpty else { return }
        entries.removeAll(keepingCapacity: true)
        last = -1
        for place in slots.indices { slots[place] = 0 }
    }

    /// Begins to count again; the keys keep their places.
    mutating func clear() {
        for place in entries.indices { entries[place].count = 0 }
    }

    /// Where a key is, or where it belongs.
    private func slot(of key: UInt64) -> Int {
        let mask = slots.count - 1
        var slot = Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) >> 40) & mask
        while slots[slot] != 0, entries[Int(slots[slot]) - 1].key != key { slot = (slot + 1) & mask }
        return slot
    }

    private mutating func grow() {
        slots = Array(repeating: 0, count: slots.count * 2)
        for (place, entry) in entries.enumerated() { slots[slot(of: entry.key)] = UInt32(place + 1) }
    }
}
