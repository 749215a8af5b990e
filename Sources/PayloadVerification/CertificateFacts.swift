import NotificationTranslation

/// What is asked of a certificate beyond its place in a chain: the same answers on every platform.
struct CertificateFacts: Sendable, Equatable {
    /// The first second it is valid, since 1970.
    private(set) var notBefore: Int64 = 0
    /// The last second it is valid, since 1970.
    private(set) var notAfter: Int64 = 0
    /// SubjectPublicKeyInfo, in DER.
    private(set) var publicKeyInfo: [UInt8] = []
    /// Whether the key is an elliptic curve key on P-256, named.
    private(set) var hasP256Key = false
    /// The bits of the key's modulus, if it is a key of RSA.
    private(set) var bitsOfRSA: Int?
    /// Whether basicConstraints says CA.
    private(set) var isAuthority = false
    /// Whether keyUsage is there and contains digitalSignature; `nil` if it is not there.
    private(set) var signs: Bool?
    /// Whether it has Apple's extension for receipt signing, 1.2.840.113635.100.6.11.1.
    private(set) var isReceiptSigner = false
    /// Whether it has Apple's extension for its developer relations authority, 1.2.840.113635.100.6.2.1.
    private(set) var isDeveloperAuthority = false

    /// The facts of a certificate, `nil` if the bytes are not exactly one.
    init?(_ der: [UInt8]) {
        var outer = DERReader(der)
        guard var certificate = outer.enter(), outer.isAtEnd, var body = certificate.enter(),
            certificate.next(.sequence) != nil, certificate.next(.bitString) != nil,
            certificate.isAtEnd
        else { return nil }
        _ = body.next(.context0)
        guard body.next(.integer) != nil, body.next(.sequence) != nil,
            body.next(.sequence) != nil, takeValidity(&body),
            body.next(.sequence) != nil, takeKey(&body)
        else { return nil }
        _ = body.next(.issuerID)
        _ = body.next(.subjectID)
        if !body.isAtEnd {
            guard let extensions = body.next(.context3), body.isAtEnd,
                takeExtensions(DERReader(der, in: extensions.content))
            else { return nil }
        }
    }

    private mutating func takeValidity(_ body: inout DERReader) -> Bool {
        guard var validity = body.enter(), let first = Self.time(&validity), let last = Self.time(&validity),
            validity.isAtEnd
        else { return false }
        notBefore = first
        notAfter = last
        return true
    }

    private mutating func takeKey(_ body: inout DERReader) -> Bool {
        guard let whole = body.next(.sequence) else { return false }
        var info = DERReader(body.bytes, in: whole.content)
        guard var algorithm = info.enter(), info.next(.bitString) != nil, info.isAtEnd,
            let name = algorithm.next(.identifier)
        else { return false }
        publicKeyInfo = Array(body.bytes[whole.whole])
        bitsOfRSA = RSAPublicKey(publicKeyInfo: publicKeyInfo)?.bits
        if let curve = algorithm.next(.identifier), algorithm.isAtEnd {
            hasP256Key =
                body.bytes[name.content].elementsEqual(ObjectID.ecPublicKey)
                && body.bytes[curve.content].elementsEqual(ObjectID.p256)
        }
        return true
    }

    private mutating func takeExtensions(_ content: DERReader) -> Bool {
        var content = content
        guard var list = content.enter(), content.isAtEnd else { return false }
        var seen: Set<[UInt8]> = []
        while !list.isAtEnd {
            guard var entry = list.enter(), let name = entry.next(.identifier) else { return false }
            _ = entry.next(.boolean)
            guard let value = entry.next(.octetString), entry.isAtEnd else { return false }
            let id = Array(list.bytes[name.content])
            guard seen.insert(id).inserted, take(id, DERReader(list.bytes, in: value.content)) else { return false }
        }
        return true
    }

    private mutating func take(_ id: [UInt8], _ value: DERReader) -> Bool {
        var value = value
        switch id {
        case ObjectID.basicConstraints:
            guard var constraints = value.enter(), value.isAtEnd else { return false }
            if let flag = constraints.next(.boolean) {
                isAuthority = value.bytes[flag.content] != [0]
            }
        case ObjectID.keyUsage:
            guard let bits = value.next(.bitString), value.isAtEnd else { return false }
            // A first byte counts unused bits; the highest bit of the second is digitalSignature.
            signs = bits.content.count >= 2 && value.bytes[bits.content.lowerBound + 1] & 0x80 != 0
        case ObjectID.receiptSigner: isReceiptSigner = true
        case ObjectID.developerAuthority: isDeveloperAuthority = true
        default: break
        }
        return true
    }

