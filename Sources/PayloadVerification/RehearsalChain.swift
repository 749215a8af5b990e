package import NotificationTranslation

/// A chain of certificates in the shape of Apple's, made by this program to test an endpoint with: its root is nobody's.
///
/// Root, intermediate and leaf are on P-256, with Apple's extensions that mark them. Only the leaf's key is kept; those
/// of root and intermediate are forgotten, so nothing else can ever be signed below this root.
package struct RehearsalChain: Sendable {
    /// The chain as `x5c` carries it, in DER: leaf, intermediate, root.
    package let certificates: [[UInt8]]
    /// The leaf's key.
    package let key: P256SigningKey

    /// The names of its files, the root last: where that is, all are.
    package static let names = ["leaf.key", "leaf.cer", "intermediate.cer", "root.cer"]

    /// Its files.
    package var files: [(name: String, bytes: [UInt8], isPrivate: Bool)] {
        zip(Self.names, [key.file] + certificates).map { ($0, $1, $0 == "leaf.key") }
    }

    private static let owner = "Notification Translator Rehearsal "

    /// A new chain.
    ///
    /// - Throws: `verifier.unavailable` where there is nothing to sign with.
    package init() throws(AuthenticityError) {
        let keys = [P256SigningKey(), P256SigningKey(), P256SigningKey()].compactMap { $0 }
        guard keys.count == 3 else { throw AuthenticityError(.unavailable) }
        let (root, intermediate, leaf) = (keys[0], keys[1], keys[2])
        let authority: [(id: [UInt8], isCritical: Bool, value: [UInt8])] = [
            (ObjectID.keyUsage, true, DERWriter.bits([0x06], unused: 1))
        ]
        key = leaf
        certificates = [
            Self.certificate(
                "Leaf", of: leaf, by: intermediate, "Intermediate",
                [
                    (ObjectID.basicConstraints, true, DERWriter.sequence()),
                    (ObjectID.keyUsage, true, DERWriter.bits([0x80], unused: 7)),
                    (ObjectID.receiptSigner, false, DERWriter.null),
                ]),
            Self.certificate(
                "Intermediate", of: intermediate, by: root, "Root",
                authority + [
                    (ObjectID.basicConstraints, true, DERWriter.sequence(DERWriter.yes, DERWriter.integer(0))),
                    (ObjectID.developerAuthority, false, DERWriter.null),
                ]),
            Self.certificate(
                "Root", of: root, by: root, "Root",
                authority + [(ObjectID.basicConstraints, true, DERWriter.sequence(DERWriter.yes))]),
        ]
    }

    /// The chain of files that this program wrote, in the order of ``names``; `nil` if it did not, or if they do not
    /// belong together.
    package init?(files: [[UInt8]]) {
        guard files.count == Self.names.count, let key = P256SigningKey(file: files[0]) else { return nil }
        let certificates = Array(files.dropFirst())
        let name = DERWriter.name(Self.owner + "Root")
        let probe = Array(Self.owner.utf8)
        guard certificates[2].indices.contains(where: { certificates[2][$0...].starts(with: name) }),
            let verifier = try? AppStoreVerifier(roots: [certificates[2]]),
            // It is valid in 2020.
            let leaf = try? verifier.key(of: certificates, at: 1_600_000_000),
            probe.withUnsafeBytes({ leaf.isValid(key.signature(of: $0), for: $0) })
        else { return nil }
        self.key = key
        self.certificates = certificates
    }

    private static func certificate(
        _ subject: String, of key: P256SigningKey, by issuer: P256SigningKey, _ issuerName: String,
        _ extensions: [(id: [UInt8], isCritical: Bool, value: [UInt8])]
    ) -> [UInt8] {
        let subjectKey = (ObjectID.identifier("2.5.29.14"), false, DERWriter.octets(key.id))
        let issuerKey = (
            ObjectID.identifier("2.5.29.35"), false, DERWriter.sequence(DERWriter.element(0x80, issuer.id))
        )
        let list = (extensions + [subjectKey, issuerKey]).map { id, isCritical, value in
            DERWriter.sequence(
                DERWriter.identifier(id), isCritical ? DERWriter.yes : [], DERWriter.octets(value))
        }
        let algorithm = DERWriter.sequence(DERWriter.identifier("1.2.840.10045.4.3.2"))
        let body = DERWriter.sequence(
            DERWriter.element(.context0, DERWriter.integer(2)),
            // Positive, whatever the bytes.
            DERWriter.element(.integer, [1] + key.id.prefix(8)), algorithm,
            DERWriter.name(owner + issuerName),
            DERWriter.sequence(DERWriter.time("20080101000000Z"), DERWriter.time("20491231235959Z")),
            DERWriter.name(owner + subject), key.publicKeyInfo,
            DERWriter.element(.context3, DERWriter.element(.sequence, list.flatMap { $0 })))
        let signature = body.withUnsafeBytes { issuer.signature(of: $0) }
        let pair = DERWriter.sequence(number(signature.prefix(32)), number(signature.suffix(32)))
        return DERWriter.sequence(body, algorithm, DERWriter.bits(pair))
    }

    /// A positive INTEGER in its shortest form.
    private static func number(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        let digits = bytes.drop { $0 == 0 }
        return DERWriter.element(.integer, (digits.first ?? 0xFF >= 0x80 ? [0] : []) + digits)
    }
}

