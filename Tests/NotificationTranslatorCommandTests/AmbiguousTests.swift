import Testing

@Suite("The option --ambiguous") struct AmbiguousTests {
    private static let exact =
        #"{"notificationType":"TEST","notificationUUID":"u","signedDate":1600000000000,"data":{"bundleId":"app"}}"#
    private static let message = "more than one event is possible; 'explain' lists the candidates"

    @Test("Ambiguous records are rejects with a place, in both contexts", arguments: ["record", "timeline"])
    func rejects(context: String) throws {
        let command = try Command()
        let options = ["convert", "a", "--context", context, "-o", "out"]
        try command.write(Self.exact + "\n" + Body.cancel(1) + "\n", to: "a")
        #expect(try command.run(options + ["--ambiguous", "keep"]).code == 0)
        #expect(try command.lines("out").count == 2)

        let more = ["--ambiguous", "reject", "--rejects", "r", "--report", "report.json", "--force"]
        let run = try command.run(options + more)
        #expect(run.code == 1)
        let lines = run.errors.split(separator: "\n").map { $0.drop { $0 == " " } }
        #expect(lines.first == "a:2:1: reject[event.ambiguous]: \(Self.message)")
        #expect(lines.contains("converted   1   exact 1"))
        #expect(lines.contains("rejected    1   event.ambiguous 1"))
        #expect(lines.last == "notification-translator: 1 record rejected, 0 allowed (--max-rejects)")
        #expect(try command.lines("out").count == 1)
        let (offset, length) = (Self.exact.utf8.count + 1, Body.cancel(1).utf8.count)
        let reject =
            #"{"input":"a","line":2,"offset":\#(offset),"length":\#(length),"code":"event.ambiguous","path":""}"# + "\n"
        #expect(try command.text("r") == reject)
        let report = try command.text("report.json").filter { $0 != " " && $0 != "\n" }
        let counts = #""records":2,"converted":1,"evidence":0,"rejected":1,"skipped":0,"skip_reasons":{},"events":1"#
        #expect(report.contains(counts))
        #expect(report.contains(#""rejects":{"event.ambiguous":1}"#))

        let allowed = try command.run(options + more + ["--max-rejects", "1", "--strict"])
        #expect(allowed.code == 0)
        let raw = try command.run(options + more + ["--rejects-raw"])
        #expect(raw.code == 1)
        #expect(try command.text("r").contains(#""content":null"#) == (context == "timeline"))
    }

    @Test("At most 20 ambiguous records are shown, whatever lines they have", arguments: ["record", "timeline"])
    func showsTwenty(context: String) throws {
        let document = Body.cancel(1).replacing(",", with: ",\n")
        let run = try Command.run(
            "convert", "a", "--context", context, "--ambiguous", "reject",
            over: Array(repeating: document, count: 25).joined(separator: "\n"))
        #expect(run.code == 1 && run.output == "")
        let shown = run.errors.split(separator: "\n").filter { $0.contains("reject[") }
        #expect(shown.count == 20)
        #expect(shown.last == "a:58:1: reject[event.ambiguous]: \(Self.message) (record 20)")
        #expect(run.errors.contains("5 rejects not shown"))
    }

    @Test("A line that begins a document on several lines is a reject, and no broken line")
    func spreadDocument() throws {
        let command = try Command()
        let document = Body.cancel(1).replacing(",", with: ",\n")
        try command.write(Self.exact + "\n" + document + "\n" + Self.exact + "\n", to: "a")
        let run = try command.run(
            "convert", "a", "--context", "record", "--ambiguous", "reject", "--rejects", "r", "-o", "out")
        #expect(run.code == 1)
        #expect(try command.lines("out").count == 2)
        #expect(try command.lines("r").count == 1)
        #expect(run.errors.contains("a:2:1: reject[event.ambiguous]"))
    }

    @Test("A pipe answers an ambiguous line with an error")
    func pipe() throws {
        let command = try Command()
        let two = #"{"notificationHistory":[\#(Body.cancel(1)),\#(Body.cancel(2))]}"#
        let lines = [Self.exact, Body.cancel(1), two].joined(separator: "\n")
        let run = try command.run("pipe", "--ambiguous", "reject", input: .text(lines))
        let answers = run.lines
        #expect(run.code == 0 && answers.count == 3)
        #expect(answers.first?.contains(#""type":"TEST""#) == true)
        #expect(answers[1] == #"{"error":{"code":"event.ambiguous","message":"\#(Self.message)","line":2}}"#)
        #expect(answers[2].contains("record.several"))

        let keyed = try command.run("evidence", input: .text(lines))
        let grouped = try command.run("settle", "--ambiguous", "reject", input: .text(keyed.output))
        let settled = grouped.lines
        #expect(settled.count == 4)
        #expect(settled.first == answers.first)
        #expect(settled[1] == #"{"error":{"code":"event.ambiguous","message":"\#(Self.message)"}}"#)
    }
}
