import NotificationLibC

/// A walk through a folder and all folders in it.
extension ConversionRequest {
    /// How many links were met and not followed, and the path of the first of them.
    typealias Links = (count: Int, first: String)

    /// The regular files below a folder but `outputs`, in the order of their paths' bytes; links are added to `links`.
    func files(
        in folder: String, besides outputs: [FileStatus], _ links: inout Links
    ) throws(ArchiveError) -> [InputFile] {
        var found: [String] = []
        var waiting = [""]
        while let below = waiting.popLast() {
            let path = below.isEmpty ? folder : Self.join(folder, below)
            let names: [String]
            do throws(ArchiveError) {
                names = try entries(of: path)
            } catch {
                if below.isEmpty { throw error }
                // It is kept in the list: opening it later reports the same error, in the order of the inputs.
                found.append(path)
                continue
            }
            for name in names where !Self.isHidden(name) || include.contains(where: { Self.matches($0, name, name) }) {
                let relative = below.isEmpty ? name : Self.join(below, name)
                if exclude.contains(where: { Self.matches($0, relative, name) }) { continue }
                let path = Self.join(folder, relative)
                guard let status = FileStatus(ofPath: path, followLinks: false) else { continue }
                if status.kind == .folder { waiting.append(relative) }
                guard include.isEmpty || include.contains(where: { Self.matches($0, relative, name) }),
                    !outputs.contains(where: status.isSameFile)
                else { continue }
                if status.kind == .regular { found.append(path) }
                if status.kind == .link {
                    links.first = links.count == 0 ? path : min(links.first, path)
                    links.count += 1
                }
            }
        }
        return found.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map { InputFile(path: $0, isFound: true) }
    }

    /// Whether a name is one that systems and programs leave in folders of data.
    private static func isHidden(_ name: String) -> Bool {
        name.hasPrefix(".") || ["__MACOSX", "Thumbs.db", "desktop.ini", "_SUCCESS"].contains(name)
    }

    private func entries(of folder: String) throws(ArchiveError) -> [String] {
        guard let stream = opendir(folder) else {
            throw ArchiveError(.inputUnreadable, "cannot list", path: folder, systemCode: errno)
        }
        defer { closedir(stream) }
        var names: [String] = []
        errno = 0
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
                tuple.withMemoryRebound(to: CChar.self, capacity: 1) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
            errno = 0
        }
        guard errno == 0 else { throw ArchiveError(.inputUnreadable, "cannot list", path: folder, systemCode: errno) }
        return names
    }

    /// Whether a pattern fits: one with a slash is compared with the path below the folder, others with the name alone.
    private static func matches(_ pattern: String, _ relative: String, _ name: String) -> Bool {
        fnmatch(pattern, pattern.utf8.contains(0x2F) ? relative : name, 0) == 0
    }

    private static func join(_ folder: String, _ name: String) -> String {
        folder.utf8.last == 0x2F ? folder + name : folder + "/" + name
    }
}