extension P256SigningKey {
    /// What a file of such a key begins with; the 32 bytes of the key follow, and nothing else.
    private static let opening: [UInt8] = [
        0x30, 0x41, 0x02, 0x01, 0x00, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08,
        0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07, 0x04, 0x27, 0x30, 0x25, 0x02, 0x01, 0x01, 0x04, 0x20,
    ]

    /// A new key; `nil` where there is nothing to sign with.
    convenience init?() {
        var random = SystemRandomNumberGenerator()
        var scalar = (0..<32).map { _ in UInt8.random(in: 0...255, using: &random) }
        // Below the order of the curve.
        scalar[0] = min(scalar[0], 0xFE)
        self.init(file: Self.opening + scalar)
    }

    /// Whether a file has the form of one that this program wrote.
    static func isKey(_ file: [UInt8]) -> Bool { file.count == opening.count + 32 && file.starts(with: opening) }

    /// Names the key in certificates: 160 bits of its SHA-256 (RFC 7093).
    var id: [UInt8] { Array(SHA256.digest(publicKeyInfo).prefix(20)) }
}

/// Writes the DER that certificates are made of; nothing stops it from writing wrong ones.
enum DERWriter {
    static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        let count = UInt32(truncatingIfNeeded: content.count).bigEndian
        let size = withUnsafeBytes(of: count) { Array($0.drop { $0 == 0 }) }
        let length = content.count < 0x80 ? [UInt8(content.count)] : [0x80 | UInt8(size.count)] + size
        return [tag] + length + content
    }

    static func element(_ tag: DERReader.Tag, _ content: [UInt8]) -> [UInt8] { element(tag.rawValue, content) }
    static func sequence(_ parts: [UInt8]...) -> [UInt8] { element(.sequence, parts.flatMap { $0 }) }
    static func octets(_ content: [UInt8]) -> [UInt8] { element(.octetString, content) }
    static func bits(_ content: [UInt8], unused: UInt8 = 0) -> [UInt8] { element(.bitString, [unused] + content) }
    static func integer(_ value: UInt8) -> [UInt8] { element(.integer, [value]) }

    static let null: [UInt8] = [0x05, 0x00]
    static let yes: [UInt8] = [0x01, 0x01, 0xFF]

    static func identifier(_ dotted: String) -> [UInt8] { identifier(ObjectID.identifier(dotted)) }
    static func identifier(_ content: [UInt8]) -> [UInt8] { element(.identifier, content) }

    static func name(_ common: String) -> [UInt8] {
        sequence(element(0x31, sequence(identifier("2.5.4.3"), element(0x0C, Array(common.utf8)))))
    }

    /// A time as RFC 5280 writes it: two digits of the year until 2049, four from 2050 on.
    static func time(_ text: String) -> [UInt8] {
        let isShort = 1950..<2050 ~= Int(text.prefix(4)) ?? 0
        return element(isShort ? 0x17 : 0x18, Array((isShort ? text.dropFirst(2) : text[...]).utf8))
    }
}
