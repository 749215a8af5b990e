import SystemLibC

/// A folder of our own for archives and outputs; removed with what is in it.
struct TemporaryFolder {
    /// Its path.
    let root: String

    /// One that is there.
    init(existing root: String) {
        self.root = root
    }

    /// Makes one in the first of these folders that lets us.
    init?(in parents: [String]) {
        for parent in parents {
            var template = Array("\(parent)/notification-benchmark.XXXXXX".utf8CString)
            guard let made = mkdtemp(&template) else { continue }
            root = String(cString: made)
            return
        }
        return nil
    }

    /// Where temporary files go on this machine.
    static var usual: [String] {
        (getenv("TMPDIR").map { [String(cString: $0)] } ?? []) + ["/tmp"]
    }

    /// The place of a file in it.
    func path(_ name: String) -> String {
        root + "/" + name
    }

    /// Removes the files and the folder; files of other names, and folders, are none of ours and stay.
    func remove(_ names: [String]) {
        for name in names { unlink(path(name)) }
        rmdir(root)
    }

    func size(of path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : 0
    }

    /// The lines of a short text file; none if it cannot be read.
    static func lines(of path: String) -> [Substring] {
        var text = ""
        _ = LineFile.forEachPiece(of: path, size: 4096) { text += String(decoding: $0, as: UTF8.self) }
        return text.split(separator: "\n")
    }
}
