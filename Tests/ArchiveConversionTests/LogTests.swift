import Testing

@testable import NotificationArchives
@testable import NotificationTranslation

/// Logs: JSON somewhere in the line, and a time before it.
@Suite("Logs and dumps") struct LogTests {
    static let prefixes: [(prefix: String, time: String)] = [
        ("I, [2020-11-03T09:12:44.123456 #1234]  INFO -- : ", "2020-11-03T09:12:44.123Z"),
        ("2020-11-03T09:12:44.123Z\t6f1c-42\tINFO\t", "2020-11-03T09:12:44.123Z"),
        ("2020-11-03 09:12:44,123 INFO app: got ", "2020-11-03T09:12:44.123Z"),
        ("2020/11/03 10:12:44 +0100 got ", "2020-11-03T09:12:44.000Z"),
        ("10.0.0.1 - - [03/Nov/2020:09:12:44 +0000] \"POST /hook\" 200 ", "2020-11-03T09:12:44.000Z"),
        ("Tue Nov 03 2020 10:12:44 GMT+0100 (Central European Standard Time) ", "2020-11-03T09:12:44.000Z"),
        ("2020-11-03 10:12:44 UTC+1 got ", "2020-11-03T09:12:44.000Z"),
        ("Nov 3, 2020, 8:12:44 AM GMT-01:00 got ", "2020-11-03T09:12:44.000Z"),
        ("CreateTime:1604394764123\t", "2020-11-03T09:12:44.123Z"),
        ("1604394764.123 [0 127.0.0.1] ", "2020-11-03T09:12:44.123Z"),
        ("{tag} [b8099bec] 2020-11-03T10:12:44+01:00 ", "2020-11-03T09:12:44.000Z"),
        ("req=1604000000 2020-11-03T09:12:44Z ", "2020-11-03T09:12:44.000Z"),
        ("[1604394764123] ", "2020-11-03T09:12:44.123Z"),
        ("[03-Nov-2020 09:12:44 UTC] ", "2020-11-03T09:12:44.000Z"),
        ("[03/Nov/2020 09:12:44] INFO ", "2020-11-03T09:12:44.000Z"),
        ("[Tue Nov 03 09:12:44.123456 2020] [dumpio:trace7] ", "2020-11-03T09:12:44.123Z"),
        ("Nov  3 09:12:45 lb haproxy[1]: 1.2.3.4 [03/Nov/2020:09:12:44.123] ", "2020-11-03T09:12:44.123Z"),
    ]

    @Test("A log is recognised, and the time before the JSON is read", arguments: prefixes)
    func areFoundByThemselvesWithTheTimeBefore(_ sample: (prefix: String, time: String)) throws {
        let escaped = "body=\"" + Body.cancel(2).replacing("\"", with: "\\\"") + "\" status=200"
        let trial = try Trial(
            of: "starting\n" + sample.prefix + Body.cancel(1) + " took 3 ms\n" + sample.prefix + escaped + "\n")
        #expect(trial.faults == [])
        #expect(trial.tally.converted == 2)
        #expect(trial.tally.skipped == 1)
        #expect(trial.lines.allSatisfy { $0.contains("\"received_at\":\"\(sample.time)\"") })
    }

    @Test("A line that is JSON itself is read as such and others are skipped")
    func aLineThatIsJSONItselfIsReadAsSuchAndOthersAreSkipped() throws {
        let text =
            "START\n" + Body.cancel(1) + "\nx " + Body.cancel(2) + "\ny {\"a\":1} " + Body.cancel(3)
            + "\nz {} {\"b\"\n\nEND\n" + Body.cancel(4) + " in 5 ms\n{\"a\":1} got " + Body.cancel(5) + "\n"
        let trial = try Trial(of: text, asking(as: .log))
        #expect(trial.numbers == ["2", "3", "4", "8", "9"])
        #expect(trial.tally.skipped == 3)
        #expect(trial.tally.signs == 0)
        for chunkSize in [1, 50, 100] {
            let other = try trial.again(asking(chunkSize, jobs: 2, as: .log))
            #expect(other.events == trial.events)
        }
    }

    @Test("A time at a JSON pointer counts for its own record, and not for lines of a log after it")
    func pointedTimes() throws {
        let whole = "{\"at\":\"2021-01-01T00:00:00Z\",\"body\":" + Body.cancel(1) + "}"
        let trial = try Trial(of: whole + "\n2020-11-03T09:12:44Z got " + Body.cancel(2) + "\n") {
            $0.inputFormat = .log
            $0.records.receivedAt = .pointer(["at"])
        }
        let times = trial.lines.compactMap { line in
            line.split(separator: "\"received_at\":\"").last?.prefix(10)
        }
        #expect(times == ["2021-01-01", "2020-11-03"])
    }

