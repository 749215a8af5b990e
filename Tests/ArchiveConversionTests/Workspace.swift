import NotificationTranslation
import Testing
import NotificationLibC

@testable import NotificationArchives

/// A folder of its own for one test, gone when the test is over.
final class Workspace {
    let folder: String

    init() throws {
        var template = Array("/tmp/archive-conversion-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw ArchiveError(.system, "cannot make a folder", systemCode: errno) }
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { Self.remove(folder) }

    /// Whether a program is found in `PATH`.
    static func isInstalled(_ program: String) -> Bool {
        let folders = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
        return folders.split(separator: ":").contains { access($0 + "/" + program, X_OK) == 0 }
    }

    func path(_ name: String) -> String { folder + "/" + name }

    func write(_ text: String, to name: String) throws { try write(Array(text.utf8), to: name) }

    func write(_ bytes: [UInt8], to name: String) throws {
        let file = try Descriptor.writing(path(name), flags: O_CREAT | O_TRUNC)
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 16)
        defer { copy.deallocate() }
        copy.copyBytes(from: bytes)
        try file.writeAll(UnsafeRawBufferPointer(copy))
        try file.close()
    }

    func makeFolder(_ name: String) { mkdir(path(name), 0o777) }

    func exists(_ name: String) -> Bool { FileStatus(ofPath: path(name), followLinks: false) != nil }

    func read(_ name: String) throws -> String { String(decoding: try bytes(name), as: UTF8.self) }

    func bytes(_ name: String) throws -> [UInt8] {
        let file = try Descriptor.reading(path(name))
        defer { file.closeQuietly() }
        return try file.readAll(limit: 1 << 30)
    }

    /// Packs a file with a program that has to be installed here.
    func pack(_ program: String, _ from: String, _ to: String) throws {
        let input = try Descriptor.reading(path(from))
        let output = try Descriptor.writing(path(to), flags: O_CREAT | O_TRUNC)
        defer {
            input.closeQuietly()
            output.closeQuietly()
        }
        let status = try ChildProcess(program, ["-c"], input: input, output: output).wait()
        try #require(status == 0)
    }

    /// The names in the folder, sorted.
    var names: [String] { Self.entries(folder).sorted() }

    /// The names in a folder of it, sorted.
    func names(in name: String) -> [String] { Self.entries(path(name)).sorted() }

    /// The access rights of a file.
    func rights(_ name: String) -> mode_t {
        var status = stat()
        stat(path(name), &status)
        return status.st_mode & 0o777
    }

    private static func remove(_ path: String) {
        // First as a file: what a link leads to is nobody's to empty.
        if unlink(path) == 0 { return }
        for name in entries(path) { remove(path + "/" + name) }
        rmdir(path)
    }

    private static func entries(_ path: String) -> [String] {
        guard let stream = opendir(path) else { return [] }
        var names: [String] = []
        while let entry = readdir(stream) {
            names.append(
                withUnsafePointer(to: &entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 1) { String(cString: $0) }
                }
            )
        }
        closedir(stream)
        return names.filter { $0 != "." && $0 != ".." }
    }
}
