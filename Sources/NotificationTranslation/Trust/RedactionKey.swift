/// The key under which personal values are replaced by pseudonyms: the same value gives the same pseudonym, and without
/// the key nobody gets from one to the other, not even by trying all values.
///
/// The pseudonym of a text is HMAC-SHA256 (RFC 2104) of its bytes, ASCII letters in lower case (as versions 1 and 2
/// write one token in two cases), in 64 hexadecimal digits. Anyone who has the key can make it again:
///
///     printf %s "$TOKEN" | tr A-Z a-z | openssl dgst -sha256 -mac HMAC -macopt hexkey:$(xxd -p -c 256 key)
///
/// Prints as `<redacted>`.
package struct RedactionKey: Sendable, Redacted {
    /// Why a key cannot be used.
    package struct TooShort: Error, Equatable, Sendable, CustomStringConvertible {
        /// One sentence.
        package var description: String { "a redaction key must have \(RedactionKey.shortest) bytes or more" }
    }

    /// The fewest bytes a key may have: what can be guessed makes pseudonyms that can be undone.
    static let shortest = 16

    private let key: SecretBytes

    /// A key of these bytes, as they are in the file: a line end is part of it.
    ///
    /// - Parameter key: At least 16 bytes.
    /// - Throws: ``TooShort``.
    package init(_ key: [UInt8]) throws(TooShort) {
        guard key.count >= Self.shortest else { throw TooShort() }
        self.key = SecretBytes(key)
    }

    /// The pseudonym of a text: 64 hexadecimal digits.
    package func pseudonym(of text: String) -> String {
        let lower = text.utf8.map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 }
        let digits = authenticationCode(of: lower).flatMap { [Hexadecimal.digit($0 >> 4), Hexadecimal.digit($0)] }
        return String(decoding: digits, as: UTF8.self)
    }

    /// HMAC-SHA256 of bytes under this key.
    func authenticationCode(of message: some Sequence<UInt8>) -> [UInt8] {
        var block = key.withBytes { key in
            key.count > SHA256.blockLength ? SHA256.digest(key) : Array(key)
        }
        block += repeatElement(0, count: SHA256.blockLength - block.count)
        let inner = SHA256.digest(block.map { $0 ^ 0x36 } + message)
        return SHA256.digest(block.map { $0 ^ 0x5C } + inner)
    }
}
