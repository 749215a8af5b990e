import SystemLibC

/// The files of one profile: the archive, its beginning for those who are too slow for the whole, and its first line.
struct ArchiveFiles {
    /// What part of the archive the second file is.
    private static let headShare = 8

    let profile: Profile
    let whole: String
    let head: String
    let line: String

    /// The names of the files in a folder.
    static func names(_ profile: Profile) -> [String] {
        ["", "-head", "-line"].map { "\(profile.rawValue)\($0).ndjson" }
    }

    init(_ profile: Profile, in folder: TemporaryFolder) {
        let paths = Self.names(profile).map(folder.path)
        (self.profile, whole, head, line) = (profile, paths[0], paths[1], paths[2])
    }

    /// Writes whole lines until the size is reached; returns whether every byte could be written.
    func write(seed: UInt64, bytes: Int) -> Bool {
        var generator = BodyGenerator(profile, seed: seed)
        let files = [whole, head, line].map { (path: String) in
            open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        }
        let limits = [bytes, bytes / Self.headShare, 1]
        var written = 0
        var isFine = files.allSatisfy { $0 >= 0 }
        while written < bytes, isFine {
            let next = generator.line()
            for (file, limit) in zip(files, limits) where written < limit {
                isFine = LineFile.writeAll(next, to: file) && isFine
            }
            written += next.count
        }
        for file in files where file >= 0 { isFine = close(file) == 0 && isFine }
        return isFine
    }
}
