import NotificationArchives
import NotificationTranslation
import PayloadVerification

/// What the options about trust ask for.
struct TrustArguments {
    let policy: TrustPolicy

    /// Reads the options, the roots and the secrets they name.
    init(_ arguments: Arguments) throws {
        let verifier = try Self.verifier("--verify", arguments, apple: AppleRoot.g3) {
            (roots) throws(AuthenticityError) in try AppStoreVerifier(roots: roots)
        }
        let secrets = try Self.secrets(arguments)
        let receipts = try Self.verifier("--verify-receipts", arguments, apple: AppleRoot.ca) {
            (roots) throws(AuthenticityError) in try AppReceiptVerifier(roots: roots)
        }
        let expected = try Self.expected(arguments)
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
                with: receipts, completesRows: true, acceptsReceipts: arguments.has("--require-authentic"))
        }
        policy = arguments.has("--require-authentic") ? checked : checked.trustingTheSourceWhereUnproven()
    }

    /// A verifier that trusts Apple's root, or the roots in the file that an option names; `nil` without that option.
    private static func verifier<Verifier>(
        _ option: String, _ arguments: Arguments, apple: [UInt8],
        _ make: ([[UInt8]]) throws(AuthenticityError) -> Verifier
    ) throws -> Verifier? {
        guard let root = arguments.value(option), root != "none" else { return nil }
        let file = root == "apple" ? nil : try SmallFile.bytes(root, for: option, arguments)
        do throws(AuthenticityError) {
            guard let file else { return try make([apple]) }
            return try make(CertificateFile.certificates(in: file))
        } catch {
            throw arguments.refusal("\(option) \(root): \(error)")
        }
    }

    private static func secrets(_ arguments: Arguments) throws -> SharedSecrets? {
        guard let path = arguments.value("--shared-secret-file") else { return nil }
        let bytes = try SmallFile.bytes(path, for: "--shared-secret-file", arguments)
        do throws(SharedSecrets.ConfigurationError) {
            return try SharedSecrets(file: bytes)
        } catch {
            throw arguments.refusal("--shared-secret-file \(path): \(error)")
        }
    }

    private static func expected(_ arguments: Arguments) throws(UsageError) -> ExpectedApp {
        var appID: Int64?
        if let text = arguments.value("--expect-app-apple-id") {
            guard let id = Int64(text) else {
                throw arguments.refusal("--expect-app-apple-id takes a whole number.")
            }
            appID = id
        }
        // A rehearsal leaves others out and refuses none.
        let chooses = arguments.command == "rehearse"
        return ExpectedApp(
            bundleIDs: chooses ? nil : arguments.value("--expect-bundle-id").map { [$0] },
            appAppleIDs: appID.map { [$0] },
            environment: chooses
                ? nil : arguments.value("--expect-environment").map(NotificationEnvironment.init(rawValue:)))
    }
}

/// What the options about redaction ask for.
enum RedactionArguments {
    /// The key of the pseudonyms; `nil` where nothing is to be replaced.
    static func key(_ arguments: Arguments) throws -> RedactionKey? {
        guard let path = arguments.value("--redact") else { return nil }
        let bytes = try SmallFile.bytes(path, for: "--redact", arguments)
        do throws(RedactionKey.TooShort) {
            return try RedactionKey(bytes)
        } catch {
            throw arguments.refusal("--redact \(printable(path)): \(error).")
        }
    }
}

/// The options that say in which shape events are written, and for which app.
enum ShapeArguments {
    static func shape(_ arguments: Arguments) throws(UsageError) -> EventShape {
        let isRehearsed = arguments.command == "rehearse"
        let kind = isRehearsed ? .v2 : arguments.value("--to").flatMap(EventShape.Kind.init) ?? .events
        for option in ["--companions", "--duplicates"] where kind == .v2 && arguments.value(option) == "keep" {
            let name = option.dropFirst(2)
            throw arguments.refusal(
                "\(option) keep needs --to events or cloudevents: --to v2 always leaves out \(name).")
        }
        return EventShape(kind, appAppleID: arguments.number("--app-apple-id").map(Int64.init))
    }
}

/// Files that options name: keys, secrets, certificates.
enum SmallFile {

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
