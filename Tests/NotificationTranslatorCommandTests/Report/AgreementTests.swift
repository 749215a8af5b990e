import SimulatedLives
import Testing

@Suite("Agreement of V1 answers with V2")
struct AgreementTests {
    private static func report(_ text: String) throws -> ReportCore {
        try ReportCore(try Command.run("report", "-q", "--format", "json", "a", over: text).output)
    }

    /// What V2 says of lives in which nothing was injected; one answer in 320 was a guess that Apple contradicts.
    private static let clean = Result { try report(OverlapArchive(lives: 40).text).agreement }

    @Test("Agreement of undisturbed lives is nearly complete, and no exact answer is contradicted")
    func undisturbed() throws {
        let clean = try Self.clean.get()
        #expect(clean.compared > 300)
        #expect(clean.compared == clean.same + clean.candidate + clean.contradicted)
        #expect(clean.same * 100 > clean.compared * 98)
        #expect(clean.contradicted == clean.contradictions.count)
        #expect(clean.contradicted_exact == 0)
        #expect(clean.v1_only == 0)
        #expect(clean.v2_only_deduced > 0 && clean.v2_only_deduced <= clean.v2_only)
    }

    @Test(
        "Every error injected into V1 is reported, and nothing else",
        arguments: [("DID_RENEW", "DID_RECOVER"), ("INITIAL_BUY", "DID_RENEW")])
    func injected(wrong: (from: String, to: String)) throws {
        let clean = try Self.clean.get()
        let archive = OverlapArchive(lives: 40, wrong: wrong)
        let agreement = try Self.report(archive.text).agreement
        #expect(archive.injections.count > 30)
        let found = agreement.contradictions
        for injection in archive.injections {
            let own = found.filter { injection.lines.contains($0.v1.line) }
            #expect(own.count == 1)
            #expect(own.first.map { $0.apple.type == injection.apple.type } ?? false)
            #expect(own.first.map { $0.apple.subtype == injection.apple.subtype } ?? false)
            // The place of Apple's notification is one of V2.
            let line = try #require(own.first?.v2.line)
            #expect(archive.signedLines.contains(line))
        }
        let injected = Set(archive.injections.flatMap(\.lines))
        #expect(Set(found.filter { !injected.contains($0.v1.line) }) == Set(clean.contradictions))
        #expect(agreement.contradicted == archive.injections.count + clean.contradicted)
        #expect(agreement.compared >= clean.compared)
    }

    @Test("A contradicted translation is a finding with --strict")
    func strict() throws {
        let command = try Command(["a": OverlapArchive(lives: 40, wrong: ("INITIAL_BUY", "DID_RENEW")).text])
        for arguments in [["convert", "a", "-o", "out"], ["report", "a"]] {
            #expect(try command.run(arguments + ["-q"]).code == 0)
            let run = try command.run(arguments + ["--strict", "--force"])
            #expect(run.code == 1)
            #expect(
                run.errors.hasSuffix("notification-translator: version 2 contradicts 39 translations (--strict)\n"))
        }
    }

    @Test("Agreement is not judged in record context, and the run says so")
    func record() throws {
        let command = try Command(["a": OverlapArchive(lives: 2).text])
        let json = try command.run("report", "-q", "--format", "json", "--context", "record", "a")
        #expect(json.output.contains("\"judged\": false"))
        #expect(try ReportCore(json.output).agreement.compared == 0)
        let text = try command.run("report", "-q", "--context", "record", "a").output
        #expect(text.contains("Not compared: each record was judged by itself (--context record)."))
    }
}
