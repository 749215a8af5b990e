@testable import PayloadVerification

/// A certificate to be made: everything that may be wrong with one can be asked for.
struct ForgedCertificate {
    struct Extension {
        var id: String
        var isCritical = false
        var value: [UInt8]
    }

    var subject: String
    var issuer: String
    var serial: UInt8 = 1
    var notBefore = "20200101000000Z"
    var notAfter = "20400101000000Z"
    var extensions: [Extension]
    /// Whether it is signed with ECDSA and SHA-1.
    var isWeak = false
    /// The digest that an issuer with a key of RSA signs it with.
    var digest = "SHA256"

    /// The DER of this certificate.
    ///
    /// - Parameters:
    ///   - key: The key it is for.
    ///   - issuer: The key it is signed with.
    /// - Returns: The certificate.
    /// - Throws: Whatever keeps the key from signing.
    func der(for key: SigningKey, by issuer: SigningKey) throws -> [UInt8] {
        let algorithm =
            switch issuer.kind {
            case _ where isWeak: DERWriter.sequence(DERWriter.identifier("1.2.840.10045.4.1"))
            case .p256, .p521: DERWriter.sequence(DERWriter.identifier("1.2.840.10045.4.3.2"))
            case .p384: DERWriter.sequence(DERWriter.identifier("1.2.840.10045.4.3.3"))
            case .rsa, .rsa1024: DERWriter.sequence(DERWriter.identifier(Self.rsa(digest)), DERWriter.null)
            }
        let list = extensions.map { entry in
            DERWriter.sequence(
                DERWriter.identifier(entry.id),
                entry.isCritical ? DERWriter.yes : [],
                DERWriter.octets(entry.value)
            )
        }
        let body = DERWriter.sequence(
            DERWriter.element(0xA0, DERWriter.integer(2)),
            DERWriter.integer(serial),
            algorithm,
            DERWriter.name(self.issuer),
            DERWriter.sequence(DERWriter.time(notBefore), DERWriter.time(notAfter)),
            DERWriter.name(subject),
            key.publicKeyInfo,
            list.isEmpty ? [] : DERWriter.element(0xA3, DERWriter.element(0x30, list.flatMap { $0 }))
        )
        return DERWriter.sequence(
            body,
            algorithm,
            DERWriter.bits(try signature(of: body, by: issuer))
        )
    }

    private func signature(of body: [UInt8], by issuer: SigningKey) throws -> [UInt8] {
        switch issuer.kind {
        case .rsa, .rsa1024: try issuer.sign(body, digest: digest)
        default: isWeak ? try issuer.sign(body, digest: "SHA1") : try issuer.sign(body)
        }
    }

    /// The algorithm of RSA with a digest.
    private static func rsa(_ digest: String) -> String {
        switch digest {
        case "MD5": "1.2.840.113549.1.1.4"
        case "SHA1": "1.2.840.113549.1.1.5"
        default: "1.2.840.113549.1.1.11"
        }
    }
}

extension ForgedCertificate.Extension {
    static func authority(_ isOne: Bool, pathLength: UInt8? = nil) -> Self {
        let content = (isOne ? DERWriter.yes : []) + (pathLength.map(DERWriter.integer) ?? [])
        return Self(id: "2.5.29.19", isCritical: true, value: DERWriter.element(0x30, content))
    }

    /// keyCertSign and cRLSign.
    static let signsCertificates = Self(id: "2.5.29.15", isCritical: true, value: DERWriter.bits([0x06], unused: 1))
    static let signs = Self(id: "2.5.29.15", isCritical: true, value: DERWriter.bits([0x80], unused: 7))
    /// keyAgreement, and nothing else.
    static let agreesOnly = Self(id: "2.5.29.15", isCritical: true, value: DERWriter.bits([0x08], unused: 3))
    static let receiptSigner = Self(id: "1.2.840.113635.100.6.11.1", value: DERWriter.null)
    static let developerAuthority = Self(id: "1.2.840.113635.100.6.2.1", value: DERWriter.null)
    static let unknown = Self(id: "1.3.6.1.4.1.99999.1", isCritical: true, value: DERWriter.null)

    static func subjectKey(_ id: UInt8) -> Self {
        Self(id: "2.5.29.14", value: DERWriter.octets([UInt8](repeating: id, count: 20)))
    }

    static func issuerKey(_ id: UInt8) -> Self {
        Self(
            id: "2.5.29.35",
            value: DERWriter.sequence(DERWriter.element(0x80, [UInt8](repeating: id, count: 20)))
        )
    }
}
