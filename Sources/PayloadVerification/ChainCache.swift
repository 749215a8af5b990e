import Synchronization

/// Chains that were found valid, so that a certificate pair seen before costs no P-384 signature again.
///
/// Without revocation, whether a chain holds is a function of the roots, the bytes of leaf and intermediate, and the
/// time; and time enters through the validity of the three certificates alone. So an entry is the exact bytes of both
/// certificates with the intersection of the three validities, and a hit is what the full check would say, for ever:
///
///     leaf          |-----------|
///     intermediate      |-----------------|
///     root       |-----------------------------|
///     entry             |-------|
///
/// Outside its window nothing is concluded: the full check is asked. Only chains that hold are kept, at most
/// ``capacity``, the one used longest ago leaves first; only a certificate from the root can add one.
final class ChainCache<Key: Sendable>: Sendable {
    /// How many chains are kept.
    ///
    /// Apple signs with one or two at a time; archives of ten years hold about ten.
    static var capacity: Int { 64 }

    /// A chain that holds while `validity` lasts.
    struct Entry: Sendable {
        let leaf: [UInt8]
        let intermediate: [UInt8]
        /// Seconds since 1970.
        ///
        /// The last second is left to the full check, as libraries differ about it.
        let validity: Range<Int64>
        let key: Key

        func isOf(_ leaf: [UInt8], _ intermediate: [UInt8]) -> Bool {
            self.leaf == leaf && self.intermediate == intermediate
        }
    }

    /// The entries, the one used last first.
    private let entries = Mutex<[Entry]>([])

    var count: Int { entries.withLock { $0.count } }

    /// The leaf's key, if this very chain was found valid at a time that decides about this one.
    func key(leaf: [UInt8], intermediate: [UInt8], at time: Int64) -> Key? {
        entries.withLock { entries in
            guard let place = entries.firstIndex(where: { $0.validity.contains(time) && $0.isOf(leaf, intermediate) })
            else { return nil }
            let entry = entries[place]
            if place > 0 {
                entries.remove(at: place)
                entries.insert(entry, at: 0)
            }
            return entry.key
        }
    }

    func insert(_ entry: Entry) {
        guard !entry.validity.isEmpty else { return }
        entries.withLock { entries in
            entries.removeAll { $0.validity == entry.validity && $0.isOf(entry.leaf, entry.intermediate) }
            entries.insert(entry, at: 0)
            if entries.count > Self.capacity { entries.removeLast(entries.count - Self.capacity) }
        }
    }
}
