#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

import NotificationTranslation

@testable import ArchiveConversion

/// A folder of its own for one test, gone when the test is over.
final class Workspace {
    let folder: String

    init() throws {
        var template = Array("/tmp/archive-conversion-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw ArchiveError(.system, "cannot make a folder", systemCode: errno) }
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { Self.remove(folder) }

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

    /// Packs a file; `false` when the program is not installed here.
    func pack(_ program: String, _ from: String, _ to: String) throws -> Bool {
        let input = try Descriptor.reading(path(from))
        let output = try Descriptor.writing(path(to), flags: O_CREAT | O_TRUNC)
        defer {
            input.closeQuietly()
            output.closeQuietly()
        }
        do throws(ArchiveError) {
            return try ChildProcess(program, ["-c"], input: input, output: output).wait() == 0
        } catch {
            guard error.code == .programMissing else { throw error }
            return false
        }
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

/// A conversion inside the test's own process.
struct Trial {
    var events: String
    var rejects: String
    var outcome: Conversion.Outcome

    /// Runs one, with the output in `name` and the rejects in `name.rejects`.
    init(
        _ inputs: [String],
        in workspace: Workspace,
        output name: String = "out",
        _ change: (inout ConversionRequest) -> Void = { _ in }
    ) throws {
        var request = ConversionRequest(records: .init())
        request.inputs = inputs.map(workspace.path)
        request.output = workspace.path(name)
        request.rejects = workspace.path(name + ".rejects")
        request.overwrites = true
        request.jobs = 1
        change(&request)
        outcome = try Conversion(request, messages: Messages(isQuiet: true)).run()
        events = try workspace.read(name)
        rejects = request.rejects == nil ? "" : try workspace.read(name + ".rejects")
    }

    /// Line number and offset of every event, as `line@offset`.
    var places: [String] { Self.places(in: events) }

    /// Line number, offset, length and code of every reject, as `line@offset+length code`.
    var faults: [String] {
        rejects.split(separator: "\n").map { line in
            let code = line.text(between: "\"code\":\"", and: "\"") ?? "?"
            let length = line.text(between: "\"length\":", and: ",") ?? "?"
            return Self.place(in: line) + "+" + length + " " + code
        }
    }

    static func places(in events: String) -> [String] {
        events.split(separator: "\n").map { place(in: $0) }
    }

    private static func place(in line: Substring) -> String {
        let number = line.text(between: "\"line\":", and: ",") ?? "?"
        let rest = line.text(between: "\"offset\":", and: ",") ?? line.text(between: "\"offset\":", and: "}") ?? "?"
        return number + "@" + String(rest.prefix { $0.isNumber })
    }
}

extension Substring {
    /// The text between two others, at their last occurrence.
    func text(between start: String, and end: Character) -> String? {
        var found: String?
        var rest = self
        while let index = rest.firstIndex(of: "\"") {
            rest = rest[index...]
            if rest.hasPrefix(start) {
                let tail = rest.dropFirst(start.count)
                found = tail.firstIndex(of: end).map { String(tail[..<$0]) }
            }
            rest = rest.dropFirst()
        }
        return found
    }
}

/// Bodies that are small and yet notifications.
enum Body {
    static func cancel(_ number: Int) -> String {
        #"{"notification_type":"CANCEL","environment":"PROD","bid":"app.\#(number)"}"#
    }

    static func pretty(_ number: Int) -> String {
        """
        {
          "notification_type": "CANCEL",
          "environment": "PROD",
          "unified_receipt": {
            "latest_receipt_info": [
              {"transaction_id": "{[\\"}", "x": []},
              {}
            ]
          },
          "bid": "app.\(number)"
        }
        """
    }

    static func lines(_ count: Int) -> String {
        (1...count).map { cancel($0) + "\n" }.joined()
    }
}
