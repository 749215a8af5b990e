import ArchiveConversion
import NotificationTranslation
import PayloadVerification

/// What the options about trust ask for.
struct TrustArguments {
    let policy: TrustPolicy

    /// Reads the options, the roots and the secrets they name.
    init(_ arguments: Arguments) throws {
        let names = ["--verify", "--expect-bundle-id", "--expect-environment", "--expect-app-apple-id"]
        let verifier = try Self.verifier("--verify", arguments, apple: AppleRoot.g3) {
            (roots) throws(AuthenticityError) in try AppStoreVerifier(roots: roots)
        }
        let secrets = try Self.secrets(arguments)
        let receipts = try Self.receipts(arguments)
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
            if arguments.has("--require-authentic"), !arguments.has("--accept") {
                throw arguments.refusal("--require-authentic needs --verify, --shared-secret-file or --accept receipt.")
            }
        case (nil, nil, nil):
            try arguments.refuse(
                names.dropFirst() + ["--require-authentic"],
                "needs --verify, --verify-receipts or --shared-secret-file.")
            policy = Self.dated(.trustingTheSource, arguments)
            return
        }
        if let receipts { checked = checked.verifyingReceipts(with: receipts) }
        if arguments.has("--receipt-rows") { checked = checked.completingRows() }
        if arguments.has("--accept") { checked = checked.acceptingReceipts() }
        checked = arguments.has("--require-authentic") ? checked : checked.trustingTheSourceWhereUnproven()
        policy = Self.dated(checked, arguments)
    }

    /// The policy that reads the dates of receipts, if that is asked for.
    private static func dated(_ policy: TrustPolicy, _ arguments: Arguments) -> TrustPolicy {
        arguments.value("--receipt-dates") == "unverified"
            ? policy.readingReceiptDates(with: AppReceiptReader()) : policy
    }

    /// Who verifies receipts, and whether the options about them go together.
    private static func receipts(_ arguments: Arguments) throws -> AppReceiptVerifier? {
        let verifier = try verifier("--verify-receipts", arguments, apple: AppleRoot.ca) {
            (roots) throws(AuthenticityError) in try AppReceiptVerifier(roots: roots)
        }
        if arguments.value("--receipt-dates") == "unverified", verifier != nil {
            throw arguments.refusal(
                "--receipt-dates unverified cannot be used with --verify-receipts. Leave out --receipt-dates: receipts "
                    + "that verify date such bodies already.")
        }
        if arguments.has("--receipt-rows"), verifier == nil {
            throw arguments.refusal("--receipt-rows needs --verify-receipts apple|ROOT.cer.")
        }
        guard arguments.has("--accept") else { return verifier }
        guard verifier != nil else {
            throw arguments.refusal("--accept receipt needs --verify-receipts apple|ROOT.cer.")
        }
        guard arguments.has("--require-authentic") else {
            throw arguments.refusal("--accept receipt needs --require-authentic.")
        }
        return verifier
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
        let bundleIDs = Set(arguments.all("--expect-bundle-id"))
        var appIDs: Set<Int64> = []
        for text in arguments.all("--expect-app-apple-id") {
            guard let id = Int64(text) else {
                throw arguments.refusal("--expect-app-apple-id takes a whole number.")
            }
            appIDs.insert(id)
        }
        return ExpectedApp(
            bundleIDs: bundleIDs.isEmpty ? nil : bundleIDs,
            appAppleIDs: appIDs.isEmpty ? nil : appIDs,
            environment: arguments.value("--expect-environment").map(NotificationEnvironment.init(rawValue:)))
    }
}
