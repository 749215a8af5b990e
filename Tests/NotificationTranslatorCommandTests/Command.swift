import NotificationLibC
import NotificationTranslation

/// The built program, run in a folder of its own with an empty environment.
final class Command {
    /// What a run left behind.
    struct Result {
        /// Exit code; 128 + the signal's number when a signal ended it.
        var code: Int32
        var output: String
        var errors: String
        var seconds: Double

        var lines: [Substring] { output.split(separator: "\n") }

        var events: [UnifiedEvent] { get throws { try lines.map { try UnifiedEvent(line: Array($0.utf8)) } } }

        var values: [JSONValue] { get throws { try lines.map { try Command.json($0) } } }
    }

    /// Where the program's standard input comes from.
    enum Input {
        case nothing
        case file(String)
        case pipe([UInt8])
        /// A pipe that the test writes to, and that stays open.
        case held(Pipe)

        static func text(_ text: String) -> Self { .pipe(Array(text.utf8)) }
    }

    typealias Pipe = (reading: Int32, writing: Int32)

    struct Failure: Error { var call: String }

    let folder: String

    /// Begins with files of these texts, by their names.
    init(_ files: [String: String] = [:]) throws {
        var template = Array("/tmp/notification-translator-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Failure(call: "mkdtemp") }
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        for (name, text) in files { try write(text, to: name) }
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// The program beside the test bundle.
    static let program: String = {
        let bundle = CommandLine.arguments.first ?? ""
        let beside = bundle.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        let candidate = beside + "/notification-translator"
        if access(candidate, X_OK) == 0 { return candidate }
        return root + "/.build/debug/notification-translator"
    }()

    /// The folder of the package.
    static let root =
        #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")

    /// The text of a file of the package.
    static func file(_ path: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(filePath: root + "/" + path)), as: UTF8.self)
    }

