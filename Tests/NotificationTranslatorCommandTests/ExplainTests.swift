import NotificationTranslation
import Testing

@testable import NotificationArchives
@testable import notification_translator

@Suite("The command explain") struct ExplainTests {
    @Test("A body is explained by its facts, its rule and what would settle it")
    func aBodyIsExplainedByItsFactsItsRuleAndWhatWouldSettleIt() throws {
        let run = try Command().run("explain", Command.root + "/Fixtures/archive/cancel.json")
        #expect(run.code == 0)
        let labels = run.lines.dropFirst().map { line in line.drop { $0 == " " }.prefix { $0 != " " } }
        let all = "rule source fact result event also transaction alone context flag settle"
        #expect(Set(labels) == Set(all.split(separator: " ")))
        #expect(!run.output.contains("0123456789abcdef"))
    }

    @Test("Each line of an archive is explained") func eachLineOfAnArchiveIsExplained() throws {
        for (file, heads) in [("2020.ndjson", ["V1 INITIAL_BUY", "Valid JSON"]), ("2023.ndjson", ["V2 DID_RENEW"])] {
            let run = try Command().run("explain", Command.root + "/Fixtures/archive/" + file)
            #expect(run.code == 0)
            for head in heads { #expect(run.output.contains(head), "\(file): \(head)") }
        }
        let run = try Command.run("explain", "a", over: Body.cancel(1) + "\n\nx\n")
        #expect(run.code == 1 && run.output.hasPrefix("V1 CANCEL"))
        #expect(run.errors.hasPrefix("a:3:1: reject[json.syntax]: "))
    }

    @Test("A body may come from standard input, and the error of a broken one names its place")
    func aBodyMayComeFromStandardInputAndABrokenOneIsPlaced() throws {
        let command = try Command()
        let good = try command.run("explain", input: .text(Body.cancel(1)))
        #expect(good.output.hasPrefix("V1 CANCEL"))
        let broken = try command.run("explain", "-", input: .text("{\"a\":"))
        #expect(broken.code == 1 && broken.errors.hasPrefix("-:1:6: reject[json.unexpected-end]: "))
    }

    @Test("What is neither file nor name is refused with a suggestion")
    func whatIsNeitherFileNorNameIsRefusedWithASuggestion() throws {
        for (names, message) in [
            (["CANCLE"], "'CANCLE' is neither a file nor a name in the tables. Did you mean 'CANCEL'?"),
            (["a", "b"], "explain takes one file or one name."),
        ] {
            let run = try Command().run(["explain"] + names)
            #expect(run.code == 2 && run.errors.contains(message))
        }
    }

    @Test("A place of an archive is explained by its whole subscription")
    func aPlaceOfAnArchiveIsExplainedByItsWholeSubscription() throws {
        let command = try Command()
        let archive = Command.root + "/Fixtures/archive"
        let run = try command.run("explain", archive + "/2020.ndjson:3:1:", archive)
        #expect(run.code == 0 && run.errors.isEmpty)
        let entries = run.output.split(separator: "\n\n").map(String.init)
        let asked = entries.filter { $0.hasPrefix("=> ") }
        #expect(asked.count == 1)
        #expect(asked.first?.hasPrefix("=> \(archive)/2020.ndjson:3  V1 CANCEL, 2020-01-20T18:30:00.000Z") ?? false)
        let leader = "2020.ndjson:2  V1 INTERACTIVE_RENEWAL, id fbafb83d-6257-527f-8182-a2cd1f8396a3"
        for part in ["(companion, inferred)", "cancel-upgrade-companion", "part of     \(archive)/\(leader)"] {
            #expect(asked.first?.contains(part) ?? false, "\(part)")
        }
        #expect(entries.count == 7)
        #expect(entries.last?.hasPrefix("Judged as convert judges 4 files") ?? false)
        let byID = try command.run("explain", "--id", "EE4C1BF7-F0C4-5B54-A466-BA590B39CDAA", archive)
        #expect(byID.output == run.output)
        // The id of a subscription or a transaction leads to the same story, of more records.
        for id in ["1000000720000001", "1000000720000002"] {
            let story = try command.run("explain", "--id", id, archive)
            #expect(story.code == 0)
            #expect(story.output.contains("=> \(archive)/2020.ndjson:3  V1 CANCEL") == (id.last == "1"))
            #expect(story.output.contains("2020.ndjson:2  V1 INTERACTIVE_RENEWAL"))
        }
        let alone = try command.run("explain", "--context", "record", archive + "/2020.ndjson:3")
        #expect(alone.output.contains("\n=> \(archive)/2020.ndjson:3  V1 CANCEL, 2020-01-20T18:30:00.000Z"))
        #expect(!alone.output.contains("part of "))
    }

    @Test("A place without an event is explained by what is there")
    func aPlaceWithoutAnEventIsExplainedByWhatIsThere() throws {
        let command = try Command(["a": Body.cancel(1) + "\n\n{\"a\":1}\n{\"a\":\n"])
        for (place, code, message) in [
            ("a:2", 1, "a:2: no record begins there"), ("a:3", 0, "a:3: skipped: "),
            ("a:4", 1, "a:4:6: reject[json.unexpected-end]: "), ("a:5", 1, "a:5: the input has only 4 lines"),
            ("b:5", 2, "notification-translator: cannot open b: "),
        ] as [(String, Int32, String)] {
            let run = try command.run("explain", place)
            #expect(run.code == code && run.output.isEmpty && run.errors.hasPrefix(message), "\(run)")
        }
        let unknown = try command.run("explain", "--id", "nobody", "a")
        #expect(unknown.code == 1 && unknown.errors.contains("no event has the id 'nobody' in 1 file"))
        for place in [["-:1"], ["--id", "com.example.none", "-"], ["/dev/stdin:1"]] {
            let run = try command.run(["explain"] + place, input: .text(Body.cancel(1)))
            #expect(run.output.contains(" V1 CANCEL, ") == place[0].hasSuffix(":1"), "\(run)")
        }
        #expect(try command.run("explain", "--id", "x").errors.contains("--id needs the archive"))
        let option = try command.run("explain", "--infer", "all", "CANCEL")
        #expect(option.errors.contains("--infer needs FILE:LINE or --id ID."))
    }

    @Test("The tables are printed in three forms") func theTablesArePrintedInThreeForms() throws {
        let command = try Command()
        let markdown = try command.run("mapping")
        #expect(markdown.output == MappingDocument.markdown)
        let csv = try command.run("mapping", "--format", "csv").output
        #expect(csv.hasPrefix("v1_type,rule,when,then,certainty,candidates,flags,source\r\n") && csv.hasSuffix("\r\n"))
        let json = try Command.json(command.run("mapping", "--format=json").output)
        let names = ["event", "fields", "flags", "silent-events", "v1-to-v2", "v2-to-event"]
        guard case .object(let files) = json else { throw Command.Failure(call: "mapping") }
        #expect(files.keys.sorted() == names && files.values.allSatisfy { $0["version"]?.string != nil })
        #expect(try command.run("mapping", "file").code == 2)
    }
}