    @Test("A notification that is cut off or of another form is a reject")
    func aNotificationThatIsCutOffOrOfAnotherFormIsAReject() throws {
        let trial = try Trial(
            of: "x " + Body.cancel(1).dropLast(4) + "\nx {\"notification_type\": 'CANCEL'}\nx " + Body.cancel(2) + "\n",
            asking(as: .log))
        #expect(trial.faults.map { $0.prefix { $0 != "@" } } == ["1", "2"])
        #expect(trial.tally.converted == 1)
    }

    @Test("A log is recognised if more than 64 KB of other lines come before the first notification")
    func isRecognisedAfterManyOtherLines() throws {
        let text =
            FormatDetectorTests.text(lines: 4000) + "2020-11-03T09:12:44.123Z got " + Body.cancel(1) + "\n"
            + Body.cancel(2) + "\nx notification_type: 'CANCEL'\n" + Body.pretty(3) + "\nend\n"
        #expect(text.utf8.count > ByteStream.headSize)
        for jobs in 1...2 {
            let trial = try Trial(of: text, asking(jobs > 1 ? 5000 : nil, jobs: jobs))
            #expect(trial.faults.prefix(3) == [])
            #expect(trial.tally.converted == 3)
            #expect(trial.tally.skipped == 4002)
            #expect(trial.events.contains("\"received_at\":\"2020-11-03T09:12:44.123Z\""))
            #expect(trial.outcome.firstSign?.line == 4003)
        }
    }

    @Test("Every notification of a line is converted, one that the line repeats once")
    func everyNotificationOfALineIsConverted() throws {
        let both = "x got \(Body.cancel(1)) and \(Body.cancel(2)) again \(Body.cancel(1))\n"
        let broken = "x got \(Body.cancel(3)) and \(Body.cancel(4).dropLast(3))\n"
        let trial = try Trial(of: both + broken, asking(as: .log))
        #expect(trial.numbers == ["1", "1", "2"])
        #expect(trial.faults.map { $0.prefix { $0 != "@" } } == ["2"])
    }

    /// What stands around a body in a dump, with what is done to the body there, and the name of what writes it.
    static let dumps: [(name: String, head: String, tail: String, escape: @Sendable (String) -> String)] = [
        (
            "mysqldump", "INSERT INTO `n` VALUES ", ";\n",
            { $0.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("'", with: "\\'") }
        ),
        ("pg_dump --inserts", "INSERT INTO n (id, body, at) VALUES ", ";\n", { $0.replacing("'", with: "''") }),
        ("a row a line", "INSERT INTO n VALUES\n", ";\n", { $0.replacing("'", with: "''") }),
    ]

