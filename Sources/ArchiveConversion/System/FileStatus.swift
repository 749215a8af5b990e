import NotificationLibC

/// What the file system says of a path or an open file.
package struct FileStatus: Sendable, Equatable {
    /// The kinds of files that are treated differently.
    package enum Kind: Sendable, Hashable {
        case regular, folder, link, other
    }

    package var kind: Kind
    /// Bytes; only of use for regular files.
    package var size: Int64
    package var device: UInt64
    package var inode: UInt64
    /// Last change of the content, nanoseconds since 1970.
    package var modified: Int64

    /// Of an open file; `nil` when the system refuses to say.
    package init?(of descriptor: Descriptor) {
        var raw = stat()
        guard fstat(descriptor.number, &raw) == 0 else { return nil }
        self.init(raw)
    }

    /// Of a path; `nil` when there is nothing there or the system refuses to say, and `errno` says which.
    ///
    /// With `followLinks`, a link counts as what it points to.
    package init?(ofPath path: String, followLinks: Bool = true) {
        var raw = stat()
        guard (followLinks ? stat(path, &raw) : lstat(path, &raw)) == 0 else { return nil }
        self.init(raw)
    }

    private init(_ raw: stat) {
        kind =
            switch raw.st_mode & S_IFMT {
            case S_IFREG: .regular
            case S_IFDIR: .folder
            case S_IFLNK: .link
            default: .other
            }
        size = Int64(raw.st_size)
        device = UInt64(truncatingIfNeeded: raw.st_dev)
        inode = UInt64(truncatingIfNeeded: raw.st_ino)
        #if canImport(Darwin)
        let time = raw.st_mtimespec
        #else
        let time = raw.st_mtim
        #endif
        modified = Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }

    /// Whether both are the very same file, whatever their paths.
    package func isSameFile(as other: FileStatus) -> Bool { device == other.device && inode == other.inode }
}

/// The folder that a path is in; `.` when the path names none.
func folder(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: 0x2F) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
}
