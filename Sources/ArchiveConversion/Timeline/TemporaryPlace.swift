import NotificationTranslation
import NotificationLibC

/// Where the temporary files of a timeline are.
///
/// A run that can be resumed keeps them under names made of its output's, beside it or in the folder asked for;
/// any other run gives them no name at all.
enum TemporaryPlace: Hashable, Sendable {
    /// Files called like this and what they hold.
    case named(prefix: String)
    case nameless(folder: String)

    /// What the files hold; the ends of their names.
    enum Content: String, CaseIterable {
        case lines = ".timeline-lines"
        case runs = ".timeline-runs"
        case verdicts = ".timeline-verdicts"
    }

    init(_ request: ConversionRequest, resumable: Bool) {
        let wanted = request.timeline?.temporaryFolder
        guard resumable else {
            let system = getenv("TMPDIR").map { String(cString: $0) } ?? ""
            self = .nameless(folder: wanted ?? (system.isEmpty ? "/tmp" : system))
            return
        }
        guard let wanted else {
            self = .named(prefix: request.output)
            return
        }
        // Outputs of one name in several folders may share the folder of temporary files.
        let (folder, name) = splitPath(request.output)
        var hash = StableHash()
        hash.add(Self.wholePath(of: folder))
        self = .named(prefix: wanted + "/" + name + "-" + String(hash.value, radix: 16))
    }

    private static func wholePath(of folder: String) -> String {
        guard let path = realpath(folder, nil) else { return folder }
        defer { free(path) }
        return String(cString: path)
    }

    /// The names, if there are any.
    var paths: [String] {
        guard case .named(let prefix) = self else { return [] }
        return Content.allCases.map { prefix + $0.rawValue }
    }

    func create(_ content: Content) throws(ArchiveError) -> TemporaryFile {
        switch self {
        case .named(let prefix): try .named(prefix + content.rawValue)
        case .nameless(let folder): try .nameless(in: folder)
        }
    }

    /// Opens what an interrupted run left; `nil` for nothing.
    func reopen(_ content: Content, length: Int64) throws(ArchiveError) -> TemporaryFile? {
        guard length > 0, case .named(let prefix) = self else { return nil }
        return try .existing(prefix + content.rawValue, length: length)
    }

    /// Whether a file is there with at least as many bytes.
    func has(_ content: Content, length: Int64) -> Bool {
        guard length > 0, case .named(let prefix) = self else { return length == 0 }
        let status = FileStatus(ofPath: prefix + content.rawValue, followLinks: false)
        return status.map { $0.kind == .regular && $0.size >= length } ?? false
    }

    func removeAll() {
        for path in paths { unlink(path) }
    }
}
