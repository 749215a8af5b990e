import Testing
import NotificationLibC

import NotificationArchives
@testable import NotificationTranslation
@testable import notification_translator

/// Secrets at every string of every fixture, in records whole and broken in every way the decoder knows: none comes out
/// but where an event says what stood there.
///
/// Each kind of place is tried once in each way, those within texts and signed payloads in every third way;
/// `CANARY=all swift test --filter Canary` tries every place of every fixture in all, which takes minutes.
@Suite("Secrets in every field") struct CanaryTests {
    private static let everything = ProcessInfo.processInfo.environment["CANARY"] == "all"

    /// Believes every signature, so that what comes after one that holds is looked at too.
    private struct Believer: SignedPayloadVerifier {
        func verify(_ jws: RawSpan, as kind: SignedPayloadKind) throws(AuthenticityError) -> VerificationTime {
            VerificationTime(milliseconds: 0, basis: .now)
        }
    }

    /// The same of receipts.
    private struct ReceiptBeliever: ReceiptVerifier {
        func verify(_ receipt: RawSpan) throws(AuthenticityError) -> AppReceipt {
            guard receipt.byteCount % 2 == 0 else { throw AuthenticityError(.receiptNotDER) }
            return AppReceipt(kind: .production, bundleID: "com.example", createdAt: EventTime(milliseconds: 0))
        }
    }

    private static func policies() throws -> [TrustPolicy] {
        let secrets = try SharedSecrets(["0123456789abcdef0123456789abcdef"])
        let app = ExpectedApp(bundleID: "com.example.other", appAppleID: 1, environment: .production)
        return [
            .trustingTheSource, .verify(Believer(), sharedSecrets: secrets, expecting: .any),
            .verify(Believer(), sharedSecrets: secrets, expecting: app), .sharedSecrets(secrets, expecting: .any),
            .verify(Believer(), expecting: .any).trustingTheSourceWhereUnproven(),
            .trustingTheSource.verifyingReceipts(with: ReceiptBeliever()),
            .receipts(ReceiptBeliever(), expecting: .any),
        ]
    }

    @Test("No canary comes out of the library") func noneComesOutOfTheLibrary() throws {
        let search = CanarySearch()
        let converters = try Self.policies().map { RecordConverter(options: .init(), policy: $0) }
        var leaks: [String] = []
        var cases = 0
        var events = 0
        try CanaryCase.visit(everything: Self.everything) { one in
            cases += 1
            let padded = one.record + [UInt8](repeating: 0, count: RecordConverter.slack)
            // Without a policy always; under one of the others, in turn, every fourth case, with CANARY=all every second one.
            let step = Self.everything ? 2 : 4
            for place in cases % step > 0 ? [0] : [0, 1 + cases / step % (converters.count - 1)] {
                let converter = converters[place]
                converter.output.removeAll()
                converter.begin(input: "-", offset: 0)
                padded.withUnsafeBytes { bytes in
                    _ = converter.convertLine(
                        of: UnsafeRawBufferPointer(rebasing: bytes[..<one.record.count]), from: 0)
                }
                let output = converter.output
                events += output.tally.converted
                let hits =
                    search.canaries(in: Array(output.bytes.bytes)) { one.mayBeShown && $0 == one.number }
                    + output.rejects.flatMap { search.canaries(in: Array("\($0)".utf8)) }
                if !hits.isEmpty { leaks.append("\(one.name): \(hits)") }
            }
            guard Self.everything || cases % 16 == 0 else { return }
            var said = ""
            do throws(NotificationError) { said = try Explanation().body(one.record) } catch {
                let hits = search.canaries(in: Array("\(error) \(String(reflecting: error))".utf8))
                if !hits.isEmpty { leaks.append("error of \(one.name): \(hits)") }
            }
            let hits = search.canaries(in: Array(said.utf8)) { one.mayBeShown && $0 == one.number }
            if !hits.isEmpty { leaks.append("explanation of \(one.name): \(hits)") }
        }
        #expect(leaks == [])
        // So that nobody believes a test that tried nothing.
        #expect(cases > 4000)
        #expect(events > cases / 4)
    }

