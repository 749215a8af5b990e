import NotificationTranslation
import Testing

@testable import NotificationArchives

@Suite("Archives of lines") struct LineTests {
    /// Everything a line can be: good, blank, broken, with CRLF, too long, not ended.
    private static let mixed =
        Body.cancel(1) + "\n" + "\n" + Body.cancel(2) + "\r\n" + "broken\n" + "\n"
        + "[" + String(repeating: "x", count: 300) + "]\r\n" + Body.cancel(3) + "\n" + Body.cancel(4)

    @Test(
        "The output is the same for any chunk size and any number of jobs",
        arguments: [1, 2, 3, 5, 64, 100, 4096], [1, 2, 8])
    func sameBytesForAnyChunkSizeAndAnyNumberOfJobs(chunkSize: Int, jobs: Int) throws {
        let plain = try Trial(of: Self.mixed, asking(longest: 200))
        let other = try plain.again(asking(chunkSize, jobs: jobs, longest: 200))
        #expect(other.events == plain.events)
        #expect(other.rejects == plain.rejects)
        #expect(other.tally == plain.tally)
        #expect(other.outcome.inputBytes == Int64(Self.mixed.utf8.count))
    }

    /// Records with two names of envelopes, and how many notifications are in each.
    static let pairs: [(record: String, count: Int)] = {
        let (one, other) = (Body.cancel(1), Body.cancel(2))
        let text = one.replacing("\"", with: "\\\"")
        let signed = #"{"notificationType":"TEST","notificationUUID":"a","version":"2.0","data":{"bundleId":"b"}}"#
        return [
            (#"{"payload":\#(one),"message":\#(other)}"#, 2), (#"{"body":\#(one),"raw_body":"\#(text)"}"#, 1),
            (#"{"body":\#(one),"notification":\#(signed)}"#, 2), (#"{"body":\#(one),"event":{"name":"x"}}"#, 1),
            (#"{"notificationHistory":[{"decoded":\#(signed)}],"body":\#(one)}"#, 2),
            (#"{"body":[\#(one),\#(other)],"message":"got \#(text)","payload":\#(other)}"#, 2),
            (#"{"payload":\#(signed.replacing("TEST", with: "REFUND")),"message":\#(signed)}"#, 1),
            (#"{"body":\#(one),"message":\#(other),"notification":\#(other)}"#, 2),
            (#"{"body":\#(one),"message":"{\"notification_type\":\"CANCEL\",cut off"}"#, 1),
        ]
    }()

    @Test("Two notifications under names of envelopes are two events, one kept twice is one", arguments: pairs.indices)
    func twoNames(_ place: Int) throws {
        let trial = try Trial(of: Self.pairs[place].record + "\n")
        #expect(trial.faults == [])
        #expect(trial.tally.converted == Self.pairs[place].count)
    }

    @Test("A long run of blank lines costs no more than other lines", arguments: ["\n", " \r\n"])
    func blankLines(end: String) throws {
        let run = String(repeating: end, count: 300_000)
        let start = ContinuousClock.now
        let trial = try Trial(of: Body.cancel(1) + run + "{\"body\":" + run + " " + Body.cancel(2) + "}" + run)
        #expect(trial.tally.converted == 2)
        // Minutes if each line end were compared with all of the run.
        #expect(ContinuousClock.now - start < .seconds(20))
    }

    @Test("Braces without end, and lost signed payloads inside of others, cost no more than they are long")
    func nestedLinearly() throws {
        let lost = (0..<7).reduce(Body.cancel(1)) { inner, _ in #"{"signedPayload":"***","body":\#(inner)}"# }
        let braces = #"2020-11-03 09:12:44 \x22 "# + String(repeating: "{", count: 300_000)
        let start = ContinuousClock.now
        let trial = try Trial(of: braces + "\n" + String(repeating: lost + "\n", count: 100), asking(as: .log))
        #expect(trial.tally.converted == 100)
        #expect(ContinuousClock.now - start < .seconds(20))
    }

    @Test("Every line has its number and offset, and those of a reject give the record back")
    func everyLineHasItsNumberAndOffset() throws {
        let trial = try Trial(of: Self.mixed) {
            asking(10, longest: 200)(&$0)
            $0.rejectsAreRaw = true
        }
        #expect(trial.places == ["1@0", "3@67", "7@446", "8@512"])
        #expect(trial.faults.map { $0.prefix { $0 != " " } } == ["4@134+6", "6@142+302"])
        #expect(trial.faults.last == "6@142+302 record.too-long")
        #expect(trial.tally.records == 6)
        #expect(trial.rejects.contains(#""content":"broken"}"#))
        #expect(Array(Self.mixed.utf8)[134..<140].elementsEqual("broken".utf8))
    }

    @Test("A line of exactly the limit is converted and one byte more is not", arguments: [1, 7, 64, 1 << 20])
    func aLineOfExactlyTheLimitIsConvertedAndOneByteMoreIsNot(chunkSize: Int) throws {
        let body = Body.cancel(1)
        let size = body.utf8.count
        for end in ["\n", "\r\n", ""] {
            let fits = try Trial(of: body + end, asking(chunkSize, longest: size))
            let tooLong = try fits.again(asking(chunkSize, longest: size - 1))
            #expect(fits.places == ["1@0"])
            #expect(tooLong.faults == ["1@0+\(size) record.too-long"])
        }
    }

    @Test("Many lines around the limit are all judged in the same way")
    func manyLinesAroundTheLimitAreAllJudgedAlike() throws {
        let lines = (0..<60).map { String(repeating: "x", count: 90 + $0 % 20) + ($0 % 3 == 0 ? "\r\n" : "\n") }
        let expected = try Trial(of: lines.joined(), asking(longest: 100))
        #expect(expected.faults.filter { $0.hasSuffix("record.too-long") }.count == 27)
        for chunkSize in 1...100 {
            let trial = try expected.again(asking(chunkSize, longest: 100))
            #expect(trial.rejects == expected.rejects)
        }
    }

    @Test("A byte order mark is not part of the first record") func aByteOrderMarkIsNotPartOfTheFirstRecord() throws {
        let trial = try Trial(of: "\u{FEFF}" + Body.lines(2), asking(5))
        #expect(trial.places == ["1@3", "2@69"])
        #expect(trial.faults == [])
    }

    @Test("An empty input is not a fault, and its output is empty", arguments: [nil, TimelineRequest.frugal])
    func emptyInputsAreNoFault(timeline: TimelineRequest?) throws {
        let workspace = try Workspace(["empty": "", "blank": "\n\n", "mark": "\u{FEFF}"])
        let trial = try Trial(["empty", "blank", "mark"], in: workspace) { $0.timeline = timeline }
        #expect(trial.events == "")
        #expect(trial.tally.records == 0)
        #expect(trial.outcome.files == 3)
    }

    @Test("Outputs larger than their chunks are written in order") func outputsLargerThanTheirChunksAreWrittenInOrder()
        throws
    {
        let text = String(repeating: "x\n", count: 5000) + Body.lines(3)
        let one = try Trial(of: text)
        let eight = try one.again(asking(4096, jobs: 8))
        #expect(one.tally.rejected == 5000)
        #expect(one.rejects == eight.rejects)
        #expect(one.places == ["5001@10000", "5002@10066", "5003@10132"])
    }

    // MARK: Documents among lines

    @Test("Documents of one line are records of their own") func documentsOfOneLineAreRecordsOfTheirOwn() throws {
        let long = Body.cancel(1).dropLast() + ",\"x\":\"" + String(repeating: "y", count: 170_000) + "\"}"
        let trial = try Trial(of: long + long + long)
        #expect(trial.tally.converted == 3)
        #expect(trial.faults == [])
        let lines = try Trial(of: Body.lines(2) + Body.cancel(3) + " " + Body.cancel(4) + "\n" + Body.lines(1))
        #expect(lines.places.map { $0.prefix { $0 != "@" } } == ["1", "2", "3", "3", "4"])
        #expect(lines.faults == [])
    }

    @Test("Pretty printed documents among lines are read", arguments: [1, 40, 100, 4096, 1 << 20], [1, 2])
    func prettyPrintedDocumentsAmongLinesAreRead(chunkSize: Int, jobs: Int) throws {
        let broken = "{\n  \"notification_type\": \"CANCEL\",\n  \"environment\" \"PROD\"\n}\n"
        let head = (1...1000).map { Body.cancel($0) + "\n" }.joined()
        let text =
            head + Body.pretty(1) + "\n" + Body.pretty(2) + "\n" + broken + Body.pretty(3).replacing("\n", with: "\r\n")
            + "\r\n" + Body.cancel(4) + "\n"
        let trial = try Trial(of: text, asking(chunkSize, jobs: jobs))
        #expect(trial.tally.converted == 1004)
        #expect(trial.faults.map { $0.split(separator: " ").last } == ["json.syntax"])
        let last = text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).count - 1
        #expect(trial.places.last?.prefix { $0 != "@" } == "\(last)")
    }

    @Test("A line that is cut off costs only itself") func aLineThatIsCutOffCostsOnlyItself() throws {
        for next in [Body.cancel(2), "eyJhbGciOi.J.k", "garbage", "[1]", "\"text\""] {
            let trial = try Trial(of: Body.cancel(1) + "\n{\"a\":\n" + next + "\n" + Body.cancel(3) + "\n")
            #expect(trial.faults.first?.hasPrefix("2@") == true)
            #expect(trial.places.last?.hasPrefix("4@") == true)
            #expect(trial.tally.records == 4)
        }
    }
}
