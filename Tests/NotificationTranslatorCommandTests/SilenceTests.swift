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

    @Test(
        "A body that was cut off, or is no signed payload, has the code that says so",
        arguments: [
            (#"{"log":"{\"notification_type\":\"CAN\n","stream":"stdout"}"#, "json.unexpected-end"),
            (#"{"signedPayload":"valid.jws.token"}"#, "jws.bad-payload"),
        ])
    func aBodyThatWasCutOffHasTheCodeThatSaysSo(text: String, code: String) throws {
        let run = try run(text + "\n")
        #expect(run.errors.contains("reject[\(code)]"), "\(run.errors)")
    }

    @Test("A POST whose body was not kept has a reason of its own, and is no health check")
    func emptyPosts() throws {
        let command = try Command()
        let lines = [
            #"{"method":"POST","path":"/apple","request_body":"-"}"#,
            #"{"method":"GET","path":"/health","request_body":"-"}"#,
        ]
        try command.write(lines.joined(separator: "\n") + "\n", to: "a")
        try command.write(
            ["POST /apple", "GET /health"].map {
                #"1.2.3.4 - - [04/Mar/2021:05:06:07 +0000] "\#($0) HTTP/1.1" 200 2 "-" "A" "-""# + "\n"
            }.joined(), to: "b")
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
        let empty = try command.run("convert", "f")
        #expect(empty.code == 1)
        #expect(empty.errors.contains("no input file was found"))
        try command.write(Body.cancel(1), to: "f/a.json")
        let glob = try command.run("convert", "f", "--include", "*.gz")
        #expect(glob.code == 1)
        #expect(glob.errors.contains("no input file was found"))
    }

    @Test("Links in a folder, which are not followed, are reported") func linksInAFolderAreReported() throws {
        let command = try Command()
        command.makeFolder("f")
        try command.write(Body.cancel(1), to: "f/a.json")
        #expect(symlink("a.json", command.path("f/c.json")) == 0)
        #expect(symlink("nothing", command.path("f/b.json")) == 0)
        let two = try command.run("convert", "f")
        #expect(two.code == 0)
        #expect(two.errors.contains("2 links in folders were not followed (f/b.json is the first); to read"))
        let one = try command.run("convert", "f", "--exclude", "b*")
        #expect(one.errors.contains("1 link in folders was not followed (f/c.json); to read what a link leads"))
        let none = try command.run("convert", "f", "--exclude", "[bc]*")
        #expect(!none.errors.contains("link"))
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
        let record = text.split(separator: "BODY", omittingEmptySubsequences: false).joined(separator: Body.cancel(1))
        let run = try run(record + "\n", "-i", "ndjson", "--envelope", pointer)
        #expect(run.errors.contains("reject[\(code)]"), "\(run.errors)")
        #expect(run.output.isEmpty)
    }

    // MARK: Times of arrival

    private static let undated = #"{"notification_type":"DID_CHANGE_RENEWAL_PREF","environment":"PROD","bid":"x"}"#

    private func receivedAt(_ text: String, _ options: String...) throws -> String? {
        let run = try Command.run(["convert", "a", "-q"] + options, over: text)
        return run.output.firstRange(of: "\"received_at\":").map { range in
            String(run.output[range.upperBound...].prefix { $0 != "," })
        }
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
        let found = try receivedAt(record, "--envelope", "/x/y")
        #expect(found == "\"\(expected)\"")
    }

    @Test("A time can be named, taken from the file or left out") func aTimeCanBeNamedTakenFromTheFileOrLeftOut() throws
    {
        let record = #"{"received_at":"2020-11-03T09:12:44Z","seen":{"at":[1604394765]},"body":\#(Self.undated)}"#
        #expect(try receivedAt(record) == "\"2020-11-03T09:12:44.000Z\"")
        #expect(try receivedAt(record, "--received-at", "/seen/at/0") == "\"2020-11-03T09:12:45.000Z\"")
        #expect(try receivedAt(record, "--received-at", "none") == "null")
        #expect(try receivedAt(record, "--received-at", "/missing") == "null")
        let file = try #require(try receivedAt(record, "--received-at", "mtime"))
        #expect(file != "null" && !file.contains("2020-11-03"))
    }

    @Test("Events with only a lower bound are counted where no time of arrival is known")
    func eventsWithOnlyALowerBoundAreCountedWhereNoTimeOfReceiptIsKnown() throws {
        let body = """
            {"notification_type":"DID_CHANGE_RENEWAL_PREF","environment":"PROD","bid":"x","unified_receipt":\
            {"latest_receipt_info":[{"product_id":"p","transaction_id":"2","original_transaction_id":"1",\
            "purchase_date_ms":"1604394764000","expires_date_ms":"1606986764000"}]}}
            """
        let run = try run(body)
        #expect(run.errors.contains("so 1 event happened at the time that is given or later (TIME_LOWER_BOUND)"))
        let named = try self.run(#"{"received_at":"2020-11-04T00:00:00Z","body":\#(body)}"#)
        #expect(!named.errors.contains("or later (TIME_LOWER_BOUND)"))
    }

    @Test("Times of arrival that no delivery of Apple's explains are counted")
    func timesOfReceiptThatNoDeliveryOfApplesExplainsAreCounted() throws {
        let body = """
            {"notification_type":"DID_RENEW","environment":"PROD","bid":"x","unified_receipt":{"latest_receipt_info":\
            [{"product_id":"p","transaction_id":"2","original_transaction_id":"1","purchase_date_ms":"1604394764000",\
            "expires_date_ms":"1606986764000"}]}}
            """
        let imported = try run(#"{"created_at":"2022-01-01T00:00:00Z","body":\#(body)}"#)
        #expect(
            imported.errors.contains(
                "1 V1 notification has a time of arrival more than 157 hours after it happened, and Apple does not "
                    + "repeat a delivery for so long; if these are times of an import, --received-at /POINTER names the "
                    + "field with the real time; of a subscription that has mostly such times none is used"))
        let repeated = try run(#"{"created_at":"2020-11-09T10:00:00Z","body":\#(body)}"#)
        #expect(!repeated.errors.contains("Apple does not repeat"))
    }

    @Test("Times of arrival before the purchase are counted (local times without a zone)")
    func timesOfReceiptBeforeThePurchaseAreCounted() throws {
        let body = """
            {"notification_type":"INITIAL_BUY","environment":"PROD","bid":"x","unified_receipt":{"latest_receipt_info":\
            [{"product_id":"p","transaction_id":"1","original_transaction_id":"1","purchase_date_ms":"1604394764000",\
            "original_purchase_date_ms":"1604394764000","expires_date_ms":"1606986764000"}]}}
            """
        let local = try run(#"{"created_at":"2020-11-03 01:12:46","body":\#(body)}"#)
        #expect(
            local.errors.contains(
                "1 notification has a time of arrival more than an hour before the first purchase or the cancellation "
                    + "that it names; if these are local times without a time zone, use --received-at none, or write "
                    + "them in UTC"))
        let utc = try run(#"{"created_at":"2020-11-03 09:12:46","body":\#(body)}"#)
        #expect(!utc.errors.contains("before the first purchase"))
    }

    @Test("Without an envelope only the record itself is a notification")
    func noEnvelope() throws {
        let body = #"{"notification_type":"DID_RECOVER","bid":"b","environment":"PROD"}"#
        let both = #"{"notification_type":"INITIAL_BUY","bid":"b","environment":"PROD","body":\#(body)}"#
        let text = [body, both, "{\"body\":\(body)}", "{\"x\":{\"y\":\(body)}}"].joined(separator: "\n")
        func types(_ options: String...) throws -> [String?] {
            let run = try Command.run(["convert", "a", "--context", "record"] + options, over: text)
            return try run.output.split(separator: "\n").map { try Command.json($0)["source"]?["type"]?.string }
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
            let run = try Command.run(
                ["convert", "a", "--context", "record"], over: "2020-01-02 03:04:05 got \(line)\n")
            let types = try run.output.split(separator: "\n").map {
                try Command.json($0)["source"]?["type"]?.string ?? ""
            }
            #expect(types.sorted() == ["CANCEL", "TEST"], "\(run.errors)")
        }
    }
}
