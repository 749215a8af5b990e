extension SharedSecrets {
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
        for (place, line) in lines.enumerated() {
            let words = line.split { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
            guard let first = words.first, first.first != 0x23 else { continue }
            guard let start = String(validating: first, as: UTF8.self) else {
                throw ConfigurationError(reason: .invalidUTF8, line: place + 1)
            }
            switch words.count {
            case 1:
                others.append(start)
            case 2:
                guard let secret = String(validating: words[1], as: UTF8.self) else {
                    throw ConfigurationError(reason: .invalidUTF8, line: place + 1)
                }
                byBundleID[start, default: []].append(secret)
            default:
                throw ConfigurationError(reason: .badLine, line: place + 1)
            }
        }
        try self.init(byBundleID: byBundleID, others: others)
    }
}
