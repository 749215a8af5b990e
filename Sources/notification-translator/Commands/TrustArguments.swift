import NotificationArchives
import NotificationTranslation
import PayloadVerification

/// What the options about trust ask for.
struct TrustArguments {
    let policy: TrustPolicy

    /// Reads the options, the roots and the secrets they name.
    init(_ arguments: Arguments) throws {
        let verifier = try Self.roots("--verify", arguments.verify, arguments, apple: AppleRoot.g3) {
            (roots) throws(AuthenticityError) in try AppStoreVerifier(roots: roots)
        }
        let secrets = try Self.secrets(arguments)
        let receipts = try Self.roots("--verify-receipts", arguments.verifyReceipts, arguments, apple: AppleRoot.ca) {
            (roots) throws(AuthenticityError) in try AppReceiptVerifier(roots: roots)
        }
        let expected = ExpectedApp(
            bundleIDs: arguments.bundleID.map { [$0] }, appAppleIDs: arguments.expectedAppAppleID.map { [$0] },
            environment: arguments.environment.map(NotificationEnvironment.init(rawValue:)))
        var checked: TrustPolicy
        switch (verifier, secrets, receipts) {
        case (let verifier?, let secrets?, _):
            checked = .verify(verifier, sharedSecrets: secrets, expecting: expected)
        case (let verifier?, nil, _):
            checked = .verify(verifier, expecting: expected)
        case (nil, let secrets?, _):
            checked = .sharedSecrets(secrets, expecting: expected)
        case (nil, nil, let receipts?):
            checked = .receipts(receipts, expecting: expected)
        case (nil, nil, nil):
            policy = .trustingTheSource
            return
        }
        if let receipts {
            checked = checked.verifyingReceipts(
                with: receipts, completesRows: true, acceptsReceipts: arguments.requiresAuthentic)
        }
        policy = arguments.requiresAuthentic ? checked : checked.trustingTheSourceWhereUnproven()
    }

    /// A verifier that trusts Apple's root, or the roots in the file that an option names; `nil` without that option.
    private static func roots<Verifier>(
        _ option: String, _ root: String?, _ arguments: Arguments, apple: [UInt8],
        _ make: ([[UInt8]]) throws(AuthenticityError) -> Verifier
    ) throws -> Verifier? {
        guard let root else { return nil }
        let file = root == "apple" ? nil : try SmallFile.bytes(root, for: option, arguments)
        do throws(AuthenticityError) {
            return try make(file.map(CertificateFile.certificates) ?? [apple])
        } catch {
            throw arguments.refusal("\(option) \(root): \(error)")
        }
    }

    private static func secrets(_ arguments: Arguments) throws -> SharedSecrets? {
        guard let path = arguments.secrets else { return nil }
        let bytes = try SmallFile.bytes(path, for: "--shared-secret-file", arguments)
        do throws(SharedSecrets.ConfigurationError) {
            return try SharedSecrets(file: bytes)
        } catch {
            throw arguments.refusal("--shared-secret-file \(path): \(error)")
        }
    }
}

/// Files that options name: keys, secrets, certificates.
enum SmallFile {
    /// The key of the pseudonyms; `nil` where nothing is to be replaced.
    static func redactionKey(_ arguments: Arguments) throws -> RedactionKey? {
        guard let path = arguments.redactionKey else { return nil }
        let bytes = try bytes(path, for: "--redact", arguments)
        do throws(RedactionKey.TooShort) {
            return try RedactionKey(bytes)
        } catch {
            throw arguments.refusal("--redact \(printable(path)): \(error).")
        }
    }

    /// All bytes of a file of an option.
    ///
    /// - Throws: ``UsageError`` for one that is larger than such files are, as half a key is none.
    static func bytes(
        _ path: String, for option: String, _ arguments: Arguments, limit: Int = 1 << 20
    ) throws -> [UInt8] {
        let file = try Descriptor.reading(path)
        defer { file.closeQuietly() }
        let bytes = try file.readAll(limit: limit + 1)
        guard bytes.count <= limit else {
            throw arguments.refusal("\(option) \(printable(path)): larger than \(limit >> 20) MiB.")
        }
        return bytes
    }
}