    @Test("No canary comes out of the command") func noneComesOutOfTheCommand() throws {
        // Broken records mostly, and some of the cases are enough for the way through files and messages.
        let stride = Self.everything ? 64 : 16
        var lines: [UInt8] = []
        // As many as `explain` takes.
        var few = 0
        // Payloads of version 2 are handed on with all they say.
        var version1: [UInt8] = []
        var shown: Set<Int> = []
        try CanaryCase.visit(everything: Self.everything) { one in
            guard one.number % stride == 0 else { return }
            lines += one.record + [0x0A]
            if !String(decoding: one.record, as: UTF8.self).contains("signed") { version1 += one.record + [0x0A] }
            if lines.count < 8 << 20 { few = lines.count }
            if one.mayBeShown { shown.insert(one.number) }
        }
        let command = try Command(["secrets": "0123456789abcdef0123456789abcdef\n", "key": "0123456789abcdef"])
        for (name, records) in [("a", lines), ("few", Array(lines[..<few])), ("v1", version1)] {
            try command.write(records, to: name)
        }
        let trust = ["--verify", "apple", "--shared-secret-file", "secrets", "--require-authentic"]
        let redaction = ["--redact", "key"]
        let reports = ["--report", "report.md", "--report", "report.json"]
        let runs = [
            ["convert", "-v", "a", "-o", "events", "--rejects", "rejects"] + reports,
            ["convert", "-v", "a", "-o", "events2", "--rejects", "rejects2"] + trust,
            ["convert", "-v", "--context", "record", "a"] + redaction,
            ["convert", "-v", "--infer", "all", "a"] + redaction,
            ["convert", "-v", "-n", "--strict", "--envelope", "/body", "a"],
            ["pipe"], ["pipe", "--errors", "stderr"] + trust, ["explain", "few"],
            ["convert", "-v", "--verify-receipts", "apple", "a"],
        ]
        for (place, arguments) in runs.enumerated() {
            let running = try command.start(arguments, input: arguments[0] == "pipe" ? .file("a") : .nothing)
            #expect(running.wait() == (arguments[0] == "pipe" ? 0 : 1), "\(arguments)")
            try expectNone(command, in: ["stderr\(place + 1)"])
        }
        try expectNone(command, in: command.names.filter { $0.hasPrefix("rejects") })
        let outputs =
            ["events", "events2"] + command.names.filter { $0.hasPrefix("report.") }
            + (1...runs.count).map { "stdout\($0)" }
        try expectNone(command, in: outputs) { shown.contains($0) }
        let bodies = try command.run(
            ["rehearse", "v1", "--expect-bundle-id", "com.example.news", "--expect-environment", "Production"])
        try command.write(try RehearseTests.plain(bodies.output), to: "bodies")
        #expect(bodies.code == 1 && bodies.output.utf8.count > 100_000)
        try expectNone(command, in: ["bodies"]) { shown.contains($0) }
        // What answers a line without an event is an error, and holds none at all.
        let answers = try command.bytes("stdout6").split(separator: 0x0A).filter { $0.starts(with: "{\"error\"".utf8) }
        #expect(CanarySearch().canaries(in: Array(answers.joined(separator: [0x0A]))) == [])
        #expect(try command.lines("rejects").count > 500)
    }

    @Test("No canary is left by a run that was killed", arguments: ["record", "timeline"])
    func noneIsLeftByARunThatWasKilled(context: String) throws {
        var lines: [UInt8] = []
        var shown: Set<Int> = []
        try CanaryCase.visit(everything: false) { one in
            guard one.number % 8 == 1 else { return }
            lines += one.record + [0x0A]
            if one.mayBeShown { shown.insert(one.number) }
        }
        let command = try Command()
        let ends = try Command.makePipe()
        let running = try command.start(
            ["convert", "-v", "--context", context, "-", "-o", "out", "--rejects", "raw", "--rejects-raw"],
            input: .held(ends))
        close(ends.reading)
        let many = Array(repeatElement(lines, count: 1 + (16 << 20) / max(lines.count, 1)).joined())
        try Command.pour(many, into: ends.writing) { (try? command.bytes(Command.partial("raw")).isEmpty) == false }
        kill(running.identifier, SIGKILL)
        _ = running.wait()
        close(ends.writing)
        // Events may hold what events show.
        #expect(command.names.filter { $0.contains("out") } == [Command.partial("out")])
        try expectNone(command, in: ["stdout1", "stderr1"])
        try expectNone(command, in: [Command.partial("out")]) { shown.contains($0) }
        // The one file that was asked to hold records is nobody else's to read, from its first byte.
        #expect(command.rights(Command.partial("raw")) == 0o600)
        #expect(!CanarySearch().canaries(in: try command.bytes(Command.partial("raw"))).isEmpty)
    }

    private func expectNone(
        _ command: Command, in names: [String], isAllowed: (Int) -> Bool = { _ in false }
    ) throws {
        for name in names {
            let found = CanarySearch().canaries(in: try command.bytes(name), isAllowed: isAllowed)
            #expect(found == [], "\(name)")
        }
    }

    @Test("The search finds every spelling") func theSearchFindsEverySpelling() {
        let search = CanarySearch()
        let canary = CanarySearch.canary(7)
        for before in 0..<3 {
            let text = CanarySearch.base64(Array((String(repeating: "é", count: before) + canary).utf8))
            #expect(search.canaries(in: text).count == 1)
        }
        let hex = canary.utf8.map { String($0, radix: 16) }
        for text in [canary, hex.joined(), hex.map { "%" + $0 }.joined(), hex.map { "\\u00" + $0 }.joined()] {
            #expect(search.canaries(in: Array(text.utf8)).count == 1)
        }
        #expect(search.canaries(in: Array("\(canary) \(CanarySearch.canary(8))".utf8)) { $0 == 7 } == ["raw 8"])
    }
}