    /// The names in a folder of the package, sorted.
    static func files(in path: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: root + "/" + path).sorted()
    }

    /// What a text of JSON says.
    static func json(_ text: some StringProtocol) throws -> JSONValue {
        try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
    }

    /// Whether a program is found where ``ReadmeTests/shell(_:in:)`` looks.
    static func isInstalled(_ program: String) -> Bool {
        let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
        return path.split(separator: ":").contains { access($0 + "/" + program, X_OK) == 0 }
    }

    // MARK: Files

    func path(_ name: String) -> String { name.hasPrefix("/") ? name : folder + "/" + name }

    func write(_ text: String, to name: String) throws { try write(Array(text.utf8), to: name) }

    func write(_ bytes: [UInt8], to name: String) throws { try Data(bytes).write(to: URL(filePath: path(name))) }

    static func pour(_ text: String, into file: Int32) throws { try pour(Array(text.utf8), into: file) }

    static func pour(_ bytes: [UInt8], into file: Int32) throws {
        var left = bytes[...]
        while !left.isEmpty {
            let count = left.withUnsafeBytes { unistdWrite(file, $0.baseAddress, $0.count) }
            // A program that ends before it has read everything is what some tests are about.
            if count < 0, errno == EPIPE { return }
            guard count > 0 else { throw Failure(call: "write") }
            left = left.dropFirst(count)
        }
    }

    /// Pours bytes in pieces until a condition holds, then waits for it, for two minutes in all.
    ///
    /// The last megabyte is held back, so that the program that reads them does not finish.
    static func pour(_ bytes: [UInt8], into file: Int32, until holds: () -> Bool) throws {
        var left = bytes.dropLast(1 << 20)
        for _ in 0..<4_800 {
            if holds() { return }
            try pour(Array(left.prefix(1 << 17)), into: file)
            left = left.dropFirst(1 << 17)
            usleep(25_000)
        }
    }

    /// Whether a program reads all that was poured into its pipe; waits for it, for a minute at most.
    static func isRead(_ reading: Int32) -> Bool {
        var end = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
        for _ in 0..<6_000 {
            if poll(&end, 1, 0) == 0 { return true }
            usleep(10_000)
        }
        return false
    }

    func bytes(_ name: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: path(name)))) }

    func text(_ name: String) throws -> String { String(decoding: try bytes(name), as: UTF8.self) }

    func lines(_ name: String) throws -> [Substring] { try text(name).split(separator: "\n") }

    /// The name under which an output grows.
    static func partial(_ name: String) -> String { ".\(name).notification-translator.partial" }

    func exists(_ name: String) -> Bool { access(path(name), F_OK) == 0 }

    /// The names in the folder, sorted, without what the runs' own output was caught in.
    var names: [String] { names(in: "").filter { !$0.hasPrefix("std") } }

    /// The names in a folder of it, sorted.
    func names(in name: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path(name))) ?? []).sorted()
    }

    func makeFolder(_ name: String) { mkdir(path(name), 0o777) }

    /// The access rights of a file.
    func rights(_ name: String) -> mode_t {
        var status = stat()
        stat(path(name), &status)
        return status.st_mode & 0o777
    }

    // MARK: Runs

    /// A program that is running.
    struct Running {
        let identifier: pid_t
        let output: String
        let errors: String

        /// Waits for its end.
        func wait() -> Int32 {
            var status: Int32 = 0
            while waitpid(identifier, &status, 0) == -1, errno == EINTR {}
            return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
        }
    }

    private var runs = 0

    /// Starts the program in the folder; standard output and error go to files unless something else is named.
    func start(
        _ arguments: [String],
        input: Input = .nothing,
        output: String? = nil,
        errors: String? = nil,
        environment: [String] = [],
        program: String = Command.program
    ) throws -> Running {
        runs += 1
        let caught = (output ?? path("stdout\(runs)"), errors ?? path("stderr\(runs)"))
        #if canImport(Darwin)
        var actions: posix_spawn_file_actions_t?
        var attributes: posix_spawnattr_t?
        #else
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        #endif
        // The tests ignore SIGPIPE; the program must not.
        signal(SIGPIPE, SIG_IGN)
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var defaults = sigset_t()
        sigemptyset(&defaults)
        sigaddset(&defaults, SIGPIPE)
        posix_spawnattr_setsigdefault(&attributes, &defaults)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        switch input {
        case .nothing: posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        case .file(let name): posix_spawn_file_actions_addopen(&actions, 0, path(name), O_RDONLY, 0)
        case .held(let pipe):
            posix_spawn_file_actions_adddup2(&actions, pipe.reading, 0)
            posix_spawn_file_actions_addclose(&actions, pipe.writing)
        case .pipe: throw Failure(call: "a pipe needs run")
        }
        posix_spawn_file_actions_addopen(&actions, 1, caught.0, O_WRONLY | O_CREAT | O_TRUNC, 0o666)
        posix_spawn_file_actions_addopen(&actions, 2, caught.1, O_WRONLY | O_CREAT | O_TRUNC, 0o666)
        // A shell changes the folder and becomes the program; posix_spawn has no portable way to do that.
        let command = ["/bin/sh", "-c", "cd \"$0\" && exec \"$@\"", folder, program] + arguments
        var words: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
        // Empty but for what a run that measures coverage needs.
        let coverage = getenv("LLVM_PROFILE_FILE").map { ["LLVM_PROFILE_FILE=" + String(cString: $0)] } ?? []
        var variables: [UnsafeMutablePointer<CChar>?] = (environment + coverage).map { strdup($0) } + [nil]
        defer { for word in words + variables { free(word) } }
        var identifier: pid_t = 0
        guard posix_spawn(&identifier, "/bin/sh", &actions, &attributes, &words, &variables) == 0 else {
            throw Failure(call: "posix_spawn " + program)
        }
        return Running(identifier: identifier, output: caught.0, errors: caught.1)
    }

    /// Runs the program to its end.
    func run(
        _ arguments: String...,
        input: Input = .nothing,
        output: String? = nil,
        environment: [String] = []
    ) throws -> Result {
        try run(arguments, input: input, output: output, environment: environment)
    }

    /// The same for arguments that are put together.
    func run(
        _ arguments: [String],
        input: Input = .nothing,
        output: String? = nil,
        environment: [String] = [],
        program: String = Command.program
    ) throws -> Result {
        let began = ContinuousClock.now
        var running: Running
        if case .pipe(let bytes) = input {
            let ends = try Self.makePipe()
            running = try start(
                arguments, input: .held(ends), output: output, environment: environment, program: program)
            close(ends.reading)
            try Self.pour(bytes, into: ends.writing)
            close(ends.writing)
        } else {
            running = try start(arguments, input: input, output: output, environment: environment, program: program)
        }
        let code = running.wait()
        let seconds = (ContinuousClock.now - began) / .seconds(1)
        let output = output == nil ? try text(running.output) : ""
        return Result(code: code, output: output, errors: try text(running.errors), seconds: seconds)
    }

    /// Runs the program in a folder of its own that holds a file of this text.
    static func run(_ arguments: String..., over text: String, as name: String = "a") throws -> Result {
        try run(arguments, over: text, as: name)
    }

    /// The same for arguments that are put together.
    static func run(_ arguments: [String], over text: String, as name: String = "a") throws -> Result {
        try Command([name: text]).run(arguments)
    }

    /// A pipe that other programs started at the same time do not inherit.
    static func makePipe() throws -> Pipe {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw Failure(call: "pipe") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }
}

extension Sequence where Element: StringProtocol {
    /// The texts, each as a line.
    var asLines: String { map { $0 + "\n" }.joined() }
}

extension StringProtocol where SubSequence == Substring {
    /// What comes after the first place of a text; empty if it is not there.
    func components(after text: String) -> Substring { firstRange(of: text).map { self[$0.upperBound...] } ?? "" }

    /// The first value with a key as JSON writes it, if there is neither a comma nor a brace in it.
    func value(of key: some StringProtocol) -> String {
        String(components(after: "\"\(key)\":").prefix { $0 != "," && $0 != "}" })
    }
}

/// `write(2)`, which inside ``Command`` would mean a method.
private func unistdWrite(_ file: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int { write(file, bytes, count) }
