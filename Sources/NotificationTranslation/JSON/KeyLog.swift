/// The keys of the open objects that no ``KeyTable`` knows, kept to find the same key twice.
///
/// Objects nest, so the log is a stack: an object's keys are from its mark on, and closing it cuts the log there.
/// A few keys are compared one by one; from the 25th on a set takes over, so that an object of a million keys costs
/// no more per key (and, as Swift seeds its hashes per process, cannot be made to cost more).
final class KeyLog {
    private static let fewest = 24
    // Run-time exclusivity checks cost 3 % of a small record, 7 % of one in an envelope.
    @exclusivity(unchecked) private var entries: [JSONText] = []
    private var sets: [Int: Set<[UInt8]>] = [:]

    var count: Int { entries.count }

    /// Forgets the keys from `mark` on.
    func close(_ mark: Int) {
        entries.removeLast(entries.count - mark)
        sets[mark] = nil
    }

    /// Forgets what was added after it held `count` keys, also of objects that were left before their end.
    func cut(to count: Int) {
        // A set is made of entries and goes with them.
        guard entries.count > count else { return }
        entries.removeLast(entries.count - count)
        sets.removeAll()
    }

    /// Adds a key to the object that began at `mark`; false if it holds the key already.
    func insert(_ key: JSONText, _ memory: UnsafeRawPointer, mark: Int) -> Bool {
        let held = entries.count - mark
        if held >= Self.fewest {
            if sets[mark] == nil {
                sets[mark] = Set(entries[mark...].map { Self.characters($0, memory) })
            }
            entries.append(key)
            return sets[mark]?.insert(Self.characters(key, memory)).inserted ?? true
        }
        if entries[mark...].contains(where: { $0.hasSameCharacters(as: key, in: memory) }) { return false }
        entries.append(key)
        return true
    }

    /// The bytes of a key, unescaped.
    static func characters(_ key: JSONText, _ memory: UnsafeRawPointer) -> [UInt8] {
        var bytes: [UInt8] = []
        JSONEscapes.unescape(memory, from: key.start, to: key.end) { bytes.append(contentsOf: $0) }
        return bytes
    }
}