    /// The seconds since 1970 of the next element, if it is a time as RFC 5280 writes it: `YYMMDDHHMMSSZ` until 2049,
    /// `YYYYMMDDHHMMSSZ` from 2050 on.
    private static func time(_ reader: inout DERReader) -> Int64? {
        guard let element = reader.next() else { return nil }
        var text = reader.bytes[element.content]
        guard text.popLast() == 0x5A, text.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
        let digits = text.map { Int64($0 - 0x30) }
        func number(_ place: Int) -> Int64 { digits[place] * 10 + digits[place + 1] }
        let (year, rest): (Int64, Int)
        switch (element.tag, digits.count) {
        case (.utcTime, 12): (year, rest) = (number(0) + (number(0) < 50 ? 2000 : 1900), 2)
        case (.generalizedTime, 14): (year, rest) = (number(0) * 100 + number(2), 4)
        default: return nil
        }
        guard number(rest + 8) < 60 else { return nil }
        return CivilTime.seconds(
            year, number(rest), number(rest + 2), number(rest + 4), number(rest + 6), number(rest + 8))
    }
}

/// What a SubjectPublicKeyInfo says about a key of RSA.
struct RSAPublicKey {
    /// The RSAPublicKey of PKCS #1: `SEQUENCE { modulus, exponent }`.
    let pkcs1: [UInt8]
    /// How many bits the modulus has.
    let bits: Int

    /// The RSA key; `nil` if the key is of another algorithm.
    init?(publicKeyInfo der: [UInt8]) {
        var outer = DERReader(der)
        guard var info = outer.enter(), outer.isAtEnd, var algorithm = info.enter(),
            let name = algorithm.next(.identifier),
            der[name.content].elementsEqual(ObjectID.rsaEncryption),
            let key = info.next(.bitString), info.isAtEnd,
            // The first byte counts unused bits.
            der[key.content].first == 0
        else { return nil }
        let content = key.content.dropFirst()
        var body = DERReader(der, in: content)
        guard var numbers = body.enter(), body.isAtEnd, let modulus = numbers.next(.integer),
            numbers.next(.integer) != nil, numbers.isAtEnd
        else { return nil }
        let significant = der[modulus.content].drop { $0 == 0 }
        pkcs1 = Array(der[content])
        bits = significant.count * 8 - (significant.first?.leadingZeroBitCount ?? 0)
    }
}

/// Whose a certificate is and who issued it: what is needed to find it among others.
struct CertificateNames {
    let whole: Range<Int>
    /// Where the number is that its issuer gave it.
    let serial: Range<Int>
    /// Where the issuer's name is, tag and length included.
    let issuer: Range<Int>
    /// Where its own name is, tag and length included.
    let subject: Range<Int>
    /// Where the object identifier of the algorithm is that it is signed with.
    let algorithm: Range<Int>

    /// The names of the certificate at a place, `nil` if there is none.
    init?(_ bytes: [UInt8], _ certificate: DERReader.Element) {
        var outer = DERReader(bytes, in: certificate.content)
        guard certificate.tag == .sequence, var body = outer.enter() else { return nil }
        _ = body.next(.context0)
        guard let serial = body.next(.integer), var algorithm = body.enter(),
            let identifier = algorithm.next(.identifier),
            let issuer = body.next(.sequence), body.next(.sequence) != nil,
            let subject = body.next(.sequence)
        else { return nil }
        whole = certificate.whole
        self.serial = serial.content
        self.issuer = issuer.whole
        self.subject = subject.whole
        self.algorithm = identifier.content
    }
}

/// Object identifiers as DER writes them, without tag and length.
enum ObjectID {
    static let basicConstraints = identifier("2.5.29.19")
    static let keyUsage = identifier("2.5.29.15")
    static let ecPublicKey = identifier("1.2.840.10045.2.1")
    static let p256 = identifier("1.2.840.10045.3.1.7")
    static let rsaEncryption = identifier("1.2.840.113549.1.1.1")
    /// Apple's marks of leaf and intermediate.
    static let receiptSigner = identifier("1.2.840.113635.100.6.11.1")
    static let developerAuthority = identifier("1.2.840.113635.100.6.2.1")
    /// What certificates of receipts are signed with: RSA and SHA-1, or SHA-256, SHA-384 and SHA-512.
    static let sha1WithRSA = identifier("1.2.840.113549.1.1.5")
    static let sha2WithRSA = ["11", "12", "13"].map { identifier("1.2.840.113549.1.1." + $0) }
    /// What PKCS #7 holds, and its digests.
    static let data = identifier("1.2.840.113549.1.7.1")
    static let signedData = identifier("1.2.840.113549.1.7.2")
    static let sha1 = identifier("1.3.14.3.2.26")
    static let sha256 = identifier("2.16.840.1.101.3.4.2.1")

    /// The bytes of a dotted text.
    static func identifier(_ dotted: String) -> [UInt8] {
        let numbers = dotted.split(separator: ".").compactMap { Int($0) }
        // The first two numbers share a byte.
        return ([40 * numbers[0] + numbers[1]] + numbers.dropFirst(2)).flatMap { number in
            var groups = [UInt8(number & 0x7F)]
            var rest = number >> 7
            while rest > 0 {
                groups.insert(UInt8(rest & 0x7F) | 0x80, at: 0)
                rest >>= 7
            }
            return groups
        }
    }
}
