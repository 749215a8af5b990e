import NotificationTranslation

/// What a SubjectPublicKeyInfo says about a key of RSA.
struct RSAPublicKey {
    /// The RSAPublicKey of PKCS #1: `SEQUENCE { modulus, exponent }`.
    let pkcs1: [UInt8]
    /// How many bits the modulus has.
    let bits: Int

    /// The key, `nil` if it is none of RSA.
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
