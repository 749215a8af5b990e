import NotificationArchives

/// A record of an archive as people and messages write it: `FILE:LINE`, or `FILE:LINE:COLUMN` out of a message.
struct ArchivePlace {
    let path: String
    /// The line, or the record's ordinal where the input is not a file of lines; counted from 1.
    let line: Int64

    /// Takes a word apart; `nil` if it is none, or if there is a file of exactly that name.
    init?(_ word: String) {
        var parts = word.split(separator: ":", omittingEmptySubsequences: false)
        if parts.count > 1, parts.last == "" { parts.removeLast() }
        if parts.count > 2, Self.number(parts[parts.count - 1]) != nil, Self.number(parts[parts.count - 2]) != nil,
            FileStatus(ofPath: parts.dropLast().joined(separator: ":")) == nil
        {
            parts.removeLast()
        }
        guard parts.count > 1, let last = parts.popLast(), let line = Self.number(last), line > 0,
            FileStatus(ofPath: word) == nil
        else { return nil }
        path = parts.joined(separator: ":")
        self.line = line
        guard !path.isEmpty else { return nil }
    }

    private static func number(_ text: Substring) -> Int64? {
        text.utf8.allSatisfy { 0x30...0x39 ~= $0 } ? Int64(text) : nil
    }
}
