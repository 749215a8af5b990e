import NotificationTranslation
import Testing
import NotificationLibC

@testable import NotificationArchives

/// A folder of its own for one test, gone when the test is over.
final class Workspace {
    let folder: String

    /// Begins with files of these texts, by their names.
    init(_ files: [String: String] = [:]) throws {
        var template = Array("/tmp/archive-conversion-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw ArchiveError(.system, "cannot make a folder", systemCode: errno) }
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        for (name, text) in files { try write(text, to: name) }
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// Whether a program is found in `PATH`.
    static func isInstalled(_ program: String) -> Bool {
        let folders = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
        return folders.split(separator: ":").contains { access($0 + "/" + program, X_OK) == 0 }
    }

    func path(_ name: String) -> String { folder + "/" + name }

    func write(_ text: String, to name: String) throws { try write(Array(text.utf8), to: name) }

    func write(_ bytes: [UInt8], to name: String) throws { try Data(bytes).write(to: URL(filePath: path(name))) }

    func makeFolder(_ name: String) { mkdir(path(name), 0o777) }

    func exists(_ name: String) -> Bool { FileStatus(ofPath: path(name), followLinks: false) != nil }

    func read(_ name: String) throws -> String { String(decoding: try bytes(name), as: UTF8.self) }

    func bytes(_ name: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: path(name)))) }

    /// Packs a file with a program that has to be installed here.
    func pack(_ program: String, _ from: String, _ to: String) throws {
        let input = try Descriptor.reading(path(from))
        let output = try Descriptor.writing(path(to), flags: O_CREAT | O_TRUNC)
        defer {
            input.closeQuietly()
            output.closeQuietly()
        }
        let status = try ChildProcess(program, ["-c"], from: input, to: output, ("", "", "")).finish()
        try #require(status == 0)
    }

    /// The names in the folder, sorted.
    var names: [String] { names(in: "") }

    /// The names in a folder of it, sorted.
    func names(in name: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path(name))) ?? []).sorted()
    }
}
