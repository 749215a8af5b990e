import Testing

@testable import NotificationTranslation

/// Bodies for an endpoint under test.
///
/// Apple's Python library (`pip install app-store-server-library`; PYTHONPATH is
/// passed on) decodes them where it is installed.
@Suite("Rehearsal") struct RehearseTests {
    /// One body to be posted.
    struct Posted {
        let line: JSONValue
        let payload: JSONValue
        var time: String { line["send_at"]?.string ?? "" }
        var id: String { line["notificationUUID"]?.string ?? "" }
        var jws: String { line["body"]?["signedPayload"]?.string ?? "" }

        init(_ text: Substring) throws {
            line = try Command.json(text)
            payload = try Self.payload(of: line["body"]?["signedPayload"]?.string ?? "")
        }

        /// What a compact JWS says.
        static func payload(of jws: String) throws -> JSONValue {
            let parts = jws.split(separator: ".")
            let bytes = try #require(StrictBase64.decoded(url: Array(parts[1].utf8)))
            return try Command.json(String(decoding: bytes, as: UTF8.self))
        }

        /// What the parts of the payload say.
        var parts: [JSONValue] {
            get throws {
                try ["signedTransactionInfo", "signedRenewalInfo"].compactMap { payload["data"]?[$0]?.string }
                    .map(Self.payload)
            }
        }
    }

    /// What the bodies of an output say, their parts decoded.
    static func plain(_ output: String) throws -> String {
        func text(_ jws: String) throws -> String {
            let payload = try #require(StrictBase64.decoded(url: Array(jws.split(separator: ".")[1].utf8)))
            return String(decoding: payload, as: UTF8.self) + "\n"
        }
        return try output.split(separator: "\n").map { line in
            let posted = try Posted(line)
            let keys = ["signedTransactionInfo", "signedRenewalInfo", "signedAppTransactionInfo"]
            let parts = ["data", "appData"].flatMap { data in keys.compactMap { posted.payload[data]?[$0]?.string } }
            return try parts.reduce(into: text(posted.jws)) { $0 = $0.replacing($1, with: "") + (try text($1)) }
        }.joined()
    }

    /// Simulated lives, many of whose servers moved to version 2; `archive` in the folder.
    private static func command(lives: Int = 20) throws -> Command {
        try Command(["archive": Cluster.archive(lives: lives).asLines])
    }

    private static let app = ["--expect-bundle-id", "com.example.reader", "--expect-environment", "Production"]

    private static func rehearse(_ command: Command, _ options: [String] = []) throws -> [Posted] {
        let run = try command.run(["rehearse", "archive", "--max-rejects", "9"] + app + options)
        #expect(run.code == 0, "\(run.errors)")
        try command.write(run.output, to: "bodies")
        return try run.lines.map(Posted.init)
    }

