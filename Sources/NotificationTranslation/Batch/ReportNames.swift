/// Names that a report counts by, numbered in the order in which they were seen first.
///
/// An archive decides what most of them are, so there is a limit: what comes later shares the number ``other``, and
/// long names are cut. Numbers stay below 2^12, so that several fit into one key of ``ReportCounts``. Names are told
/// apart by a hash of 64 bits, which for names that nobody chose for that purpose never collides in practice.
struct ReportNames: Hashable, Sendable {
    /// The number of no name.
    static let absent = 0
    /// The number of all names beyond the limit.
    static let other = 1
    /// The bits that a number needs.
    static let bits: UInt64 = 12

    private let limit: Int
    private let longest: Int
    /// Where each name ends in `bytes`.
    private var ends: [Int] = []
    private var bytes: [UInt8] = []
    /// The hash and the number of a name; 0 where there is none.
    private var slots: [Slot] = []

    private struct Slot: Hashable {
        var hash: UInt64 = 0
        var number = 0
    }

    /// No names yet; as many as `limit` have a number of their own, and `longest` bytes of each are kept.
    init(limit: Int = 4000, longest: Int = 120) {
        self.limit = min(limit, 1 << Int(Self.bits) - 2)
        self.longest = longest
    }

    /// How many names have a number of their own.
    var count: Int { ends.count }

    /// Whether some names share a number.
    private(set) var isCapped = false

    /// The numbers of all names, in the order in which they were seen first.
    var numbers: Range<Int> { 2..<ends.count + 2 }

    /// Forgets all names and keeps the memory.
    mutating func removeAll() {
        guard !ends.isEmpty || isCapped else { return }
        ends.removeAll(keepingCapacity: true)
        bytes.removeAll(keepingCapacity: true)
        for place in slots.indices { slots[place] = Slot() }
        isCapped = false
    }

    /// The number of a name; a new one if it was not seen before.
    mutating func number(of name: UnsafeRawBufferPointer) -> Int {
        guard name.baseAddress != nil else { return Self.absent }
        guard name.count <= longest else { return number(of: UnsafeRawBufferPointer(rebasing: shortened(name))) }
        let hash = Self.hash(name)
        let mask = slots.count - 1
        guard mask > 0 else { return add(name, hash) }
        var place = Int(truncatingIfNeeded: hash >> 32) & mask
        while slots[place].number != 0 {
            if slots[place].hash == hash { return slots[place].number }
            place = (place + 1) & mask
        }
        return add(name, hash)
    }

    @inline(never)
    private mutating func add(_ name: UnsafeRawBufferPointer, _ hash: UInt64) -> Int {
        guard ends.count < limit else {
            isCapped = true
            return Self.other
        }
        if (ends.count + 1) * 2 > slots.count { grow() }
        bytes.append(contentsOf: name)
        ends.append(bytes.count)
        insert(Slot(hash: hash, number: ends.count + 1))
        return ends.count + 1
    }

    private mutating func insert(_ slot: Slot) {
        let mask = slots.count - 1
        var place = Int(truncatingIfNeeded: slot.hash >> 32) & mask
        while slots[place].number != 0 { place = (place + 1) & mask }
        slots[place] = slot
    }

    private mutating func grow() {
        let old = slots
        slots = Array(repeating: Slot(), count: max(64, 2 * old.count))
        for slot in old where slot.number != 0 { insert(slot) }
    }

    /// The bytes of a name, by its number.
    func withBytes<Result>(of number: Int, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        guard numbers.contains(number) else { return body(UnsafeRawBufferPointer(start: nil, count: 0)) }
        return bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[range(number - 2)])) }
    }

    /// The text of a name that is the inside of a JSON string; `nil` for no name.
    func text(of number: Int) -> String? {
        guard number != Self.absent else { return nil }
        guard number != Self.other else { return "(other)" }
        return withBytes(of: number) { bytes in
            guard let start = bytes.baseAddress else { return "" }
            guard bytes.contains(0x5C) else { return String(decoding: bytes, as: UTF8.self) }
            var characters: [UInt8] = []
            JSONEscapes.unescape(start, from: 0, to: bytes.count) { characters.append(contentsOf: $0) }
            return String(decoding: characters, as: UTF8.self)
        }
    }

    private func range(_ place: Int) -> Range<Int> {
        (place == 0 ? 0 : ends[place - 1])..<ends[place]
    }

    /// The first bytes of a long name, not cut within a character or an escape.
    private func shortened(_ name: UnsafeRawBufferPointer) -> Slice<UnsafeRawBufferPointer> {
        var end = longest
        while end > 0, name[end] & 0xC0 == 0x80 { end -= 1 }
        let last = name[max(0, end - 12)..<end].firstIndex(of: 0x5C)
        return name[..<(last ?? end)]
    }

    /// A hash of a name and of what was hashed before it.
    static func hash(_ name: UnsafeRawBufferPointer, after before: UInt64 = 0) -> UInt64 {
        func mixed(_ hash: UInt64, _ word: UInt64) -> UInt64 {
            let hash = (hash ^ word) &* 0xD6E8_FEB8_6659_FD93
            return hash ^ hash >> 32
        }
        guard let start = name.baseAddress else { return mixed(before, .max) }
        var hash = mixed(before, UInt64(truncatingIfNeeded: name.count))
        var word: UInt64 = 0
        if name.count >= 8 {
            var at = 0
            while at < name.count - 8 {
                hash = mixed(hash, start.loadUnaligned(fromByteOffset: at, as: UInt64.self))
                at += 8
            }
            word = start.loadUnaligned(fromByteOffset: name.count - 8, as: UInt64.self)
        } else {
            for byte in name { word = word << 8 | UInt64(byte) }
        }
        return mixed(hash, word)
    }
}
