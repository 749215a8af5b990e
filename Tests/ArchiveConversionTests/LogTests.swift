import NotificationTranslation
import Testing

@testable import ArchiveConversion

/// Logs: JSON somewhere in the line, and a time before it.
@Suite struct LogTests {
    static let prefixes: [(prefix: String, time: String)] = [
        ("I, [2020-11-03T09:12:44.123456 #1234]  INFO -- : ", "2020-11-03T09:12:44.123Z"),
        ("2020-11-03T09:12:44.123Z\t6f1c-42\tINFO\t", "2020-11-03T09:12:44.123Z"),
        ("2020-11-03 09:12:44,123 INFO app: got ", "2020-11-03T09:12:44.123Z"),
        ("2020/11/03 10:12:44 +0100 got ", "2020-11-03T09:12:44.000Z"),
        ("10.0.0.1 - - [03/Nov/2020:09:12:44 +0000] \"POST /hook\" 200 ", "2020-11-03T09:12:44.000Z"),
        ("CreateTime:1604394764123\t", "2020-11-03T09:12:44.123Z"),
        ("1604394764.123 [0 127.0.0.1] ", "2020-11-03T09:12:44.123Z"),
        ("{tag} [b8099bec] 2020-11-03T10:12:44+01:00 ", "2020-11-03T09:12:44.000Z"),
    ]

    @Test("are found by themselves with the time before", arguments: prefixes)
    func areFoundByThemselvesWithTheTimeBefore(_ sample: (prefix: String, time: String)) throws {
        let workspace = try Workspace()
        let escaped = "body=\"" + Body.cancel(2).replacing("\"", with: "\\\"") + "\" status=200"
        try workspace.write(
            "starting\n" + sample.prefix + Body.cancel(1) + " took 3 ms\n" + sample.prefix + escaped + "\n", to: "a")
        let trial = try Trial(["a"], in: workspace)
        #expect(trial.faults == [])
        #expect(trial.outcome.tally.converted == 2)
        #expect(trial.outcome.tally.skipped == 1)
        #expect(trial.events.split(separator: "\n").allSatisfy { $0.contains("\"received_at\":\"\(sample.time)\"") })
    }

    @Test("a line that is JSON itself is read as such and others are skipped")
    func aLineThatIsJSONItselfIsReadAsSuchAndOthersAreSkipped() throws {
        let workspace = try Workspace()
        let text =
            "START\n" + Body.cancel(1) + "\nx " + Body.cancel(2) + "\ny {\"a\":1} " + Body.cancel(3)
            + "\nz {} {\"b\"\n\nEND\n"
        try workspace.write(text, to: "a")
        let trial = try Trial(["a"], in: workspace) { $0.inputFormat = .log }
        #expect(trial.places.map { $0.prefix { $0 != "@" } } == ["2", "3", "4"])
        #expect(trial.outcome.tally.skipped == 3)
        #expect(trial.outcome.tally.signs == 0)
        for chunkSize in [1, 50, 100] {
            let other = try Trial(["a"], in: workspace) {
                $0.inputFormat = .log
                $0.chunkSize = chunkSize
                $0.jobs = 2
            }
            #expect(other.events == trial.events)
        }
    }

    @Test("a notification that is cut off or of another form is a reject")
    func aNotificationThatIsCutOffOrOfAnotherFormIsAReject() throws {
        let workspace = try Workspace()
        try workspace.write(
            "x " + Body.cancel(1).dropLast(4) + "\nx {\"notification_type\"=>\"CANCEL\"}\nx " + Body.cancel(2) + "\n",
            to: "a")
        let trial = try Trial(["a"], in: workspace) { $0.inputFormat = .log }
        #expect(trial.faults.map { $0.prefix { $0 != "@" } } == ["1", "2"])
        #expect(trial.outcome.tally.converted == 1)
    }

    @Test("are found by themselves where more than 64 KB of other lines stand before the first notification")
    func areFoundBehindManyOtherLines() throws {
        let workspace = try Workspace()
        let text =
            FormatDetectorTests.text(lines: 4000) + "2020-11-03T09:12:44.123Z got " + Body.cancel(1) + "\n"
            + Body.cancel(2) + "\nx notification_type: 'CANCEL'\n" + Body.pretty(3) + "\nend\n"
        #expect(text.utf8.count > ByteStream.headSize)
        try workspace.write(text, to: "a")
        for jobs in 1...2 {
            let trial = try Trial(["a"], in: workspace) {
                $0.jobs = jobs
                $0.chunkSize = jobs == 1 ? nil : 5000
            }
            #expect(trial.faults.prefix(3) == [])
            #expect(trial.outcome.tally.converted == 3)
            #expect(trial.outcome.tally.skipped == 4002)
            #expect(trial.events.contains("\"received_at\":\"2020-11-03T09:12:44.123Z\""))
            #expect(trial.outcome.firstSign?.line == 4003)
        }
    }
}
