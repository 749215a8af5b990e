import NotificationTranslation

#if !canImport(CryptoKit)
extension NegativeCase {
    /// Keys and digests that only libcrypto makes for us.
    static let oddKeys: [NegativeCase] = [
        Self("leaf on P-521", .leafKey, "x5c[0]") { try Self.token(below: $0, leaf: .p521) },
        Self("RSA leaf", .leafKey, "x5c[0]") { try Self.token(below: $0, leaf: .rsa) },
        .chain("leaf signed with SHA-1", .tooWeak, "x5c[0]") { $0.leaf.isWeak = true },
        .chain("intermediate signed with SHA-1", .tooWeak, "x5c[1]") { $0.intermediate.isWeak = true },
    ]

    private static func token(below trusted: ForgedChain, leaf kind: SigningKey.Kind) throws -> String {
        var wish = ForgedChain.Wish()
        wish.leafKind = kind
        var token = Token(try ForgedChain(below: trusted, wish))
        token.key = try SigningKey(.p256)
        return try token.text()
    }
}
#else
extension NegativeCase {
    static let oddKeys: [NegativeCase] = []
}
#endif