    @Test("Rows of INSERT statements are converted each with its own time", arguments: dumps.indices)
    func rowsOfInsertStatementsAreConverted(_ place: Int) throws {
        let dump = Self.dumps[place]
        let bodies = (1...3).map {
            #"{"notification_type":"CANCEL","bid":"it's.\#($0)","auto_renew_product_id":"a \"b\""}"#
        }
        // An empty text and an apostrophe in another column end no row.
        let rows = bodies.enumerated().map {
            "(\($0),'\(dump.escape($1))','','\(dump.escape("o'clock (UTC)"))','2020-11-03 09:12:4\($0).123')"
        }
        let text = dump.head + rows.joined(separator: dump.head.hasSuffix("\n") ? ",\n" : ",") + dump.tail
        let trial = try Trial(of: "-- a dump\nSET NAMES utf8;\n" + text + "-- end\n")
        #expect(trial.faults == [])
        let lines = trial.lines
        #expect(lines.count == 3)
        for (number, line) in lines.enumerated() {
            #expect(line.contains(#""bundle_id":"it's.\#(number + 1)""#))
            #expect(line.contains("\"received_at\":\"2020-11-03T09:12:4\(number).123Z\""))
        }
    }

    @Test("A signed payload in a row of SQL has the time of its own row, as one in a row of COPY has")
    func signedRows() throws {
        let rows = [Body.cancel(1), Self.signed, Body.cancel(3), Self.signed].enumerated()
        let sql = rows.map { "(\($0),'\($1)','2020-11-03 09:12:4\($0)')" }.joined(separator: ",")
        let copy = rows.map { "\($0)\t\($1)\t2020-11-03 09:12:4\($0)\n" }.joined()
        for text in ["INSERT INTO n (id,body,at) VALUES \(sql);\n", "COPY n (id, body, at) FROM stdin;\n\(copy)\\.\n"] {
            let times = try Trial(of: text).lines.compactMap { line in
                line.split(separator: "\"received_at\":\"2020-11-03T09:12:4").last?.first
            }
            #expect(times.sorted() == ["0", "1", "2", "3"])
        }
    }

    @Test("A notification of a line has the time before it, and none from within another")
    func aNotificationOfALineHasTheTimeBeforeIt() throws {
        let dated = #"{"notification_type":"CANCEL","bid":"a","cancellation_date":"2019-01-01 00:00:00 Etc/GMT"}"#
        let time = "2020-11-03T09:12:44Z"
        let text =
            "x \(dated) y \(Body.cancel(1))\n\(time) \(dated) y \(Body.cancel(2))\n"
            + "x \(dated) \(time) \(Body.cancel(3))\n"
        let trial = try Trial(of: text, asking(as: .log))
        let events = trial.lines
        let times = events.map { $0.contains("\"received_at\":\"2020-11-03T09:12:44.000Z\"") }
        #expect(times == [false, false, true, true, false, true])
        #expect(trial.tally.received == 3)
    }

    @Test("A row of SQL with two times has no time of arrival, because they have no names")
    func aRowWithTwoTimesHasNone() throws {
        let trial = try Trial(
            of: "INSERT INTO n VALUES (1,'\(Body.cancel(1))','2020-11-03 09:12:44','2021-11-03 09:12:44');\n",
            asking(as: .log))
        #expect(trial.tally.converted == 1)
        #expect(trial.tally.received == 0)
    }

    /// Lines with a notification, and whether one that cannot be read is beside it.
    static let neighbors: [(line: String, hasSigns: Bool)] = {
        let body = Body.cancel(1)
        let row = "INSERT INTO `n` VALUES (1,'\(body.replacing("\"", with: "\\\""))')"
        return [
            (row + #",(2,'a:1:{s:17:\"notification_type\";s:6:\"CANCEL\";}');"#, true),
            (row + ",(2,0x7B226E6F74696669636174696F6E5F74797065223A2243414E43454C227D);", true),
            (row + ",(2,'H4sIAAAAAAAA');", true),
            (row + ",(2,'eyJub3RpZmljYXRpb25UeXBlIjoiUkVGVU5EIn0=');", true),
            ("x first={'notificationType': 'REFUND', 'data': {}} second=\(body)", true),
            ("x first=\(body) second={'notification_type': 'CANCEL', 'unified_receipt': {'status': 0}}", true),
            ("x first=UnifiedReceipt(unifiedReceipt=1) second=\(body)", true),
            (#"{"a":\#(body),"b":"notification_type: CANCEL\nunified_receipt: 1"}"#, true),
            (#"{"a":\#(body),"b":"got \#(body.replacing("\"", with: "\\\"")) latest_receipt_info => 1"}"#, true),
            (
                "x notification_type=CANCEL type=v1 notification_type=subscription signed_payload=\(body) unified_receipt_id=1",
                false
            ),
            ("INSERT INTO n (id, notification_type, unified_receipt) VALUES (1, 'CANCEL', '\(body)');", false),
            (#"x INSERT INTO n ("signed_payload", "at") VALUES ($1, $2) [["signed_payload", "\#(body)"]]"#, false),
            (#"10.0.0.1 "POST /hook" 200 \#(body) "-""#, false),
            (#"{"a":\#(body),"b":"\#(body.replacing("\"", with: "\\\""))","unified_receipt":{}}"#, false),
        ]
    }()

    @Test("What cannot be read beside a notification is a skip with signs", arguments: neighbors.indices)
    func signsBesideANotification(_ place: Int) throws {
        let (line, hasSigns) = Self.neighbors[place]
        let trial = try Trial(of: "-- a log\n\(line)\n\n", asking(as: .log))
        #expect(trial.faults == [])
        #expect(trial.tally.converted == 1)
        #expect(trial.tally.signs == (hasSigns ? 1 : 0))
        #expect(trial.outcome.firstSign?.line == (hasSigns ? 2 : nil))
    }

    /// A body with escapes of JSON, in lines of dumps and logs that escape these, in one line or pretty-printed.
    static let escapedBodies: [String] = [false, true].flatMap { isPretty in
        let space = isPretty ? "\\n  " : ""
        func escaped(_ text: String) -> String { text.replacing("\\", with: "\\\\").replacing("@", with: space) }
        let body = #"{@"notification_type":"CANCEL",@"bid":"it's",@"auto_renew_product_id":"com\/\u65b0 \"x\""@}"#
        let copied = escaped(body)
        let quoted = copied.replacing("\"", with: "\\\"")
        let hexadecimal = body.replacing("@", with: "\\x0A ").replacing("\"", with: "\\x22").replacing(
            "\\/", with: "\\x5C/"
        ).replacing("\\u", with: "\\x5Cu").replacing("\\\\x22", with: "\\x5C\\x22")
        return [
            "COPY public.n (id, body) FROM stdin;\n1\t\(copied)\n\\.", "1\t\(copied)",
            "COPY public.n (body, id) FROM stdin;\n\(copied)\t1\n\\.", "COPY n (body) FROM stdin;\n\(copied)\n\\.",
            "INSERT INTO n VALUES (1,E'\(copied.replacing("'", with: "''"))'),(2,'x');",
            "INSERT INTO n VALUES (1,'', e'\(copied.replacing("'", with: "\\'"))');",
            "INSERT INTO `n` VALUES (1,'\(quoted.replacing("'", with: "\\'"))');",
            "INSERT INTO `n` VALUES (1,' [ \(quoted.replacing("'", with: "''"))]');",
            "2020-11-03 POST /hook body=\"\(hexadecimal)\"", "2020-11-03 got body=\"[ \(quoted)]\"",
        ]
    }

    @Test("Escapes around JSON that has escapes itself are removed once", arguments: escapedBodies)
    func escapesAroundEscapes(lines: String) throws {
        let trial = try Trial(of: "-- a dump\n\(lines)\n")
        #expect(trial.faults == [])
        #expect(trial.events.contains(#""bundle_id":"it's""#))
        #expect(trial.events.contains(#""auto_renew_product_id":"com/新 \"x\"""#))
    }

    @Test(
        "Lines that only look like another format lose nothing",
        arguments: [
            "<!DOCTYPE html><p>502</p>", "<?xml version=\"1.0\"?>", "x tpl=\"{\"\"}\"", "fmt = \"{\"\"}\".format()",
            "-[ RECORD 1 ] seen in log", "*************************** 1. row ***************************",
        ])
    func linesOfOtherForms(line: String) throws {
        let trial = try Trial(of: "\(line)\n\(line) \(Body.cancel(1))\n2020-11-03 ok \(Body.cancel(2))\n")
        #expect(trial.faults == [])
        #expect(trial.tally.converted == 2)
    }

    /// COPY statements with a row; in CSV the quotes are doubled, and the time may stand before the body.
    private static let copies: [String] = {
        let (columns, csv) = ("(id, body, received_at) FROM stdin;", "FROM stdin WITH (FORMAT csv);")
        let body = #"{"notification_type":"CANCEL","bid":"a","auto_renew_product_id":"a \"b\" \\ c"}"#
        let (doubled, time) = (body.replacing("\"", with: "\"\""), "2020-11-03 09:12:44.5+00")
        return [
            "\(columns)\n1\t\(body.replacing("\\", with: "\\\\"))\t\(time)", "\(csv)\n1,\"\(doubled)\",\(time)",
            "\(csv)\n1,\(time),\"\(doubled)\",x",
        ]
    }()

    @Test("COPY rows of a dump are read without their escapes or doubled quotes, and with a time", arguments: copies)
    func copyRowsOfADumpAreRead(_ copy: String) throws {
        let trial = try Trial(of: "-- a dump\nCOPY public.n \(copy)\n\\.\n-- end\n")
        #expect(trial.faults == [])
        #expect(trial.events.contains(#""auto_renew_product_id":"a \"b\" \\ c""#))
        #expect(trial.events.contains("\"received_at\":\"2020-11-03T09:12:44.500Z\""))
    }

    @Test("The request body of a web server's log is read without its escapes")
    func requestBodiesOfAWebServerAreRead() throws {
        let body = #"{"notification_type":"CANCEL","bid":"é\"","environment":"PROD"}"#
        let escaped = body.utf8.map { byte in
            0x20..<0x7F ~= byte && byte != 0x22 && byte != 0x5C
                ? String(UnicodeScalar(byte)) : "\\x" + String(byte, radix: 16, uppercase: true)
        }.joined()
        let prefix = "10.0.0.1 - - [03/Nov/2020:09:12:44 +0000] \"POST /hook HTTP/1.1\" 200 2 \"-\" \"A\" "
        let trial = try Trial(of: prefix + "\"" + escaped + "\"\n")
        #expect(trial.faults == [])
        #expect(trial.events.contains(#""bundle_id":"é\"""#))
        #expect(trial.events.contains("\"received_at\":\"2020-11-03T09:12:44.000Z\""))
    }

    /// The lines of a container's log that a text becomes, in pieces of some bytes.
    private static func pieces(_ text: String, of size: Int, docker: Bool) -> [String] {
        let bytes = Array(text.utf8)
        return stride(from: 0, to: bytes.count, by: size).map { start in
            let end = min(bytes.count, start + size)
            let piece = String(decoding: bytes[start..<end], as: UTF8.self)
            let time = "2020-11-03T09:12:44.12\(start == 0 ? 3 : 9)456789Z"
            if !docker { return "\(time) stdout \(end < bytes.count ? "P" : "F") \(piece)" }
            let escaped = piece.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            let tail = end < bytes.count ? "" : "\\n"
            return "{\"log\":\"\(escaped)\(tail)\",\"stream\":\"stdout\",\"time\":\"\(time)\"}"
        }
    }

    /// A body that is longer than two pieces of Docker's, or one with nothing more.
    private static func long(_ body: String, docker: Bool) -> String {
        let filler = String(repeating: "\\\"é<A", count: docker ? 6000 : 0)
        return docker ? body.dropLast() + ",\"latest_receipt\":\"\(filler)\"}" : body
    }

    @Test("A notification that a container's runtime cut into pieces is a skip with signs", arguments: [true, false])
    func piecesAreASkipWithSigns(docker: Bool) throws {
        let size = docker ? 16_384 : 50
        let cut = Self.pieces(Self.long(Body.cancel(1), docker: docker), of: size, docker: docker)
        let whole = Self.pieces(Body.cancel(2), of: 900, docker: docker)
        let lines = Self.pieces("a note", of: 90, docker: docker) + cut + whole
        let trial = try Trial(of: lines.asLines)
        #expect(trial.faults == [])
        #expect(trial.numbers == ["\(lines.count)"])
        #expect(trial.tally.signs >= 1)
        #expect(trial.outcome.firstSign?.line == 2)
        for chunkSize in [1, 50, 400, 20_000] {
            let other = try trial.again(asking(chunkSize))
            #expect(other.events == trial.events)
            #expect(other.tally == trial.tally)
        }
    }

    @Test("Lines of Docker's form whose line feed was cut off are whole")
    func linesWithoutALineFeedAreWhole() throws {
        let lines = (1...2000).map { number in
            Self.pieces(Body.cancel(number), of: 90, docker: true)[0].replacing(#"\n","stream"#, with: #"","stream"#)
        }
        let trial = try Trial(of: lines.asLines)
        #expect(trial.tally.converted == 2000)
        let pieces = (1...3000).map { "2020-11-03T09:12:44.123456789Z stdout P \($0) {}" }
        let other = try Trial(of: pieces.asLines, asking(as: .log))
        #expect(other.tally.skipped == 3000)
    }

    static let forms: [(text: String, sentence: String)] = [
        (#"  Parameters: {"notification_type"=>#<CANCEL>, "bid"=>nil}"#, "Ruby hash"),
        (#"[notification_type] => CANCEL"#, "not JSON, but it shows signs of a notification"),
        (#"{"_id":ObjectId("5e60cc0312ab"),"body":{"notification_type":"CANCEL"}}"#, "MongoDB's shell"),
        (#"{'notification_type': 'CANCEL', 'a': True}"#, "Python dictionary"),
        (#"{ notification_type: 'CANCEL', bid: 'a' }"#, "Node's log"),
    ]

    @Test("The reject of a form of another language names it and its JSON function", arguments: forms.indices)
    func aFormOfAnotherLanguageIsNamed(_ place: Int) throws {
        let form = Self.forms[place]
        let converter = RecordConverter(options: .init(), policy: .trustingTheSource)
        converter.begin(input: "a", offset: 0)
        let text = Array(form.text.utf8)
        let padded = text + [UInt8](repeating: 0, count: RecordConverter.slack)
        padded.withUnsafeBytes { bytes in
            let chunk = UnsafeRawBufferPointer(rebasing: bytes[..<text.count])
            let isLog = !form.text.hasPrefix("{") && !form.text.hasPrefix("[")
            _ = converter.convertLine(of: chunk, from: 0, isLog: isLog)
        }
        let reject = try #require(converter.output.rejects.first)
        #expect(reject.message.contains(form.sentence), "\(reject.message)")
        #expect(!reject.message.contains("CANCEL"))
    }

    @Test(
        "A hash of Ruby is read, in a line, in a text of JSON and alone",
        arguments: [
            #"I, [2020-11-03T09:12:44.123456 #1]  INFO -- : Parameters: HASH"#, #"2020-11-03T09:12:44.123Z HASH end"#,
            "HASH", #"{"time":"2020-11-03T09:12:44.123Z","message":"TEXT"}"#,
        ],
        [
            ##"{"notification_type"=>"CANCEL", "bid"=>"a#b => \"nil\" \\\\ \#{x}", "auto_renew_product_id"=>nil}"##,
            ##"{"notification_type" => "CANCEL", :bid => "a#b => \"nil\" \\\\ \#{x}", "unified_receipt" => {"status" => 0}}"##,
        ])
    func aHashOfRubyIsRead(_ line: String, _ hash: String) throws {
        let text = hash.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        let trial = try Trial(
            of: "x \(Body.cancel(1))\n\(line.replacing("HASH", with: hash).replacing("TEXT", with: text))\n",
            asking(as: .log))
        #expect(trial.faults == [])
        #expect(trial.tally.converted == 2)
        let event = try #require(trial.lines.last)
        #expect(event.contains(##""bundle_id":"a#b => \"nil\" \\\\ #{x}""##), "\(event)")
        #expect(line == "HASH" || event.contains("\"received_at\":\"2020-11-03T09:12:44.123Z\""))
    }

    private static let signed: String = {
        let payload = #"{"notificationType":"TEST","notificationUUID":"u1","version":"2.0","data":{"bundleId":"a.b"}}"#
        let parts = [#"{"alg":"ES256","x5c":["a","b"]}"#, payload, "not a signature at all"]
        return parts.map { StrictBase64.encoded(url: Array($0.utf8)) }.joined(separator: ".")
    }()

    @Test(
        "A signed payload is found in a line, whatever form is around it",
        arguments: [
            "INFO got JWS", "INFO got JWS.", #"  Parameters: {"signedPayload"=>"JWS", "a"=>nil}"#,
            "body {signedPayload=JWS}", "{'signedPayload': 'JWS'}", "x { signedPayload: 'JWS' }",
            #"x {"token":"a"} JWS"#, "Bearer OTHER signedPayload=JWS&a=1",
        ])
    func aSignedPayloadIsFoundInALine(_ form: String) throws {
        let other = Self.signed.replacing(Self.signed.split(separator: ".")[1], with: "eyJzdWIiOiJhbnlib2R5In0")
        let text = form.replacing("JWS", with: Self.signed).replacing("OTHER", with: other)
        let time = "2020-11-03T09:12:44.123Z"
        let trial = try Trial(of: "\(time) \(text)\n\(time) Bearer \(other)\n\(time) \(text)\n")
        #expect(trial.faults == [])
        #expect(trial.numbers == ["1", "3"])
        #expect(trial.tally.received == 2)
        // A text that is JSON itself is not a line inside of other JSON.
        if !text.hasPrefix("{") {
            let escaped = text.replacing("\"", with: "\\\"")
            let wrapped = try Trial(of: "{\"time\":\"\(time)\",\"line\":\"\(escaped)\"}\n")
            #expect(wrapped.tally.converted == 1)
            #expect(wrapped.tally.received == 1)
        }
    }

    @Test("Malformed JSON is not reported as another language, and no signed payload is searched in it")
    func jsonWithAFaultIsNotAnotherForm() throws {
        let pair = "\"signedPayload\":\"\(Self.signed)\""
        let trial = try Trial(of: "x {\(pair),\(pair)}\nx {\(pair),}\nx {\(pair)\n", asking(as: .log))
        #expect(
            trial.faults.map { $0.drop { $0 != " " }.dropFirst() } == [
                "json.duplicate-key", "json.trailing-comma", "json.unexpected-end",
            ])
        #expect(trial.events.isEmpty)
    }
}
