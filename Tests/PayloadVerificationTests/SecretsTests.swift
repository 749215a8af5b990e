import Testing

@testable import NotificationTranslation

@Suite("Shared secrets") struct SecretsTests {
    @Test("Shared secrets are chosen by bundle id") func choosesByBundleID() throws {
        let secrets = try SharedSecrets(byBundleID: ["com.example.one": ["a", "b"]], others: ["c"])
        #expect(secrets.accepts("a", bundleID: "com.example.one"))
        #expect(secrets.accepts("b", bundleID: "com.example.one"))
        #expect(!secrets.accepts("c", bundleID: "com.example.one"))
        #expect(secrets.accepts("c", bundleID: "com.example.two"))
        #expect(!secrets.accepts("a", bundleID: "com.example.two"))
        #expect(secrets.accepts("c", bundleID: nil))
        #expect(!secrets.accepts(nil, bundleID: nil))
        #expect(!secrets.accepts("", bundleID: nil))
    }

    @Test("Shared secrets are compared in full") func comparesInFull() throws {
        let secret = "0123456789abcdef0123456789abcdef"
        let secrets = try SharedSecrets([secret])
        #expect(secrets.accepts(secret, bundleID: nil))
        for place in secret.indices {
            var other = secret
            other.replaceSubrange(place...place, with: "x")
            #expect(!secrets.accepts(other, bundleID: nil))
            #expect(!secrets.accepts(String(secret[..<place]), bundleID: nil))
        }
        #expect(!secrets.accepts(secret + "0", bundleID: nil))
        #expect(!secrets.accepts(secret.uppercased(), bundleID: nil))
        #expect(!secrets.accepts(" " + secret, bundleID: nil))
    }

    /// Secrets that are refused, with the reason and the line of a file.
    private static let refused:
        [(reason: SharedSecrets.ConfigurationError.Reason, line: Int, make: @Sendable () throws -> SharedSecrets)] = [
            (.none, 0, { try SharedSecrets([]) }), (.empty, 0, { try SharedSecrets([""]) }),
            (.empty, 0, { try SharedSecrets(["a", ""]) }),
            (.none, 0, { try SharedSecrets(byBundleID: ["com.example": []], others: ["a"]) }),
            (.empty, 0, { try SharedSecrets(byBundleID: ["com.example": [""]]) }),
            (.none, 0, { try SharedSecrets(file: Array("# nothing\n\n".utf8)) }),
            (.badLine, 2, { try SharedSecrets(file: Array("a\nb c d\n".utf8)) }),
            (.invalidUTF8, 1, { try SharedSecrets(file: [0xFF, 0xFE]) }),
        ]

    @Test("Shared secrets may not be empty, and a file may not have too much in a line", arguments: refused.indices)
    func refusesWhatSaysNothingOrTooMuch(_ place: Int) {
        let (reason, line, make) = Self.refused[place]
        #expect(throws: SharedSecrets.ConfigurationError(reason: reason, line: line)) { try make() }
    }

    @Test("Shared secrets that are refused are described with the line of the file") func describesRefusals() {
        let error = SharedSecrets.ConfigurationError(reason: .badLine, line: 2)
        #expect(error.description == "line 2: not a secret, nor a bundle id and a secret")
    }

