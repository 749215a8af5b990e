/// A chain in the shape of Apple's: invented names, keys of this run only.
///
/// Root and intermediate are on P-384, the leaf on P-256, each with the extensions of the real one.
struct ForgedChain: Sendable {
    var root: [UInt8]
    var intermediate: [UInt8]
    var leaf: [UInt8]
    var leafKey: SigningKey
    var rootKey: SigningKey
    var intermediateKey: SigningKey

    /// The chain as `x5c` carries it.
    var certificates: [[UInt8]] { [leaf, intermediate, root] }

    /// What a test asks to be different.
    struct Wish {
        var root = ForgedCertificate(
            subject: "Invented Root",
            issuer: "Invented Root",
            extensions: [.subjectKey(1), .authority(true), .signsCertificates]
        )
        var intermediate = ForgedCertificate(
            subject: "Invented Authority",
            issuer: "Invented Root",
            extensions: [
                .authority(true, pathLength: 0), .issuerKey(1), .subjectKey(2), .signsCertificates,
                .developerAuthority,
            ]
        )
        var leaf = ForgedCertificate(
            subject: "Invented Receipt Signing",
            issuer: "Invented Authority",
            extensions: [.authority(false), .issuerKey(2), .subjectKey(3), .signs, .receiptSigner]
        )
        var rootKind = SigningKey.Kind.p384
        var intermediateKind = SigningKey.Kind.p384
        var leafKind = SigningKey.Kind.p256
        /// Signs the intermediate instead of the root.
        var intermediateIssuer: SigningKey?
        /// Signs the leaf instead of the intermediate.
        var leafIssuer: SigningKey?

        /// All keys on P-256, which is cheaper to verify.
        static var small: Wish {
            var wish = Wish()
            wish.rootKind = .p256
            wish.intermediateKind = .p256
            return wish
        }
    }

    init(_ wish: Wish = Wish()) throws {
        rootKey = try SigningKey(wish.rootKind)
        intermediateKey = try SigningKey(wish.intermediateKind)
        leafKey = try SigningKey(wish.leafKind)
        root = try wish.root.der(for: rootKey, by: rootKey)
        intermediate = try wish.intermediate.der(for: intermediateKey, by: wish.intermediateIssuer ?? rootKey)
        leaf = try wish.leaf.der(for: leafKey, by: wish.leafIssuer ?? intermediateKey)
    }

    /// Another chain below the same root, and with the same keys where that is asked for: keys of RSA take time.
    init(below other: ForgedChain, _ wish: Wish = Wish(), reusesKeys: Bool = false) throws {
        rootKey = other.rootKey
        root = other.root
        func key(_ kind: SigningKey.Kind, _ old: SigningKey) throws -> SigningKey {
            reusesKeys && old.kind == kind ? old : try SigningKey(kind)
        }
        intermediateKey = try key(wish.intermediateKind, other.intermediateKey)
        leafKey = try key(wish.leafKind, other.leafKey)
        intermediate = try wish.intermediate.der(for: intermediateKey, by: wish.intermediateIssuer ?? rootKey)
        leaf = try wish.leaf.der(for: leafKey, by: wish.leafIssuer ?? intermediateKey)
    }
}