    @Test("Every event is posted once, in the order of time, as convert writes it with every deduction")
    func everyEvent() throws {
        let command = try Self.command()
        let bodies = try Self.rehearse(command)
        #expect(bodies.map(\.time) == bodies.map(\.time).sorted())
        let run = try command.run(["convert", "archive", "-q", "--to", "v2", "--infer", "all", "--max-rejects", "9"])
        let payloads = try run.values
        func subscription(_ payload: JSONValue) -> String? {
            payload["data"]?["transactionInfo"]?["originalTransactionId"]?.string
        }
        let ofApp = payloads.filter { $0["data"]?["bundleId"]?.string == "com.example.reader" }
        // What others of the subscription say of the app, a body need not say.
        let known = Set(ofApp.compactMap(subscription))
        var expected: [String: JSONValue] = [:]
        for payload in payloads {
            let app = payload["data"]?["bundleId"]?.string
            let isOfApp = app.map { $0 == "com.example.reader" } ?? subscription(payload).map(known.contains)
            guard isOfApp == true else { continue }
            guard payload["data"]?["environment"]?.string == "Production" else { continue }
            expected[payload["notificationUUID"]?.string ?? ""] = payload
        }
        #expect(Set(bodies.map(\.id)).symmetricDifference(expected.keys) == [])
        #expect(bodies.count == expected.count && bodies.count > 100)
        for body in bodies {
            let payload = body.payload
            let original = try #require(expected[body.id])
            #expect(payload["notificationUUID"]?.string == body.id)
            #expect(payload["notificationType"] == original["notificationType"])
            #expect(payload["subtype"] == original["subtype"])
            #expect(payload["data"]?["status"] == original["data"]?["status"])
            #expect(payload["translation"]?["signed"] == .bool(false))
            let isTranslated = original["translation"] != nil
            #expect(payload["translation"]?["sourceVersion"]?.string == (isTranslated ? "v1" : "v2"))
            let signed = try #require(payload["signedDate"]?.integer)
            #expect(body.time == EventTime(milliseconds: signed).description)
            if isTranslated {
                // What was deduced comes after what was reported of the same instant.
                let delay: Int64 = original["translation"]?["sourceType"] == nil ? 1001 : 1000
                #expect(signed == (original["translation"]?["occurredDate"]?.integer ?? 0) + delay)
                #expect(try body.parts.allSatisfy { $0["signedDate"]?.integer == signed })
            }
            if isTranslated, original["translation"]?["sourceType"] == nil {
                // What all bodies of a subscription show, those that nobody sent show too.
                let transaction = try #require(
                    body.parts.first { $0["transactionId"] != nil || $0["productId"] != nil })
                #expect(transaction["quantity"]?.integer == 1 && transaction["originalPurchaseDate"]?.integer != nil)
            }
            // Apple sends renewal info with every end of a period, so handlers read it.
            if payload["notificationType"]?.string == "EXPIRED" {
                let renewal = try #require(body.parts.first { $0["autoRenewStatus"] != nil })
                #expect(renewal["autoRenewStatus"]?.integer == 0 && renewal["autoRenewProductId"]?.string != nil)
            }
            #expect(payload["data"]?["environment"]?.string == "LocalTesting")
            #expect(try body.parts.allSatisfy { $0["environment"]?.string == "LocalTesting" })
        }
        #expect(bodies.contains { $0.payload["translation"]?["sourceVersion"]?.string == "v2" })
        #expect(bodies.contains { $0.payload["notificationType"]?.string == "EXPIRED" })
    }

    @Test("A status is what state says of that instant")
    func statuses() throws {
        let command = try Self.command()
        let bodies = try Self.rehearse(command)
        let run = try command.run(["state", "archive", "-q", "--history", "--max-rejects", "9"] + Self.app)
        #expect(run.code == 0, "\(run.errors)")
        let rows = Dictionary(grouping: try run.values) {
            $0["original_transaction_id"]?.string
        }
        var compared = 0
        for body in bodies where body.payload["translation"]?["sourceVersion"]?.string == "v1" {
            let translation = body.payload["translation"]
            let id = try body.parts.lazy.compactMap { $0["originalTransactionId"]?.string }.first
            // A range begins before the state has changed.
            guard let happened = translation?["occurredDate"]?.integer,
                translation?["flags"] != .array([.string("TIME_RANGE")])
            else { continue }
            let time = EventTime(milliseconds: happened).description
            let row = rows[id]?.last { $0["valid_from"]?.string ?? "" <= time }
            guard let status = row?["status"]?.integer else { continue }
            #expect(body.payload["data"]?["status"]?.integer == status, "\(body.payload)")
            compared += 1
        }
        #expect(compared > 100)
    }

    @Test("A body without a date of its own gets the renewal status of its arrival, and a deduced event gets a status")
    func lateBody() throws {
        let begin: Int64 = 1_614_834_360_000
        func body(_ type: String, _ renews: Bool, _ more: String = "", at: Int64) -> String {
            let status = #","auto_renew_status":"\#(renews)""#
            return Body.version1(type, [Body.row("1", from: begin)], status + more, bid: "app", at: begin + at)
        }
        let off = #","auto_renew_status_change_date_ms":"\#(begin + 5_000)""#
        let bodies = [
            body("INITIAL_BUY", true, at: 1_000), body("DID_CHANGE_RENEWAL_STATUS", false, off, at: 6_000),
            body("PRICE_INCREASE_CONSENT", true, at: 9_000),
        ]
        let run = try Command.run("rehearse", "a", "--as-of", "2021-04-05", over: bodies.asLines)
        let found = try run.lines.map { line in
            let posted = try Posted(line)
            let renews = try posted.parts.lazy.compactMap { $0["autoRenewStatus"]?.integer }.first
            return [posted.payload["data"]?["status"]?.integer, renews]
        }
        #expect(found == [[1, 1], [1, 0], [1, 0], [2, 0]], "\(run.lines)")
    }

    @Test("A payload without signedDate is dated by the latest of its parts, else a second after its event")
    func dates() throws {
        func payload(_ id: Int, _ transaction: String, _ renewal: String) -> String {
            #"{"notificationType":"DID_RENEW","notificationUUID":"00000000-0000-4000-8000-00000000000\#(id)","version":"2.0","#
                + #""data":{"bundleId":"app.1","environment":"Production","transactionInfo":{"originalTransactionId":"1","#
                + #""transactionId":"\#(id)","productId":"p","purchaseDate":1614834300000,"expiresDate":1617512700000\#(transaction)},"#
                + #""renewalInfo":{"autoRenewStatus":1,"autoRenewProductId":"p"\#(renewal)}}}"#
        }
        func date(_ milliseconds: Int) -> String { #","signedDate":\#(milliseconds)"# }
        let lines = [
            payload(1, date(1_614_834_305_000), date(1_614_834_309_000)), payload(2, date(1_614_834_308_000), ""),
            payload(3, "", ""),
        ]
        let run = try Command.run("rehearse", "a", "-q", over: lines.asLines)
        #expect(run.code == 0, "\(run.errors)")
        let bodies = try run.lines.map(Posted.init)
        #expect(bodies.map(\.time) == ["01", "08", "09"].map { "2021-03-04T05:05:\($0).000Z" })
        let dates = bodies.map { $0.payload["signedDate"]?.integer }
        #expect(dates == [301_000, 308_000, 309_000].map { 1_614_834_000_000 + $0 })
    }

    @Test("The bytes depend neither on the jobs nor on the memory for sorting, and a seed chooses the deliveries")
    func reproducible() throws {
        let command = try Self.command()
        let once = try Self.rehearse(command, ["--jobs", "1", "--retries", "7"])
        let first = try command.bytes("bodies")
        _ = try Self.rehearse(command, ["--jobs", "3", "--retries", "7"])
        #expect(try command.bytes("bodies") == first)
        _ = try Self.rehearse(command, ["--retries", "8"])
        #expect(try command.bytes("bodies") != first)
        let plain = try Self.rehearse(command)
        #expect(Set(once.map(\.id)) == Set(plain.map(\.id)) && once.count > plain.count)
        #expect(once.map(\.time) == once.map(\.time).sorted())
        // The same body each time.
        let byID = Dictionary(grouping: once, by: \.id)
        #expect(byID.values.allSatisfy { Set($0.map(\.jws)).count == 1 })
        #expect(byID.values.contains { $0.count > 1 })
        let attempts = Set(once.compactMap { $0.line["attempt"]?.integer })
        #expect(attempts.isSuperset(of: [1, 2, 3]) && attempts.isSubset(of: [1, 2, 3, 4, 5, 6]))
        #expect(byID.values.contains { $0.count == 1 && $0[0].line["attempt"]?.integer ?? 0 > 1 })
        // A signedDate of Int64.max is posted, too.
        let ends = (0..<60).map { number in
            #"{"received_at":"2021-06-01T00:00:00Z","body":{"notificationType":"DID_RENEW","version":"2.0","data":"#
                + #"{"environment":"Sandbox","bundleId":"a"},"notificationUUID":"\#(number)","signedDate":\#(Int64.max)}}"#
        }
        let run = try Command(["ends": ends.asLines]).run("rehearse", "ends", "-q", "--retries", "1")
        #expect(run.code == 0, "\(run.errors)")
    }

    @Test("One app and environment is rehearsed; several without a choice are named")
    func oneApp() throws {
        let bodies = [("app.1", "PROD"), ("app.1", "Sandbox"), ("app.2", "PROD"), (nil, "PROD")].map {
            Body.version1("DID_RENEW", [], bid: $0, environment: $1, at: 1_614_834_367_000)
        }
        let command = try Command(["archive": bodies.dropLast().asLines, "alone": bodies[3]])
        for (words, code, sentence) in [
            (
                "archive", 2,
                "several apps or environments: app.1 Production (1), app.1 Sandbox (1), app.2 Production (1): choose one "
                    + "with --expect-bundle-id and --expect-environment"
            ),
            ("archive --expect-bundle-id app.1", 2, "app.1 Production (1), app.1 Sandbox (1): choose one"),
            (
                "archive --expect-bundle-id app.1 --expect-environment Sandbox", 0,
                "1 body to post of app.1 Sandbox; left out: 2 events of other apps or environments"
            ),
            // One that names no app is taken where the input has no other.
            ("alone --expect-bundle-id app.3", 0, "1 body to post"),
            ("alone", 1, "left out: 1 event of no known app or environment"),
            (
                "alone archive --expect-bundle-id app.2 --expect-environment Production", 0,
                "1 body to post of app.2 Production; left out: 2 events of"
            ), ("archive --expect-bundle-id app.3", 1, "nothing is to be posted"),
        ] as [(String, Int32, String)] {
            let run = try command.run(["rehearse"] + words.split(separator: " ").map(String.init))
            #expect(run.code == code && run.lines.count == (code == 0 ? 1 : 0), "\(words)")
            #expect(run.errors.contains(sentence), "\(words): \(run.errors)")
        }
    }

    @Test("A body that does not name its app is rehearsed with those of its subscription")
    func appOfTheSubscription() throws {
        func body(_ type: String, _ id: String, _ bid: String?, _ more: String = "") -> String {
            Body.version1(type, [Body.row(id, from: 1_614_834_360_000)], more, bid: bid, at: 1_614_834_367_000)
        }
        let off = #","auto_renew_status":"false","auto_renew_status_change_date_ms":"1614834365000""#
        let bodies = [
            body("INITIAL_BUY", "1", "app.1"), body("DID_CHANGE_RENEWAL_STATUS", "1", nil, off),
            body("INITIAL_BUY", "2", "app.2"),
        ]
        let run = try Command.run(
            "rehearse", "a", "--infer", "none", "--expect-bundle-id", "app.1", over: bodies.asLines)
        let told = "2 bodies to post of app.1 Production; left out: 1 event of other apps or environments"
        #expect(run.errors.contains(told))
        let apps = try run.lines.map { try Posted($0).payload["data"]?["bundleId"]?.string }
        #expect(apps == ["app.1", "app.1"])
    }

    @Test(
        "Tables are made of the app and environment that is asked for",
        arguments: ["state", "transactions", "worklist"])
    func tables(of name: String) throws {
        let lines = [("app.1", "PROD", "1"), ("app.1", "Sandbox", "2"), ("app.2", "PROD", "3")].map {
            bid, environment, id in
            let row = Body.row(id, from: 1_551_675_900_000)
            return Body.version1("DID_RENEW", [row], bid: bid, environment: environment, at: 1_551_675_967_000)
        }
        func ids(_ options: [String]) throws -> (ids: [String], errors: String) {
            let format = name == "worklist" ? [] : ["--format", "csv"]
            let run = try Command.run([name, "a"] + format + options, over: lines.asLines)
            #expect(run.code == 0, "\(run.errors)")
            let ids = run.output.matches(of: /"original_transaction_id":"(\d)"|^1,(\d),/.anchorsMatchLineEndings())
            return (ids.compactMap { ($0.1 ?? $0.2).map(String.init) }.sorted(), run.errors)
        }
        #expect(try ids([]).ids == ["1", "2", "3"])
        let own = try ids(["--expect-bundle-id", "app.1"])
        #expect(own.ids == ["1", "2"] && own.errors.contains("left out    1   of other apps or environments\n"))
        #expect(try ids(["--expect-bundle-id", "app.1", "--expect-environment", "Production"]).ids == ["1"])
        #expect(try ids(["--expect-environment", "Sandbox"]).ids == ["2"])
    }

    @Test(
        "What cannot be rehearsed is refused",
        arguments: [
            (["--environment", "Production"], "invalid value 'Production' for --environment"),
            (["--environment", "Sandbox"], "--environment Sandbox needs --sign FOLDER"),
            (["--sign", "keys"], "--sign needs --environment Sandbox."),
            (["--environment", "Sandbox", "--sign", "other"], "something else than a chain that this program made"),
            (["--retries", "x"], "invalid value 'x' for --retries"), (["--to", "v2"], "no option '--to'"),
        ])
    func refuses(options: [String], message: String) throws {
        let command = try Self.command(lives: 1)
        command.makeFolder("other")
        try command.write("mine", to: "other/root.cer")
        let run = try command.run(["rehearse", "archive"] + options)
        #expect(run.code == 2 && run.output.isEmpty && run.errors.contains(message), "\(run.errors)")
    }

    @Test("A chain is made once and used again, its key is private, and a folder with another's is refused")
    func chain() throws {
        let command = try Self.command(lives: 3)
        let options = ["--environment", "Sandbox", "--sign"]
        _ = try Self.rehearse(command, options + ["keys"])
        let root = try command.bytes("keys/root.cer")
        _ = try Self.rehearse(command, options + ["keys"])
        #expect(try command.bytes("keys/root.cer") == root)
        _ = try Self.rehearse(command, options + ["others"])
        #expect(try command.bytes("others/root.cer") != root)
        #expect(command.names(in: "keys") == ["intermediate.cer", "leaf.cer", "leaf.key", "root.cer"])
        #expect(command.rights("keys/leaf.key") == 0o600)
        let told = try command.run(["rehearse", "archive"] + Self.app + options + ["keys"]).errors.split(
            separator: "\n")
        for library in ["Python", "Node", "Java", "Swift"] {
            #expect(told.filter { $0.hasPrefix("    \(library): ") && $0.contains("keys/root.cer") }.count == 1)
        }
        try command.write(try command.bytes("others/leaf.key"), to: "keys/leaf.key")
        let mixed = try command.run(["rehearse", "archive"] + Self.app + options + ["keys"])
        #expect(mixed.code == 2 && mixed.errors.contains("something else than a chain that this program made"))
    }

    // MARK: Apple's library

    /// Whether Apple's Python library is installed.
    static let library = ReadmeTests.python(has: "appstoreserverlibrary")

    /// Decodes each body and its parts; prints how many hold, and how many do not.
    private static func decoded(_ command: Command, _ environment: String, root: String?) throws -> String {
        let roots = root.map { "[open('\(command.path($0))', 'rb').read()]" } ?? "[]"
        try command.write(
            """
            import json
            from appstoreserverlibrary.signed_data_verifier import SignedDataVerifier, VerificationException
            from appstoreserverlibrary.models.Environment import Environment
            verifier = SignedDataVerifier(\(roots), False, Environment('\(environment)'), 'com.example.reader')
            bodies, parts, refused = 0, 0, 0
            for line in open('\(command.path("bodies"))'):
                record = json.loads(line)
                try:
                    payload = verifier.verify_and_decode_notification(record['body']['signedPayload'])
                    assert payload.notificationUUID == record['notificationUUID'] and payload.rawNotificationType
                    bodies += 1
                    if payload.data and payload.data.signedTransactionInfo:
                        verifier.verify_and_decode_signed_transaction(payload.data.signedTransactionInfo)
                        parts += 1
                    if payload.data and payload.data.signedRenewalInfo:
                        verifier.verify_and_decode_renewal_info(payload.data.signedRenewalInfo)
                        parts += 1
                except VerificationException:
                    refused += 1
            print(bodies, parts > bodies, refused)
            """, to: "script.py")
        let run = try ReadmeTests.shell("python3 script.py 2>&1", in: command)
        #expect(run.code == 0, "\(run.output)")
        return run.lines.last.map(String.init) ?? ""
    }

    @Test(
        "Apple's Python library decodes every body and its parts",
        .enabled(if: RehearseTests.library, "needs app-store-server-library"),
        arguments: ["LocalTesting", "Xcode", "Sandbox"])
    func appleDecodes(environment: String) throws {
        let command = try Self.command()
        let isSigned = environment == "Sandbox"
        let signing = isSigned ? ["--sign", "keys"] : []
        let bodies = try Self.rehearse(command, ["--environment", environment] + signing)
        let all = "\(bodies.count) True 0"
        #expect(try Self.decoded(command, environment, root: isSigned ? "keys/root.cer" : nil) == all)
    }

    @Test(
        "Apple's Python library refuses every body below another root, and every body with one byte changed",
        .enabled(if: RehearseTests.library, "needs app-store-server-library"))
    func appleRefuses() throws {
        let command = try Self.command(lives: 5)
        let signing = ["--environment", "Sandbox", "--sign"]
        let bodies = try Self.rehearse(command, signing + ["keys"])
        let text = try command.bytes("bodies")
        _ = try Self.rehearse(command, signing + ["others"])
        #expect(try Self.decoded(command, "Sandbox", root: "keys/root.cer") == "0 False \(bodies.count)")
        // One byte of each payload, far behind the header.
        let changed = text.split(separator: 0x0A).map { line in
            var line = Array(line)
            let place = line.count - 200
            line[place] = line[place] == 0x41 ? 0x42 : 0x41
            return line
        }
        try command.write(Array(changed.joined(separator: [0x0A])), to: "bodies")
        #expect(try Self.decoded(command, "Sandbox", root: "keys/root.cer") == "0 False \(bodies.count)")
    }
}