    @Test("Shared secrets are read from a file") func readsAFile() throws {
        let text =
            "\u{FEFF}# all apps\r\nfirst\n  second  \n\n\tcom.example.one\tthird\r\ncom.example.one   fourth\n#x\nlast"
        let secrets = try SharedSecrets(file: Array(text.utf8))
        for secret in ["first", "second", "last"] { #expect(secrets.accepts(secret, bundleID: nil)) }
        for secret in ["third", "fourth"] {
            #expect(secrets.accepts(secret, bundleID: "com.example.one"))
            #expect(!secrets.accepts(secret, bundleID: nil))
        }
        #expect(!secrets.accepts("#x", bundleID: nil))
        #expect(!secrets.accepts("first", bundleID: "com.example.one"))
    }

    @Test("Shared secrets appear in no description") func showsNothing() throws {
        let canary = "CANARY-secret-0123456789"
        let secrets = try SharedSecrets(byBundleID: ["com.example": [canary]], others: [canary])
        let key = try RedactionKey(Array(canary.utf8))
        let policy = TrustPolicy.sharedSecrets(secrets, expecting: .any)
        var dumped = ""
        dump(secrets, to: &dumped)
        dump(key, to: &dumped)
        dump(policy, to: &dumped)
        dump([secrets], to: &dumped)
        let shown = [
            "\(secrets)", String(reflecting: secrets), "\(key)", String(reflecting: key), "\(policy)",
            String(reflecting: policy), "\([secrets])", "\(Optional(secrets) as Any)", dumped,
            "\(SecretBytes(canary.utf8))", String(reflecting: SecretBytes(canary.utf8)),
        ]
        for text in shown {
            #expect(!text.contains(canary))
            #expect(!text.contains("67, 65, 78, 65, 82, 89"))
        }
        #expect("\(secrets)" == "<redacted>")
        #expect(String(reflecting: key) == "<redacted>")
        #expect(Mirror(reflecting: secrets).children.isEmpty)
        #expect(Mirror(reflecting: key).children.isEmpty)
    }
}

@Suite("SHA-256 and HMAC") struct SHA256Tests {
    static func text(_ bytes: [UInt8]) -> String { bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }

    @Test(
        "SHA-256 gives the published digests",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
            (
                String(repeating: "a", count: 1_000_000),
                "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
            ),
        ])
    func digestsAsPublished(_ message: String, _ expected: String) {
        #expect(Self.text(SHA256.digest(message.utf8)) == expected)
    }

    /// RFC 4231, the cases whose key is long enough to be taken (1 and 3 to 7; 5 is truncated).
    @Test(
        "HMAC gives the published authentication codes",
        arguments: [
            (
                [UInt8](repeating: 0x0B, count: 20), Array("Hi There".utf8),
                "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
            ),
            (
                [UInt8](repeating: 0xAA, count: 20), [UInt8](repeating: 0xDD, count: 50),
                "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
            ),
            (
                Array(1...25), [UInt8](repeating: 0xCD, count: 50),
                "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"
            ),
            (
                [UInt8](repeating: 0xAA, count: 131),
                Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
                "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
            ),
        ])
    func authenticatesAsPublished(_ key: [UInt8], _ message: [UInt8], _ expected: String) throws {
        let code = try RedactionKey(key).authenticationCode(of: message)
        #expect(Self.text(code) == expected)
    }

    @Test("SHA-256 pads a message of every length around the size of a block") func padsEveryLength() {
        // The expectation is that of Python's hashlib.
        let digests = (0..<200).flatMap { length in SHA256.digest((0..<length).map { UInt8($0) }) }
        #expect(
            Self.text(SHA256.digest(digests)) == "ba7b0fcea7d10c06b855b43d2b4dce1e3e842fff6be0acefb0faf4f2dd05bb47")
    }

    @Test("Pseudonyms ignore case and need the key") func pseudonymsIgnoreCaseAndNeedTheKey() throws {
        let one = try RedactionKey(Array("0123456789abcdef".utf8))
        let other = try RedactionKey(Array("0123456789abcdeg".utf8))
        let pseudonym = one.pseudonym(of: "7E3FB204-2A11-4F1D-8F0D-1DF6B2A44E0B")
        #expect(pseudonym == one.pseudonym(of: "7e3fb204-2a11-4f1d-8f0d-1df6b2a44e0b"))
        #expect(pseudonym != other.pseudonym(of: "7e3fb204-2a11-4f1d-8f0d-1df6b2a44e0b"))
        #expect(pseudonym.utf8.count == 64)
        #expect(throws: RedactionKey.TooShort.self) { try RedactionKey(Array("0123456789abcde".utf8)) }
    }
}
