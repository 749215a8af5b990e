/// The secrets that a version 1 body may carry in `password`, by bundle id.
///
/// Several may be accepted at a time: during a rotation, and where an app has a secret of its own beside the account's.
/// A secret sent in clear binds nothing: whoever has seen one body can write any other.
///
/// Prints as `<redacted>`.
public struct SharedSecrets: Sendable, Redacted {
    /// Why secrets cannot be used: a configuration to put right, without any of it in the message.
    public struct ConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
        /// What is wrong.
        @nonexhaustive
        package enum Reason: String, Hashable, Sendable, ExplainedWord {
            case none = "secrets.none: no shared secret"
            /// A secret of no characters, which a body without one would match.
            case empty = "secrets.empty: an empty shared secret"
            case badLine = "secrets.bad-line: not a secret, nor a bundle id and a secret"
            /// Bytes that are not UTF-8.
            case invalidUTF8 = "secrets.invalid-utf8: not UTF-8"
        }

        /// What is wrong.
        package var reason: Reason
        /// The line of the file, from 1; 0 if the secrets came from no file.
        package var line: Int

        /// One sentence, without any part of a secret.
        public var description: String { line == 0 ? reason.sentence : "line \(line): \(reason.sentence)" }
    }

    /// What comes of comparing a body's password.
    enum Comparison {
        case accepted, mismatch, missing, noSecret
    }

    private let byBundleID: [String: [SecretBytes]]
    private let others: [SecretBytes]

    /// Secrets by bundle id, and those of every other app.
    ///
    /// - Parameters:
    ///   - byBundleID: The secrets accepted for each bundle id, and no others for it.
    ///   - others: The secrets accepted for every bundle id that is not in `byBundleID`, and for bodies without one.
    /// - Throws: ``ConfigurationError`` if there is no secret or an empty one.
    public init(byBundleID: [String: [String]], others: [String] = []) throws(ConfigurationError) {
        let secrets = byBundleID.values.joined() + others
        guard !secrets.isEmpty, byBundleID.values.allSatisfy({ !$0.isEmpty }) else {
            throw ConfigurationError(reason: .none, line: 0)
        }
        guard secrets.allSatisfy({ !$0.isEmpty }) else { throw ConfigurationError(reason: .empty, line: 0) }
        self.byBundleID = byBundleID.mapValues { $0.map { SecretBytes($0.utf8) } }
        self.others = others.map { SecretBytes($0.utf8) }
    }

    /// Secrets accepted for every app.
    ///
    /// - Parameter secrets: At least one, none of them empty.
    /// - Throws: ``ConfigurationError`` if there is no secret or an empty one.
    public init(_ secrets: [String]) throws(ConfigurationError) { try self.init(byBundleID: [:], others: secrets) }

    /// Compares a body's password with the secrets that are accepted for its app.
    ///
    /// Every accepted secret is compared in full, whatever the first ones say; no password never matches.
    func compare(_ password: UnsafeRawBufferPointer?, bundleID: String?) -> Comparison {
        let accepted = bundleID.flatMap { byBundleID[$0] } ?? others
        guard !accepted.isEmpty else { return .noSecret }
        guard let password, !password.isEmpty else { return .missing }
        return accepted.map { $0.matches(password) }.contains(true) ? .accepted : .mismatch
    }

    /// Reads the text of a file of secrets.
    ///
    /// One secret on each line, for every app; or a bundle id, spaces or tabs, and a secret of that app alone. Blank
    /// lines and lines that begin with `#` say nothing. A byte order mark and CRLF are taken. An app with lines of its
    /// own takes none of the secrets for every app; to accept one of those too, name it there as well.
    ///
    /// ```
    /// # the account's, until May and from May on
    /// 0123456789abcdef0123456789abcdef
    /// fedcba9876543210fedcba9876543210
    /// com.example.app    00112233445566778899aabbccddeeff
    /// ```
    ///
    /// - Parameter file: The bytes of the file.
    /// - Throws: ``ConfigurationError`` with the number of the line.
    package init(file: [UInt8]) throws(ConfigurationError) {
        var byBundleID: [String: [String]] = [:]
        var others: [String] = []
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let text = file.starts(with: mark) ? file.dropFirst(mark.count) : file[...]
        let lines = text.split(separator: 0x0A, omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            let words = line.split { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
            guard let first = words.first, first.first != 0x23 else { continue }
            let texts = words.compactMap { String(validating: $0, as: UTF8.self) }
            guard texts.count == words.count else { throw ConfigurationError(reason: .invalidUTF8, line: index + 1) }
            switch texts.count {
            case 1: others.append(texts[0])
            case 2: byBundleID[texts[0], default: []].append(texts[1])
            default: throw ConfigurationError(reason: .badLine, line: index + 1)
            }
        }
        try self.init(byBundleID: byBundleID, others: others)
    }
}
