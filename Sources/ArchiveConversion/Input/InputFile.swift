#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// One archive to read: a file, or `-` for standard input.
struct InputFile: Sendable, Hashable {
    /// As given by the caller, or the folder as given plus the way down to the file.
    let path: String
    /// Whether it was found in a folder: one that cannot be read is then a reject, and not the end of the run.
    var isFound = false

    /// Whether it is standard input.
    var isStandardInput: Bool { path == "-" }

    /// What the system says of it, or `nil` when it is gone.
    var status: FileStatus? {
        isStandardInput ? FileStatus(of: .standardInput) : FileStatus(ofPath: path)
    }

    /// All the files that a request names, folders replaced by what they hold.
    ///
    /// Files of a folder are in the order of their paths' bytes, so a run reads the same on every machine. Links inside
    /// a folder are not followed: they lead to files read twice and to circles.
    ///
    /// - Parameters:
    ///   - request: Names them.
    ///   - outputs: Files being written, which are never read even when they are in a folder given.
    /// - Returns: The files, in the order in which they are read.
    /// - Throws: ``ArchiveError`` when something named is not there or a folder cannot be listed.
    static func all(of request: ConversionRequest, besides outputs: [FileStatus]) throws(ArchiveError) -> [InputFile] {
        var links = FolderWalk.Links()
        return try all(of: request, besides: outputs, &links)
    }

    /// The same; the links that were not followed are added to `links`.
    static func all(
        of request: ConversionRequest, besides outputs: [FileStatus], _ links: inout FolderWalk.Links
    ) throws(ArchiveError) -> [InputFile] {
        var names = request.inputs
        if let list = request.filesFrom {
            names += try namesListed(in: list, endedByNull: request.filesFromEndsWithNull)
        }
        guard names.count(where: { $0 == "-" }) <= (request.filesFrom == "-" ? 0 : 1) else {
            throw ArchiveError(.inputUnreadable, "cannot read standard input twice")
        }
        var files: [InputFile] = []
        for name in names {
            if name == "-" {
                files.append(InputFile(path: name))
                continue
            }
            guard let status = FileStatus(ofPath: name) else {
                throw ArchiveError(.inputUnreadable, "cannot open", path: name, systemCode: errno)
            }
            if status.kind == .folder {
                let walk = FolderWalk(include: request.include, exclude: request.exclude, outputs: outputs)
                files += try walk.files(in: name, &links)
            } else {
                files.append(InputFile(path: name))
            }
        }
        return files
    }

    private static func namesListed(in path: String, endedByNull: Bool) throws(ArchiveError) -> [String] {
        let file = path == "-" ? Descriptor.standardInput : try Descriptor.reading(path)
        defer { if path != "-" { file.closeQuietly() } }
        let bytes = try file.readAll(limit: 1 << 30)
        return bytes.split(separator: endedByNull ? 0 : 0x0A)
            .map { !endedByNull && $0.last == 0x0D ? $0.dropLast() : $0 }
            .filter { !$0.isEmpty }
            .map { String(decoding: $0, as: UTF8.self) }
    }
}

/// A walk through a folder and all folders in it.
struct FolderWalk {
    /// Only files that match one of these are taken; empty takes all.
    let include: [String]
    /// Files and folders that match one of these are left out.
    let exclude: [String]
    /// Files never taken.
    let outputs: [FileStatus]

    /// Links that were met and not followed.
    struct Links: Sendable {
        var count = 0
        /// The path of the first of them.
        var first = ""
    }

    /// The regular files below a folder, in the order of their paths' bytes; links are added to `links`.
    func files(in folder: String, _ links: inout Links) throws(ArchiveError) -> [InputFile] {
        var found: [String] = []
        var waiting = [""]
        while let below = waiting.popLast() {
            let path = below.isEmpty ? folder : Self.join(folder, below)
            let names: [String]
            do throws(ArchiveError) {
                names = try entries(of: path)
            } catch {
                if below.isEmpty { throw error }
                // Opening it as a file says the same, in its turn.
                found.append(path)
                continue
            }
            for name in names where !Self.isHidden(name) || include.contains(where: { Self.matches($0, name, name) }) {
                let relative = below.isEmpty ? name : Self.join(below, name)
                if exclude.contains(where: { Self.matches($0, relative, name) }) { continue }
                let path = Self.join(folder, relative)
                guard let status = FileStatus(ofPath: path, followLinks: false) else { continue }
                switch status.kind {
                case .folder: waiting.append(relative)
                case .regular where isWanted(relative, name, status): found.append(path)
                case .link where isWanted(relative, name, status):
                    links.first = links.count == 0 ? path : min(links.first, path)
                    links.count += 1
                default: break
                }
            }
        }
        return found.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map { InputFile(path: $0, isFound: true) }
    }

    /// Whether a name is one that systems and programs leave in folders of data.
    private static func isHidden(_ name: String) -> Bool {
        name.hasPrefix(".") || ["__MACOSX", "Thumbs.db", "desktop.ini", "_SUCCESS"].contains(name)
    }

    private func isWanted(_ relative: String, _ name: String, _ status: FileStatus) -> Bool {
        guard include.isEmpty || include.contains(where: { Self.matches($0, relative, name) }) else { return false }
        return !outputs.contains { $0.isSameFile(as: status) }
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
