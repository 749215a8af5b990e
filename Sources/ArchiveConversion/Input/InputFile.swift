import NotificationLibC

/// One archive to read: a file, or `-` for standard input.
struct InputFile: Sendable, Hashable {
    /// As given by the caller, or the folder as given plus the way down to the file.
    let path: String
    /// Whether it was found in a folder: one that cannot be read is then a reject, and not the end of the run.
    var isFound = false

    var isStandardInput: Bool { path == "-" }

    /// What the system says of it, or `nil` when it is gone.
    var status: FileStatus? {
        isStandardInput ? FileStatus(of: .standardInput) : FileStatus(ofPath: path)
    }

    /// The size in bytes as it is stored, compressed or not; `nil` if it is not a regular file.
    var regularSize: Int64? { status.flatMap { $0.kind == .regular ? $0.size : nil } }

    /// All the files that a request names, folders replaced by what they hold, in the order in which they are read.
    ///
    /// Files of a folder are in the order of their paths' bytes, so a run reads the same on every machine. Links inside
    /// a folder are not followed: they lead to files read twice and to circles. Files being written are never read,
    /// even in a folder given.
    /// Also returned are the links that were not followed.
    static func all(
        of request: ConversionRequest, besides outputs: [FileStatus]
    ) throws(ArchiveError) -> (files: [InputFile], links: ConversionRequest.Links) {
        var names = request.inputs
        if let list = request.filesFrom {
            names += try namesListed(in: list)
        }
        guard names.count(where: { $0 == "-" }) <= (request.filesFrom == "-" ? 0 : 1) else {
            throw ArchiveError(.inputUnreadable, "cannot read standard input twice")
        }
        var files: [InputFile] = []
        var links: ConversionRequest.Links = (0, "")
        for name in names {
            if name == "-" {
                files.append(InputFile(path: name))
                continue
            }
            guard let status = FileStatus(ofPath: name) else {
                throw ArchiveError(.inputUnreadable, "cannot open", path: name, systemCode: errno)
            }
            if status.kind == .folder {
                files += try request.files(in: name, besides: outputs, &links)
            } else {
                files.append(InputFile(path: name))
            }
        }
        return (files, links)
    }

    private static func namesListed(in path: String) throws(ArchiveError) -> [String] {
        let limit = 1 << 30
        let bytes =
            try path == "-"
            ? Descriptor.standardInput.readAll(limit: limit) : Descriptor.contents(of: path, limit: limit)
        // What `find -print0` writes may have line ends in its names.
        let hasNULs = bytes.contains(0)
        return bytes.split(separator: hasNULs ? 0 : 0x0A)
            .map { !hasNULs && $0.last == 0x0D ? $0.dropLast() : $0 }
            .filter { !$0.isEmpty }
            .map { String(decoding: $0, as: UTF8.self) }
    }
}
