import SystemLibC

/// What the figures were measured on.
struct Machine {
    let processor: String
    let cores: Int
    let system: String
    let swift: String
    let date: String

    /// This one; the folder is for what `swift --version` says.
    init(folder: TemporaryFolder) {
        cores = Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        var names = utsname()
        uname(&names)
        let kernel = Self.text(names.sysname) + " " + Self.text(names.release) + ", " + Self.text(names.machine)
        let release = TemporaryFolder.lines(of: "/etc/os-release").first { $0.hasPrefix("PRETTY_NAME=") }
        system = (release.map { $0.dropFirst(12).filter { $0 != "\"" } + "; " } ?? "") + kernel
        let model = TemporaryFolder.lines(of: "/proc/cpuinfo").first { $0.hasPrefix("model name") }
        processor = model.flatMap { $0.split(separator: ":").last }.map { String($0.drop { $0 == " " }) } ?? "unknown"
        let said = folder.path("swift-version")
        let run = ChildRun.of(["swift", "--version"], output: said, messages: "/dev/null")
        let line = run?.exitCode == 0 ? TemporaryFolder.lines(of: said).first { $0.contains("Swift version") } : nil
        let words = (line ?? "").split(separator: " ")
        let place = words.firstIndex(of: "version").map { $0 + 1 }
        swift = place.flatMap { $0 < words.endIndex ? String(words[$0]) : nil } ?? "unknown version"
        date = String(TransactionRow.clock(time(nil)).prefix(10))
    }

    /// One line.
    var description: String {
        "\(date), \(processor), \(cores) core\(cores == 1 ? "" : "s"), \(system), Swift \(swift)"
    }

    private static func text<Name>(_ name: Name) -> String {
        withUnsafeBytes(of: name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
