import NotificationTranslation
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
/// Outside its window nothing is concluded: the full check is asked. Only chains that hold are kept, and only a
/// certificate from the root can add one.
final class ChainCache<Key: Sendable>: Sendable {
    /// How many chains are kept at most; where there would be more, all others are forgotten.
    ///
    /// Apple signs with one or two at a time; archives of ten years hold about ten.
    static var capacity: Int { 64 }

    /// Of leaf and intermediate the seconds since 1970 in which they hold, and the leaf's key.
    ///
    /// The last second is left to the full check, as libraries differ about it.
    private let entries = Mutex<[[[UInt8]]: (validity: Range<Int64>, key: Key)]>([:])

    var count: Int { entries.withLock { $0.count } }

    /// The leaf's key, if this very chain was found valid at a time that decides about this one.
    func key(leaf: [UInt8], intermediate: [UInt8], at time: Int64) -> Key? {
        entries.withLock { entries in
            guard let entry = entries[[leaf, intermediate]], entry.validity.contains(time) else { return nil }
            return entry.key
        }
    }

    func insert(_ key: Key, leaf: [UInt8], intermediate: [UInt8], validity: Range<Int64>) {
        guard !validity.isEmpty else { return }
        entries.withLock { entries in
            if entries.count >= Self.capacity { entries = [:] }
            entries[[leaf, intermediate]] = (validity, key)
        }
    }

    /// The leaf's public key, if the chain is valid up to one of the roots at a time; the result is kept.
    ///
    /// `make` reads the key, of the facts of leaf, intermediate and root. With `signsIfNotSaid`, a leaf without key usage
    /// may sign.
    func key(
        leaf: [UInt8], intermediate: [UInt8], at time: Int64, below roots: TrustedRoots, signsIfNotSaid: Bool,
        _ make: (CertificateFacts, CertificateFacts, CertificateFacts) throws(AuthenticityError) -> Key
    ) throws(AuthenticityError) -> Key {
        if let key = key(leaf: leaf, intermediate: intermediate, at: time) { return key }
        guard let own = CertificateFacts(leaf) else { throw AuthenticityError(.badCertificate, path: "x5c[0]") }
        guard let middle = CertificateFacts(intermediate) else {
            throw AuthenticityError(.badCertificate, path: "x5c[1]")
        }
        let root = try roots.judge(leaf: leaf, intermediate: intermediate, at: time)
        guard own.isReceiptSigner else { throw AuthenticityError(.leafMark, path: "x5c[0]") }
        guard middle.isDeveloperAuthority else { throw AuthenticityError(.intermediateMark, path: "x5c[1]") }
        let key = try make(own, middle, root)
        guard !own.isAuthority else { throw AuthenticityError(.leafIsAuthority, path: "x5c[0]") }
        guard own.signs ?? signsIfNotSaid else { throw AuthenticityError(.leafKeyUsage, path: "x5c[0]") }
        let first = max(own.notBefore, middle.notBefore, root.notBefore)
        let last = max(first, min(own.notAfter, middle.notAfter, root.notAfter))
        insert(key, leaf: leaf, intermediate: intermediate, validity: first..<last)
        return key
    }
}
