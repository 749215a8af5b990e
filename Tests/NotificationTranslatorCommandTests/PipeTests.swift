import Testing
import NotificationLibC

@Suite("The command pipe") struct PipeTests {
    @Test("Every line has one answer in the same order") func everyLineHasOneAnswerInTheSameOrder() throws {
        let command = try Command()
        let lines = [Body.cancel(1), "", "broken", Body.cancel(2) + "\r", "{\"a\":1}", " ", Body.cancel(3)]
        let run = try command.run("pipe", input: .text(lines.joined(separator: "\n")))
        #expect(run.code == 0 && run.errors == "")
        let answers = run.lines
        #expect(answers.count == 7)
        let errors = answers.enumerated().filter { $0.element.hasPrefix("{\"error\":{\"code\":\"") }.map(\.offset)
        #expect(errors == [1, 2, 4, 5])
        #expect(answers[1] == #"{"error":{"code":"record.blank","message":"the line is blank","line":2}}"#)
        for number in [2, 4, 5] { #expect(answers[number].hasSuffix(",\"line\":\(number + 1)}}")) }
        for number in [0, 3, 6] { #expect(answers[number].contains("\"line\":\(number + 1),")) }
    }

    @Test("A page of several notifications is answered by one error line, a page of one by its event")
    func answersAPageOfHistoryWithOneLine() throws {
        let pages = [2, 1].map { count in
            #"{"notificationHistory":[\#((1...count).map { Body.cancel($0) }.joined(separator: ","))]}"#
        }
        let run = try Command().run("pipe", input: .text(pages.joined(separator: "\n")))
        let answers = run.lines
        #expect(run.code == 0 && answers.count == 2)
        let message = "the record holds several notifications; convert takes such records"
        #expect(answers.first == #"{"error":{"code":"record.several","message":"\#(message)","line":1}}"#)
        #expect(answers.last?.hasPrefix(#"{"schema_version":"1""#) == true)
    }

    @Test("Errors can go elsewhere") func errorsCanGoElsewhere() throws {
        let command = try Command()
        let input = Command.Input.text(Body.cancel(1) + "\nx\n" + Body.cancel(2) + "\n")
        let apart = try command.run("pipe", "--errors", "stderr", input: input)
        #expect(apart.lines.count == 2)
        #expect(apart.errors.hasPrefix("{\"error\":{") && apart.errors.hasSuffix(",\"line\":2}}\n"))
        let dropped = try command.run("pipe", "--errors=drop", input: input)
        #expect(dropped.output == apart.output && dropped.errors == "" && dropped.code == 0)
    }

    @Test("An answer comes before the next line is there") func anAnswerComesBeforeTheNextLineIsThere() throws {
        let command = try Command()
        let ends = try Command.makePipe()
        let running = try command.start(["pipe"], input: .held(ends))
        close(ends.reading)
        for number in 1...3 {
            // The beginning of the next line comes along, and must not hold the answer back.
            let begun = number > 1 ? Body.cancel(number).dropFirst(9) : Body.cancel(number)[...]
            try Command.pour(begun + "\n" + Body.cancel(number + 1).prefix(9), into: ends.writing)
            for _ in 0..<500 where try command.lines("stdout1").count < number { usleep(10_000) }
            #expect(try command.lines("stdout1").count == number)
        }
        close(ends.writing)
        #expect(running.wait() == 0)
        #expect(try command.lines("stdout1").count == 4)
    }

    @Test("A line that is too long has one answer and the next line its own")
    func aLineThatIsTooLongHasOneAnswerAndTheNextLineItsOwn() throws {
        let command = try Command()
        let long = "{\"a\":\"" + String(repeating: "x", count: 18 << 20) + "\"}"
        let run = try command.run("pipe", input: .text([Body.cancel(1), long, Body.cancel(2)].asLines))
        let answers = run.lines
        #expect(answers.count == 3)
        #expect(answers[1].hasPrefix("{\"error\":{\"code\":\"record.too-long\""))
        #expect(answers[2].contains("\"line\":3,"))
        #expect(run.code == 0)
    }
}
