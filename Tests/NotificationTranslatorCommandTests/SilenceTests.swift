import NotificationLibC
import NotificationTranslation
import Testing

/// Nothing is skipped in silence, and times of arrival that are missing or guessed are told.
@Suite("Findings of a run") struct SilenceTests {
    private static let google =
        #"{"version":"1.0","packageName":"p","subscriptionNotification":{"notificationType":4,"purchaseToken":"t"}}"#
    private static let deep =
        #"{"a":{"b":{"c":{"d":{"e":{"f":{"g":{"h":{"i":{"notification_type":"CANCEL","bid":"x"}}}}}}}}}}"#

    private func run(_ text: String, _ options: String...) throws -> Command.Result {
        try Command.run(["convert", "a"] + options, over: text)
    }

    private static let skipped = "a:2: not read in full, but it shows signs of a notification; "

    /// Texts and options, the exit code, and what the messages say.
    private static let findings: [(name: String, text: String, options: [String], code: Int32, told: [String])] = [
        ("a skipped record with signs", Body.cancel(1) + "\n" + deep, [], 1, [skipped + "--envelope /POINTER names"]),
        (
            "signs in escaped texts", Body.cancel(1) + "\n" + #"{"x":"seen: \"notificationType\" : \"TEST\""}"#, [], 1,
            [skipped]
        ),
        (
            "a CloudWatch subscription's packed data",
            Body.cancel(1) + "\n{\"awslogs\":{\"data\":\"H4sIAAAAAAAA\"}}\n{\"a\":1}", [], 1,
            [skipped, "1 record with signs of a notification that was not read"]
        ),
        ("rows of Google", Body.cancel(1) + "\n" + google, [], 0, []),
        (
            "an input of skips only", google + "\n" + google, [], 1,
            [
                "a: every record was skipped, because none holds a notification; --envelope /POINTER",
                "nothing was converted",
            ]
        ),
        (
            "an input of our own rejects",
            #"{"input":"a","line":1,"offset":0,"length":9,"code":"json.syntax","path":null}"#,
            [], 1, ["because this program wrote it; convert the archive that it was made from"]
        ),
        (
            "a key that stands twice", #"{"notification_type":"CANCEL","bid":"a","notification_type":"CANCEL"}"#, [], 1,
            ["a:1:41: reject[json.duplicate-key]: notification_type: the same key twice in one object"]
        ),
        (
            "a control character in a key", "{\"notification_type\":\"CANCEL\",\"a\u{1}\":1}", [], 1,
            ["reject[json.control-character]: a control character that is not escaped"]
        ),
        ("an empty input", "", [], 0, []), ("empty lines", "\n", [], 0, []), ("blank lines", "  ", [], 0, []),
        (
            "a place of times that never holds one", #"{"x":\#(Body.cancel(1)),"at":"2020-11-03"}"#,
            ["--received-at", "/nowhere"], 0, ["--received-at did not match a time in any record; without it"]
        ),
        (
            "an envelope that never matches", #"{"x":\#(Body.cancel(1))}"#, ["--envelope", "/nowhere"], 1,
            ["--envelope /nowhere matches nothing in 1 record; without --envelope, "]
        ),
        (
            "a time without a zone", #"{"created_at":"2020-11-03 09:12:44","body":\#(undated)}"#, [], 0,
            ["1 time without a time zone read as UTC"]
        ),
        (
            "a body that was cut off", #"{"log":"{\"notification_type\":\"CAN\n","stream":"stdout"}"#, [], 1,
            ["reject[json.unexpected-end]"]
        ), ("no signed payload", #"{"signedPayload":"valid.jws.token"}"#, [], 1, ["reject[jws.bad-payload]"]),
    ]

    @Test("What was found is told, and a run that may have missed something exits with 1", arguments: findings)
    func isTold(name: String, text: String, options: [String], code: Int32, told: [String]) throws {
        let run = try Command.run(["convert", "a"] + options, over: text + (text.isEmpty ? "" : "\n"))
        #expect(run.code == code, "\(name): \(run.errors)")
        for sentence in told { #expect(run.errors.contains(sentence), "\(name): \(run.errors)") }
        if told.isEmpty { #expect(!run.errors.contains("signs"), "\(name)") }
    }

    @Test("The summary has room for more deduced events than records")
    func theSummaryHasRoomForMoreDeducedEventsThanRecords() throws {
        let archive = Command.root + "/Fixtures/timelines/silent-renewal-of-forty-weeks/input.ndjson"
        let run = try Command().run("convert", "--infer", "safe", archive)
        #expect(run.code == 0)
        #expect(run.errors.contains("    deduced     37"))
    }

    @Test(
        "Forms that are not read are told where they are, in logs, values and cells",
        arguments: [
            "Array ( [notification_type] => DID_RENEW [environment] => PROD )", "got {NotificationType:DID_RENEW}",
            "Notification(notificationType=DID_RENEW, environment=PROD)", "notification_type: DID_RENEW",
            "notification_type=DID_RENEW&bid=a", "{\"unified_receipt\":{\"latest_receipt_info\":[{\"product_id\":\"a",
            "x'6e6f74696669636174696f6e5f74797065223a'", "got H4sIAAAAAAAA/wXBMQ",
        ])
    func formsThatAreNotReadAreToldWhereTheyAre(form: String) throws {
        let escaped = form.replacing("\"", with: "\\\"")
        for (text, place) in [
            ("2020-11-03 got \(Body.cancel(1))\n2020-11-03 ok\n2020-11-03 \(form)\n", "a:3:"),
            (Body.cancel(1) + "\n{\"a\":{\"b\":\"\(escaped)\"}}\n", "a:2:"),
            ("id,a\n1,\"\(form.replacing("\"", with: "\"\""))\"\n", "a:2:"),
        ] {
            let run = try run(text)
            #expect(run.code == 1)
            let isTold = ["signs of a notification", "json.unexpected-end"].contains { run.errors.contains($0) }
            #expect(run.errors.contains(place) && isTold, "\(text)\(run.errors)")
        }
    }

    @Test("A POST whose body was not kept has a reason of its own, and is no health check")
    func emptyPosts() throws {
        let lines = [
            #"{"method":"POST","path":"/apple","request_body":"-"}"#,
            #"{"method":"GET","path":"/health","request_body":"-"}"#,
        ]
        let log = ["POST /apple", "GET /health"].map {
            #"1.2.3.4 - - [04/Mar/2021:05:06:07 +0000] "\#($0) HTTP/1.1" 200 2 "-" "A" "-""#
        }
        let command = try Command(["a": lines.asLines, "b": log.asLines])
        for options in [["a"], ["b", "--input-format", "log"]] {
            let run = try command.run(["convert"] + options)
            #expect(run.code == 1 && run.errors.contains("   no-notification 1 · empty-post 1\n"))
            #expect(run.errors.contains("\(options[0]):1: not read in full, but it shows signs of a notification"))
        }
        for value in [#""""#, "null", #" " - ""#, #""–""#] {
            try command.write(#"{"method":"POST","path":"/apple","body":\#(value)}"# + "\n", to: "c")
            let isEmpty = try command.run(["convert", "c"]).errors.contains("empty-post 1\n")
            #expect(isEmpty == (value == #""""# || value == "null"), "\(value)")
        }
        let report = try command.run("report", "a").output
        #expect(
            report.contains("| – skipped: a POST whose body was not kept, which may have been a notification | 1 |"))
        #expect(report.contains("| `a` | 106 B | 2 | 0 | 0 | 0 | 2 |"), "\(report)")
    }

    @Test("An empty folder and a glob that matches nothing exit with 1")
    func anEmptyFolderAndAGlobThatMatchesNothingExitWith1() throws {
        let command = try Command()
        command.makeFolder("f")
        for options in [[], ["--include", "*.gz"]] {
            let run = try command.run(["convert", "f"] + options)
            #expect(run.code == 1 && run.errors.contains("no input file was found"))
            try command.write(Body.cancel(1), to: "f/a.json")
        }
    }

    @Test("Links in a folder, which are not followed, are reported") func linksInAFolderAreReported() throws {
        let command = try Command()
        command.makeFolder("f")
        try command.write(Body.cancel(1), to: "f/a.json")
        #expect(symlink("a.json", command.path("f/c.json")) == 0)
        #expect(symlink("nothing", command.path("f/b.json")) == 0)
        for (excluded, told) in [
            ("x", "2 links in folders were not followed (f/b.json is the first); to read"),
            ("b*", "1 link in folders was not followed (f/c.json); to read what a link leads"), ("[bc]*", nil),
        ] {
            let run = try command.run("convert", "f", "--exclude", excluded)
            #expect(run.code == 0 && told.map(run.errors.contains) ?? !run.errors.contains("link"), "\(run.errors)")
        }
    }

    @Test(
        "The JSON around and inside a named envelope is checked",
        arguments: [
            (#"{"a":[1,{"b":BODY}],"c":{"d":[1,]}}"#, "/a/1/b", "json.trailing-comma"),
            (#"{"a":[1,{"b":BODY},tru]}"#, "/a/1/b", "json.syntax"),
            (#"{"a":{"b":{"notification_type":"CANCEL","x":[1 2]}}}"#, "/a/b", "json.syntax"),
            (#"{"a":{"b":{"notification_type":"CANCEL","x":1,"x":2}}}"#, "/a/b", "json.duplicate-key"),
            (#"{"a":{"b":BODY},"a":{"b":BODY}}"#, "/a/b", "json.duplicate-key"),
            (#"{"a":{"b":BODY]}"#, "/a/b", "json.syntax"),
            (#"{"a":{"b":BODY}} x"#, "/a/b", "json.trailing-content"),
        ])
    func theJSONAroundAndInsideANamedEnvelopeIsChecked(text: String, pointer: String, code: String) throws {
        let record = text.replacing("BODY", with: Body.cancel(1))
        let run = try run(record + "\n", "-i", "ndjson", "--envelope", pointer)
        #expect(run.errors.contains("reject[\(code)]"), "\(run.errors)")
        #expect(run.output.isEmpty)
    }

    // MARK: Times of arrival

    private static let undated = #"{"notification_type":"DID_CHANGE_RENEWAL_PREF","environment":"PROD","bid":"x"}"#

    /// A body about a month that began at 2020-11-03T09:12:44Z.
    private static func body(_ type: String, _ id: String = "2", _ row: String = "") -> String {
        Body.version1(type, [Body.row("1", id, from: 1_604_394_764_000, row)])
    }

    private func receivedAt(_ text: String, _ options: String...) throws -> String {
        try Command.run(["convert", "a", "-q"] + options, over: text).output.value(of: "received_at")
    }

    @Test(
        "Times are read beside an explicit envelope",
        arguments: [
            (#""2020-11-03 09:12:44.123+00""#, "2020-11-03T09:12:44.123Z"),
            ("1604394764.25", "2020-11-03T09:12:44.250Z"),
            ("1.604394764123E12", "2020-11-03T09:12:44.123Z"),
            ("1604394764123456", "2020-11-03T09:12:44.123Z"),
            (#"{"$date":{"$numberLong":"1604394764123"}}"#, "2020-11-03T09:12:44.123Z"),
            (#"{"N":"1604394764"}"#, "2020-11-03T09:12:44.000Z"),
            (#""2020-11-03 09:12:44""#, "2020-11-03T09:12:44.000Z"),
        ])
    func timesAreReadBesideAnExplicitEnvelope(time: String, expected: String) throws {
        let record = #"{"received_at":\#(time),"x":{"y":\#(Self.undated)}}"#
        #expect(try receivedAt(record, "--envelope", "/x/y") == "\"\(expected)\"")
    }

    @Test("A time can be named, taken from the file or left out") func namedTimes() throws {
        let record = #"{"received_at":"2020-11-03T09:12:44Z","seen":{"at":[1604394765]},"body":\#(Self.undated)}"#
        #expect(try receivedAt(record) == "\"2020-11-03T09:12:44.000Z\"")
        #expect(try receivedAt(record, "--received-at", "/seen/at/0") == "\"2020-11-03T09:12:45.000Z\"")
        #expect(try receivedAt(record, "--received-at", "none") == "null")
        #expect(try receivedAt(record, "--received-at", "/missing") == "null")
        #expect(try receivedAt(record, "--received-at", "mtime").hasPrefix("\"2"))
        #expect(try !receivedAt(record, "--received-at", "mtime").hasPrefix("\"2020-11-03"))
    }

    /// Records, what is said of their times of arrival, and records of which it is not said.
    private static let arrivals: [(record: String, told: String, other: String)] = {
        let changed = body("DID_CHANGE_RENEWAL_PREF")
        let renewed = body("DID_RENEW")
        let bought = body("INITIAL_BUY", "1", #","original_purchase_date_ms":"1604394764000""#)
        return [
            (
                changed, "so 1 event happened at the time that is given or later (TIME_LOWER_BOUND)",
                #"{"received_at":"2020-11-04T00:00:00Z","body":\#(changed)}"#
            ),
            (
                #"{"created_at":"2022-01-01T00:00:00Z","body":\#(renewed)}"#,
                "1 V1 notification has a time of arrival more than 157 hours after it happened, and Apple does not "
                    + "repeat a delivery for so long; if these are times of an import, --received-at /POINTER names the "
                    + "field with the real time; of a subscription that has mostly such times none is used",
                #"{"created_at":"2020-11-09T10:00:00Z","body":\#(renewed)}"#
            ),
            (
                // A local time without a zone.
                #"{"created_at":"2020-11-03 01:12:46","body":\#(bought)}"#,
                "1 notification has a time of arrival more than an hour before the first purchase or the cancellation "
                    + "that it names; if these are local times without a time zone, use --received-at none, or write "
                    + "them in UTC", #"{"created_at":"2020-11-03 09:12:46","body":\#(bought)}"#
            ),
        ]
    }()

    @Test("Times of arrival that are missing, or that no delivery explains, are counted", arguments: arrivals)
    func arrival(record: String, told: String, other: String) throws {
        let run = try run(record)
        #expect(run.errors.contains(told), "\(run.errors)")
        #expect(try !self.run(other).errors.contains(told))
    }

    @Test("Without an envelope only the record itself is a notification")
    func noEnvelope() throws {
        let body = #"{"notification_type":"DID_RECOVER","bid":"b","environment":"PROD"}"#
        let both = #"{"notification_type":"INITIAL_BUY","bid":"b","environment":"PROD","body":\#(body)}"#
        let text = [body, both, "{\"body\":\(body)}", "{\"x\":{\"y\":\(body)}}"].joined(separator: "\n")
        func types(_ options: String...) throws -> [String?] {
            try Command.run(["convert", "a", "--context", "record"] + options, over: text).events.map(\.source.type)
        }
        #expect(try types("--envelope", "none") == ["DID_RECOVER", "INITIAL_BUY"])
        #expect(try types() == ["DID_RECOVER", "DID_RECOVER", "DID_RECOVER", "DID_RECOVER"])
    }

    @Test("A line that holds bodies and signed payloads gives both")
    func bodiesAndSignedPayloads() throws {
        func part(_ text: String) -> String { StrictBase64.encoded(url: Array(text.utf8)) }
        let payload = #"{"notificationType":"TEST","notificationUUID":"1","version":"2.0","data":{"bundleId":"b"}}"#
        let signed = part("{\"alg\":\"ES256\"}") + "." + part(payload) + "." + part(String(repeating: "s", count: 64))
        let form = try Command.run(["convert", "a", "--context", "record"], over: "signedPayload=\(signed)\n")
        #expect(form.output.contains(#""type":"TEST""#), "\(form.errors)")
        for line in ["\(Body.cancel(1)) \(signed)", "\(signed) \(Body.cancel(1))"] {
            let run = try run("2020-01-02 03:04:05 got \(line)\n", "--context", "record")
            #expect(try Set(run.events.map(\.source.type)) == ["CANCEL", "TEST"], "\(run.errors)")
        }
    }
}
