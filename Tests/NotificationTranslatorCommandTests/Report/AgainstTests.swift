#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import NotificationTranslation
import Testing

/// What `report --against` says of changes that are known.
@Suite("A report against another run") struct AgainstTests {
    private static func command() throws -> Command {
        let command = try Command()
        try command.write(Cluster.archive(lives: 5).joined(separator: "\n") + "\n", to: "a.ndjson")
        return command
    }

    private static let quiet = ["-q", "--max-rejects", "9", "a.ndjson"]

    private static func changes(_ command: Command, _ options: [String] = [], old: String = "old.ndjson") throws
        -> JSONValue
    {
        let run = try command.run(["report", "--format", "json", "--against", old] + quiet + options)
        #expect(run.code == 0 && run.errors == "")
        let report = try JSONDecoder().decode(JSONValue.self, from: Data(run.output.utf8))
        return try #require(report["changes"])
    }

    private static func number(_ key: String, _ changes: JSONValue) -> Int64 { changes[key]?.integer ?? -1 }

    @Test("The same run twice changes nothing", arguments: [["--context", "timeline"], ["--context", "record"]])
    func theSameRunTwiceChangesNothing(options: [String]) throws {
        let command = try Self.command()
        #expect(try command.run(["convert", "-o", "old.ndjson"] + Self.quiet + options).code == 0)
        let lines = try command.text("old.ndjson").split(separator: "\n").count
        let changes = try Self.changes(command, options)
        #expect(Self.number("old_events", changes) == lines)
        #expect(Self.number("new_events", changes) == lines)
        #expect(Self.number("same", changes) == lines)
        for key in ["changed", "added", "gone", "no_events"] { #expect(Self.number(key, changes) == 0) }
    }

    @Test("Every known change is reported and nothing else") func everyKnownChangeIsReportedAndNothingElse() throws {
        let command = try Self.command()
        #expect(try command.run(["convert", "-o", "new.ndjson"] + Self.quiet).code == 0)
        var lines = try command.text("new.ndjson").split(separator: "\n").map(String.init)
        // Ids that one event has alone, so that what is made of them is known.
        let ids = lines.map { String($0.dropFirst(#"{"schema_version":"1","id":""#.count).prefix(36)) }
        let single = lines.indices.filter { place in ids.count { $0 == ids[place] } == 1 }
        let exact = single.filter { lines[$0].contains(#""certainty":"exact""#) }
        #expect(exact.count > 20)
        for place in exact[0..<3] {
            lines[place] = lines[place].replacing(#""certainty":"exact""#, with: #""certainty":"inferred""#)
                .replacing(#""rule":""#, with: #""rule":"old-"#)
        }
        let removed = Set(exact[5..<9])
        var old = lines.indices.filter { !removed.contains($0) }.map { lines[$0] }
        for number in 0..<2 { old.append(lines[exact[9]].replacing(ids[exact[9]], with: "gone-\(number)")) }
        // The order of the old file and where its records lay are no change.
        old.reverse()
        old = old.map { $0.replacing(#""input":"a.ndjson""#, with: #""input":"elsewhere""#) }
        old.insert(contentsOf: ["", "no event", #"{"schema_version":"1","id":"x"}"#, "[1]"], at: 4)
        try command.write(old.joined(separator: "\r\n"), to: "old.ndjson")
        let changes = try Self.changes(command)
        #expect(Self.number("changed", changes) == 3)
        #expect(Self.number("added", changes) == 4)
        #expect(Self.number("gone", changes) == 2)
        #expect(Self.number("no_events", changes) == 3)
        #expect(Self.number("first_no_event", changes) == 6)
        #expect(Self.number("same", changes) == Int64(lines.count) - 7)
        #expect(changes["fields"]?["certainty"]?.integer == 3)
        guard case .object(let fields)? = changes["fields"] else { throw Failure.form }
        #expect(Set(fields.keys).isSubset(of: ["certainty", "source.rule"]))
        guard case .array(let examples)? = changes["changed_examples"] else { throw Failure.form }
        #expect(Set(examples.compactMap { $0["id"]?.string }) == Set(exact[0..<3].map { ids[$0] }))
        #expect(examples.allSatisfy { $0["old_rule"] == .null || $0["old_rule"]?.string?.hasPrefix("old-") == true })
        guard case .array(let gone)? = changes["gone_examples"] else { throw Failure.form }
        #expect(Set(gone.compactMap { $0["id"]?.string }) == ["gone-0", "gone-1"])
    }

    private enum Failure: Error { case form }

    @Test("More archive adds events and corrects duplicates")
    func moreArchiveAddsEventsAndGivesDeliveriesAgainTheirOwn() throws {
        let command = try Command()
        let lines = Cluster.archive(lives: 3)
        let body = { (time: String) in
            #"{"receivedAt":"\#(time)","body":{"notification_type":"DID_RENEW","environment":"PROD","#
                + #""latest_receipt_info":{"product_id":"p","original_transaction_id":"1","transaction_id":"2","#
                + #""purchase_date_ms":"1577869200000","expires_date_ms":"1580547600000"}}}"#
        }
        let times = (1...6).map { "2020-01-0\($0)T09:00:01Z" }
        try command.write((lines + [0, 2, 4].map { body(times[$0]) }).joined(separator: "\n"), to: "a.ndjson")
        #expect(try command.run(["convert", "-o", "old.ndjson"] + Self.quiet).code == 0)
        try command.write((times.map(body) + lines).joined(separator: "\n"), to: "a.ndjson")
        let changes = try Self.changes(command)
        #expect(Self.number("added", changes) == 3)
        #expect(Self.number("gone", changes) == 0)
        #expect(Self.number("changed", changes) == 0)
    }

    @Test("A catalogue shows what it changes and a packed file says the same")
    func aCatalogueShowsWhatItChangesAndAPackedFileSaysTheSame() throws {
        let command = try Self.command()
        #expect(try command.run(["convert", "-o", "old.ndjson"] + Self.quiet).code == 0)
        #expect(try command.run(["convert", "-o", "old.ndjson.gz"] + Self.quiet).code == 0)
        try command.write(CatalogueTests.products, to: "products.csv")
        let options = ["--catalogue", "products.csv"]
        let changes = try Self.changes(command, options)
        #expect(Self.number("changed", changes) > 0)
        #expect(Self.number("added", changes) == 0 && Self.number("gone", changes) == 0)
        #expect(changes["fields"]?["flags"]?.integer ?? 0 > 0)
        #expect(changes["fields"]?["transaction.product_type"]?.integer ?? 0 > 0)
        let packed = try Self.changes(command, options, old: "old.ndjson.gz")
        #expect(packed["fields"] == changes["fields"] && packed["rules"] == changes["rules"])
        #expect(try Self.changes(command, options + ["--jobs", "3"]) == changes)
    }

    @Test("HTML and Markdown name a rule once where it stayed, and no line of an event that was deduced")
    func whatPeopleReadNamesARuleOnce() throws {
        let command = try Self.command()
        #expect(try command.run(["convert", "-o", "old.ndjson"] + Self.quiet).code == 0)
        let old = try command.text("old.ndjson").split(separator: "\n").map {
            $0.replacing(#""certainty":"exact""#, with: #""certainty":"inferred""#)
                .replacing(#""rule":"renew""#, with: #""rule":"renew-of-old""#)
        }
        try command.write(old.joined(separator: "\n"), to: "old.ndjson")
        for (format, (stays, changes, deduced)) in [
            "html": ("initial-buy</bdi>", "renew-of-old → renew</bdi>", "<bdi>deduced from a.<wbr>ndjson</bdi>"),
            "markdown": ("| `initial-buy` |", "| `renew-of-old → renew` |", "| `deduced from a.ndjson` |"),
        ] {
            let run = try command.run(
                ["report", "--format", format, "--infer", "all", "--against", "old.ndjson"] + Self.quiet)
            let section = try #require(run.output.components(separatedBy: "Agreement with Apple").first)
            for text in [stays, changes, deduced] { #expect(section.contains(text), "\(text)") }
            #expect(!section.contains("ndjson:0") && !section.contains("rule before"))
        }
    }

    @Test("A deduced event has its input and no line in JSON")
    func aDeducedEventHasItsInputAndNoLineInJSON() throws {
        let command = try Self.command()
        #expect(try command.run(["convert", "-o", "old.ndjson"] + Self.quiet).code == 0)
        let changes = try Self.changes(command, ["--infer", "all"])
        guard case .array(let added)? = changes["added_examples"], !added.isEmpty else { throw Failure.form }
        #expect(added.allSatisfy { $0["record"] == .object(["input": .string("a.ndjson"), "line": .null]) })
    }

    @Test("The changes are in every form, and only where they were asked for")
    func changesAreInEveryFormWhereAskedFor() throws {
        let command = try Self.command()
        try command.write("x\n", to: "old.ndjson")
        for (format, sign) in [("markdown", "## What changed"), ("html", "<h2>What changed</h2>")] {
            let with = try command.run(["report", "--format", format, "--against", "old.ndjson"] + Self.quiet)
            #expect(with.code == 0 && with.output.contains(sign))
            #expect(with.output.contains("is not an event of this program, the first at line 1"))
            let without = try command.run(["report", "--format", format] + Self.quiet)
            #expect(!without.output.contains("What changed"))
        }
        let json = try command.run(["report", "--format", "json"] + Self.quiet)
        #expect(!json.output.contains("\"changes\""))
        let missing = try command.run(["report", "--against", "nowhere"] + Self.quiet)
        #expect(missing.code == 2 && missing.errors.contains("cannot open nowhere"))
        let overwritten = try command.run(
            ["report", "--against", "old.ndjson", "-o", "old.ndjson", "--force"] + Self.quiet)
        #expect(overwritten.code == 2 && overwritten.errors.contains("it is one of the inputs"))
    }
}
