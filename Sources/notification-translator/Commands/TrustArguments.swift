import NotificationArchives
import NotificationTranslation
import PayloadVerification

extension Arguments {
    /// The policy that the options about trust ask for; reads the roots and the secrets that they name.
    func policy() throws -> TrustPolicy {
        let verifier = try roots("--verify", verify, apple: AppleRoot.g3) {
            (roots) throws(AuthenticityError) in try AppStoreVerifier(roots: roots)
        }
        let secrets = try secrets.map { path in
            try SmallFile.made(of: path, for: "--shared-secret-file", self) {
                (bytes) throws(SharedSecrets.ConfigurationError) in try SharedSecrets(file: bytes)
            }
        }
        let receipts = try roots("--verify-receipts", verifyReceipts, apple: AppleRoot.ca) {
            (roots) throws(AuthenticityError) in try AppReceiptVerifier(roots: roots)
        }
        let expected = ExpectedApp(
            bundleIDs: bundleID.map { [$0] }, appAppleIDs: expectedAppAppleID.map { [$0] },
            environment: environment.map(NotificationEnvironment.init(rawValue:)))
        var checked: TrustPolicy
        switch (verifier, secrets, receipts) {
        case (let verifier?, let secrets?, _):
            checked = .verify(verifier, sharedSecrets: secrets, expecting: expected)
        case (let verifier?, nil, _): checked = .verify(verifier, expecting: expected)
        case (nil, let secrets?, _): checked = .sharedSecrets(secrets, expecting: expected)
        case (nil, nil, let receipts?): checked = .receipts(receipts, expecting: expected)
        case (nil, nil, nil): return .trustingTheSource
        }
        if let receipts {
            checked = checked.verifyingReceipts(
                with: receipts, completesRows: true, acceptsReceipts: requiresAuthentic)
        }
        return requiresAuthentic ? checked : checked.trustingTheSourceWhereUnproven()
    }

    /// A verifier that trusts Apple's root, or the roots in the file that an option names; `nil` without that option.
    private func roots<Verifier>(
        _ option: String, _ root: String?, apple: [UInt8], _ make: ([[UInt8]]) throws(AuthenticityError) -> Verifier
    ) throws -> Verifier? {
        guard let root else { return nil }
        return try SmallFile.made(of: root == "apple" ? nil : root, for: option, self) {
            (bytes) throws(AuthenticityError) in
            try make(root == "apple" ? [apple] : CertificateFile.certificates(in: bytes))
        }
    }
}

/// Files that options name: keys, secrets, certificates.
enum SmallFile {
    /// The key of the pseudonyms; `nil` where nothing is to be replaced.
    static func redactionKey(_ arguments: Arguments) throws -> RedactionKey? {
        try arguments.redactionKey.map { path in
            try made(of: path, for: "--redact", arguments, end: ".") {
                (bytes) throws(RedactionKey.TooShort) in try RedactionKey(bytes)
            }
        }
    }

    /// Makes a value of the file that an option names; of no bytes where no file is named (`apple`).
    fileprivate static func made<Value, Failure: Error>(
        of path: String?, for option: String, _ arguments: Arguments, end: String = "",
        _ make: ([UInt8]) throws(Failure) -> Value
    ) throws -> Value {
        let bytes = try path.map { try Self.bytes($0, for: option, arguments) } ?? []
        do throws(Failure) { return try make(bytes) } catch {
            throw arguments.refusal("\(option) \(printable(path ?? "apple")): \(error)\(end)")
        }
    }

    /// All bytes of a file of an option.
    ///
    /// - Throws: ``UsageError`` for one that is larger than such files are, as half a key is none.
    static func bytes(_ path: String, for option: String, _ arguments: Arguments) throws -> [UInt8] {
        let bytes = try Descriptor.contents(of: path, limit: 1 << 20 + 1)
        guard bytes.count <= 1 << 20 else {
            throw arguments.refusal("\(option) \(printable(path)): larger than 1 MiB.")
        }
        return bytes
    }
}
