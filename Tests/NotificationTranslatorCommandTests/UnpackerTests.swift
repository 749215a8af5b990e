import Testing
import NotificationLibC

/// Faster programs than `gzip` unpack, and the answer is that of `gzip` all the same.
@Suite("Programs that unpack") struct UnpackerTests {
    /// Those of the faster programs that this machine has.
    private static let fasterPrograms = ["igzip", "pigz"].filter(isInstalled)

    private static func isInstalled(_ program: String) -> Bool { access("/usr/bin/" + program, X_OK) == 0 }

    /// Packs with `/bin/gzip`.
    private func pack(_ command: Command, _ name: String) throws -> [UInt8] {
        let packing = try command.start(["-nc", name], program: "/bin/gzip")
        #expect(packing.wait() == 0)
        return try command.bytes(String(packing.output.dropFirst(command.folder.utf8.count + 1)))
    }

    private func folder(_ name: String, of programs: [String], in command: Command) -> String {
        mkdir(command.path(name), 0o755)
        for program in programs {
            let target = program == "gzip" ? "/bin/gzip" : "/usr/bin/" + program
            symlink(target, command.path(name + "/" + program))
        }
        return "PATH=" + command.path(name)
    }

    @Test(
        "Whole, cut and continued archives have the same events and exit code",
        .enabled(if: !fasterPrograms.isEmpty, "needs igzip or pigz"), arguments: fasterPrograms)
    func sameAnswersAsGzip(program: String) throws {
        let command = try Command()
        try command.write(Body.lines(50), to: "a")
        let packed = try pack(command, "a")
        let slow = folder("slow", of: ["gzip"], in: command)
        let fast = folder("fast", of: ["gzip", program], in: command)
        let garbage = Array("garbage".utf8)
        for (bytes, code) in [(packed, 0), (packed.dropLast(200), 2), (packed + garbage, 2)] {
            try command.write(Array(bytes), to: "x.gz")
            var answers: [[String]] = []
            for (path, jobs) in [(slow, "1"), (fast, "1"), (fast, "2")] {
                let run = try command.run(
                    "convert", "--context", "record", "-j", jobs, "x.gz", "x.gz", "a", "-o", "out", "--force",
                    "--rejects", "rejects", environment: [path])
                let said = run.errors.split(separator: "\n").filter { !$0.hasPrefix("notification-translator:") }
                answers.append([
                    "\(run.code)", try command.text("out"), try command.text("rejects"), said.joined(separator: "\n"),
                ])
            }
            #expect(answers.allSatisfy { $0 == answers[0] })
            #expect(answers[0][0] == "\(code)")
        }
    }

    @Test("With --verbose the run says what unpacked", arguments: fasterPrograms + ["gzip"])
    func saysWhatUnpacked(program: String) throws {
        let command = try Command()
        try command.write(Body.lines(10), to: "a")
        try command.write(try pack(command, "a"), to: "a.gz")
        let path = folder("bin", of: Array(Set(["gzip", program])), in: command)
        let run = try command.run("convert", "-v", "a.gz", environment: [path])
        #expect(run.errors.contains("notification-translator: compressed inputs were unpacked by \(program)\n"))
        let piped = try command.run(
            "convert", "-v", "-", input: .pipe(try command.bytes("a.gz")), environment: [path])
        #expect(piped.errors.contains("notification-translator: compressed inputs were unpacked by gzip\n"))
    }

    @Test(
        "A faster program is not used where gzip is not installed",
        .enabled(if: isInstalled("igzip"), "igzip is not installed"))
    func asksForGzip() throws {
        let command = try Command()
        try command.write(Body.lines(10), to: "a")
        try command.write(try pack(command, "a"), to: "a.gz")
        let run = try command.run("convert", "a.gz", environment: [folder("bin", of: ["igzip"], in: command)])
        #expect(run.code == 2)
        #expect(run.errors.contains("no 'gzip' program was found"))
    }
}
