import NotificationLibC
import Testing

@testable import NotificationTranslation

/// The scripts of the article Moving to V2, and its commands that need more than an archive.
///
/// What verifies and what asks needs Apple's Python library (`pip install app-store-server-library`; PYTHONPATH is
/// passed on). No request leaves the machine.
@Suite("Moving to V2") struct MovingToV2Tests {
    /// The one command of the article that begins so, with other words in place of some.
    private static func line(_ start: String, _ others: [String: String]) throws -> String {
        let article = try Command.file(ReadmeTests.catalogue + "MovingToV2.md")
        let lines = article.split(whereSeparator: { $0 == "\n" || $0 == "`" }).filter { $0.hasPrefix(start) }
        #expect(lines.count == 1, "\(start)")
        return others.reduce(String(lines.first ?? "")) { $0.replacing($1.key, with: $1.value) }
    }

    /// Starts a server of the folder, written in Python; its port is in a file of that name there.
    private static func serve(_ command: Command, _ line: String) throws -> (process: Command.Running, port: String) {
        let process = try command.start(
            ["-c", "exec " + line], environment: ReadmeTests.environment, program: "/bin/sh")
        for _ in 0..<1_200 where !command.exists("port") { usleep(50_000) }
        return (process, try command.text("port"))
    }

    // MARK: The rehearsal

    /// The handler, waiting for the bodies of the article's archive.
    private static func handler() throws -> (command: Command, process: Command.Running, url: String) {
        let command = try ReadmeTests.folder()
        try command.write(RehearsedHandlerTests.handler, to: "handler.py")
        try command.write(ReadmeTests.code(of: "post-sh"), to: "post.sh")
        try command.write(ReadmeTests.code(of: "post-py"), to: "post.py")
        let run = try command.run("rehearse", "archive/", "overlap/", "--retries", "7", "-o", "bodies.ndjson")
        #expect(run.code == 0, "\(run.errors)")
        let server = try serve(command, "python3 handler.py serve none com.example.news")
        return (command, server.process, "http://127.0.0.1:\(server.port)/apple")
    }

    @Test(
        "Both scripts post a rehearsal, and the handler holds the same in the end",
        .enabled(if: RehearseTests.library, "needs app-store-server-library"),
        .enabled(if: Command.isInstalled("curl"), "curl is not installed"))
    func posts() throws {
        var tables: Set<String> = []
        for start in ["sh post.sh", "python3 post.py"] {
            let (command, process, url) = try Self.handler()
            defer { kill(process.identifier, SIGKILL) }
            let count = try command.lines("bodies.ndjson").count
            let line = try Self.line(start, ["http://127.0.0.1:8080/apple": url])
            let run = try ReadmeTests.shell(line, in: command)
            #expect(run.code == 0 && run.output == "posted \(count) bodies\n", "\(run.errors)")
            let table = try ReadmeTests.shell("curl -s \(url)", in: command).output
            #expect(table.split(separator: "\n").count > 5)
            tables.insert(table)
            try command.write(table, to: "table.csv")
            let compare = try Self.line("notification-translator state archive/ --expect-bundle-id", [:])
            let compared = try ReadmeTests.shell(compare.replacing("archive/", with: "archive/ overlap/"), in: command)
            #expect(compared.code == 0, "\(compared.errors)")
            let access = [#""access_lost":true"#, #""access_given":true"#]
            let wrong = compared.lines.filter { line in access.contains { line.contains($0) } }
            #expect(wrong == [])
        }
        #expect(tables.count == 1)
    }

    @Test(
        "Both scripts stop at the first unexpected answer, and say which",
        .enabled(if: RehearseTests.library, "needs app-store-server-library"),
        .enabled(if: Command.isInstalled("curl"), "curl is not installed"))
    func stops() throws {
        let (command, process, url) = try Self.handler()
        defer { kill(process.identifier, SIGKILL) }
        let lines = try command.lines("bodies.ndjson")
        try command.write(
            (lines.prefix(2) + [#"{"notificationUUID":"x","body":{"signedPayload":"a.b.c"}}"#] + lines.dropFirst(2))
                .asLines, to: "broken.ndjson")
        for line in ["sh post.sh", "python3 post.py"] {
            let run = try ReadmeTests.shell("\(line) broken.ndjson \(url)", in: command)
            #expect(run.code == 1 && run.output.isEmpty)
            #expect(run.errors.hasPrefix(#"line 3 was answered with 500: {"notificationUUID":"x""#), "\(run.errors)")
            let refused = try ReadmeTests.shell("\(line) broken.ndjson http://127.0.0.1:9/", in: command)
            #expect(refused.code == 1 && refused.errors.hasPrefix("line 1 was answered with "), "\(refused.errors)")
        }
    }

    // MARK: What Apple is asked

    /// Answers as Apple's API does: three pages of a history, 404 for what it does not know, 429 with the time to wait
    /// for to one request in four, and 401 to the last question until the file `open` is there; what it was asked is in
    /// the file `asked`.
    ///
    /// The transactions are signed by the chain of a rehearsal.
    private static let apple = """
        import base64, http.server, json, os, threading, time, urllib.parse
        import jwt
        from cryptography.hazmat.primitives import serialization

        read = lambda name: open(name, 'rb').read()
        signer = serialization.load_der_private_key(read('keys/leaf.key'), None)
        chain = [base64.b64encode(read(f'keys/{name}.cer')).decode() for name in ('leaf', 'intermediate', 'root')]
        public = serialization.load_pem_private_key(read('AuthKey.p8'), None).public_key()
        requests, closed_until = 0, 0

        def transaction(id, number):
            day = 86_400_000
            return jwt.encode({
                'originalTransactionId': id, 'transactionId': str(int(id) + number), 'bundleId': 'com.example.news',
                'productId': 'com.example.news.monthly', 'type': 'Auto-Renewable Subscription', 'quantity': 1,
                'purchaseDate': 1_580_000_000_000 + 30 * day * number, 'price': 4990, 'currency': 'EUR',
                'expiresDate': 1_580_000_000_000 + 30 * day * (number + 1), 'environment': 'Production',
                'transactionReason': 'RENEWAL' if number else 'PURCHASE', 'signedDate': 1_700_000_000_000,
            }, signer, 'ES256', {'x5c': chain})

        def respond(path, query):
            name, id = path.rsplit('/', 1)
            if id == '404': return 404, {'errorCode': 4040010, 'errorMessage': 'Transaction id not found.'}
            if id == '4046': return 404, {'errorCode': 4040006, 'errorMessage': 'Try again.'}
            if id == '401' and not os.path.exists('open'): return 401, {}
            app = {'environment': 'Production', 'bundleId': 'com.example.news', 'appAppleId': 1234567890}
            if name == '/inApps/v1/subscriptions':
                return 200, {**app, 'data': [{'subscriptionGroupIdentifier': '1', 'lastTransactions': [
                    {'originalTransactionId': id, 'status': 1, 'signedTransactionInfo': transaction(id, 0)}]}]}
            assert name == '/inApps/v2/history'
            page = int(query.get('revision', ['0'])[0])
            numbers = range(page * 20, 41 if page == 2 else page * 20 + 20)
            return 200, {**app, 'revision': str(page + 1), 'hasMore': page < 2,
                'signedTransactions': [transaction(id, number) for number in numbers]}

        class Apple(http.server.BaseHTTPRequestHandler):
            protocol_version = 'HTTP/1.1'
            def do_GET(self):
                global requests, closed_until
                token = self.headers['Authorization'].split()[1]
                token = jwt.decode(token, public, ['ES256'], audience='appstoreconnect-v1')
                assert (token['bid'], token['iss']) == ('com.example.news', 'ISSUER-ID')
                url = urllib.parse.urlsplit(self.path)
                assert time.time() >= closed_until
                requests += 1
                extra = []
                if requests % 4 == 0:
                    closed_until = int(time.time() * 1000 + 300) / 1000
                    status, answer = 429, {'errorCode': 4290000, 'errorMessage': 'Rate limit exceeded.'}
                    extra = [('Retry-After', str(int(closed_until * 1000)))]
                else:
                    status, answer = respond(url.path, urllib.parse.parse_qs(url.query))
                open('asked', 'a').write(f'{status} {self.path}\\n')
                body = json.dumps(answer).encode()
                self.send_response(status)
                for name, value in [('Content-Type', 'application/json'), ('Content-Length', str(len(body)))] + extra:
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)
            def log_message(self, *args): pass

        server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Apple)
        threading.Timer(120, lambda: os._exit(0)).start()
        open('port.new', 'w').write(str(server.server_port))
        os.rename('port.new', 'port')
        server.serve_forever()
        """

    /// Runs a script of the article with another address in place of Apple's.
    private static let elsewhere = """
        import runpy, sys
        from appstoreserverlibrary.api_client import BaseAppStoreServerAPIClient
        port, sys.argv = sys.argv[1], sys.argv[2:]
        BaseAppStoreServerAPIClient._get_full_url = lambda self, path: f'http://127.0.0.1:{port}{path}'
        runpy.run_path(sys.argv[0], run_name='__main__')
        """

    @Test(
        "The script asks Apple page by page, waits as Apple says, and goes on where it stopped",
        .enabled(if: RehearseTests.library, "needs app-store-server-library"))
    func asks() throws {
        let command = try ReadmeTests.folder()
        try command.write(ReadmeTests.code(of: "ask"), to: "ask.py")
        try command.write(Self.apple, to: "apple.py")
        try command.write(Self.elsewhere, to: "elsewhere.py")
        let chain = try command.run(
            "rehearse", "archive/", "--environment", "Sandbox", "--sign", "keys", "-o", "signed.ndjson")
        #expect(chain.code == 0, "\(chain.errors)")
        let key = try ReadmeTests.shell(
            "openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out AuthKey.p8", in: command)
        #expect(key.code == 0, "\(key.errors)")
        let questions = [
            ("1000000700000001", "transaction-history"), ("404", "transaction-history"),
            ("4046", "transaction-history"), ("1000000720000001", "subscription-status"),
            ("401", "transaction-history"), ("1000000720000001", "transaction-history"),
        ]
        func line(_ id: String, _ ask: String, _ app: String = #""com.example.news""#) -> String {
            #"{"original_transaction_id":"\#(id)","environment":\#(id == "404" ? "null" : #""Production""#),"#
                + #""bundle_id":\#(app),"ask":"\#(ask)","opens":["state"],"reasons":[],"events":1,"last_reported_at":null}"#
        }
        let worklist = questions.map { line($0, $1) } + [line("1", "subscription-status", "null")]
        try command.write(worklist.asLines, to: "worklist.ndjson")
        let (process, port) = try Self.serve(command, "python3 apple.py")
        defer { kill(process.identifier, SIGKILL) }
        #expect(try ReadmeTests.code(of: "ask").split(separator: "\n").count <= 40)
        let ask = try Self.line(
            "python3 ask.py", ["python3": "python3 elsewhere.py \(port)", "AuthKey_ABC123": "AuthKey"])

        let stopped = try ReadmeTests.shell(ask, in: command)
        #expect(stopped.code == 1)
        #expect(stopped.errors == "401 transaction-history: 401 None\n")
        let first = try command.text("answers.ndjson")
        #expect(first.split(separator: "\n").count == 5)
        // A run that was killed while it wrote leaves half a line.
        try command.write(first + #"{"original_transaction_id":"1000000720000001","ask":"trans"#, to: "answers.ndjson")
        try command.write("", to: "open")
        let done = try ReadmeTests.shell(ask, in: command)
        #expect(done.code == 0, "\(done.errors)")

        let answers = try command.text("answers.ndjson")
        #expect(answers.hasPrefix(first))
        let lines = answers.split(separator: "\n")
        #expect(lines.filter { $0.contains(#""response": {"#) }.count == 3 + 1 + 3 + 3)
        #expect(lines.filter { $0.contains(#""error": 4040010"#) }.count == 1 && lines.count == 11)
        let asked = try command.lines("asked")
        let answered = asked.filter { !$0.hasPrefix("429") }
        #expect(asked.count - answered.count == asked.count / 4)
        // Nothing is asked twice but what was refused, and what Apple wants to be asked again.
        let twice = Dictionary(grouping: answered.map { $0.dropFirst(4) }, by: { $0 }).filter { $0.value.count > 1 }
        #expect(Set(twice.keys) == ["/inApps/v2/history/4046", "/inApps/v2/history/401"])
        #expect(answered.contains("200 /inApps/v2/history/1000000700000001?revision=2"))
        #expect(answered.contains("200 /inApps/v1/subscriptions/1000000720000001"))
    }

    @Test("A table of one's own is compared, and costs no customer the access unnoticed")
    func compares() throws {
        let command = try ReadmeTests.folder()
        try command.write(
            "original_transaction_id,entitled\n2000000700000001,no\n1000000720000001,no\n", to: "yours.csv")
        let run = try ReadmeTests.shell(
            Self.line("notification-translator state archive/ --compare yours", [:]), in: command)
        #expect(run.code == 0, "\(run.errors)")
        let lost = run.lines.filter { $0.contains(#""access_lost":true"#) }
        #expect(lost.count == 1 && lost[0].contains("2000000700000001"), "\(run.output)")
    }

    @Test("On the first day, what Apple did not sign is a reject")
    func firstDay() throws {
        let command = try ReadmeTests.folder()
        let lines = try command.text("overlap/2022.ndjson").split(separator: "\n").filter {
            $0.contains("notificationType")
        }
        try command.write(lines.asLines, to: "first-day.ndjson")
        let run = try ReadmeTests.shell(Self.line("notification-translator convert first-day", [:]), in: command)
        #expect(run.code == 1)
        #expect(run.errors.contains("trust.unsigned \(lines.count)\n"), "\(run.errors)")
        #expect(try command.text("first-day-events.ndjson").isEmpty && lines.count > 10)
    }

    @Test("Tables are compared as the article says")
    func tables() throws {
        let command = try ReadmeTests.folder()
        let state = try command.run("state", "-q", "archive/", "-o", "yours.csv")
        #expect(state.code == 0, "\(state.errors)")
        try command.write(command.text("yours.csv"), to: "table.csv")
        let article = try Command.file(ReadmeTests.catalogue + "MovingToV2.md")
        for compare in ["", "--expect-bundle-id com.example.news --expect-environment Production "] {
            let name = compare.isEmpty ? "yours.csv" : "table.csv"
            let line = "notification-translator state archive/ \(compare)--compare \(name)"
            #expect(article.contains("```console\n\(line)\n```"))
            let run = try ReadmeTests.shell(line, in: command)
            #expect(run.code == 0 && run.output.isEmpty, "\(run.errors)")
        }
    }

    /// A signed text that nothing proves.
    private static func jws(_ payload: String) -> String {
        let code = StrictBase64.encoded(url: Array(payload.utf8))
        return "\(StrictBase64.encoded(url: Array(#"{"alg":"ES256"}"#.utf8))).\(code).AAAA"
    }

    @Test("Answers take their lines off the list, one after the other, and make the states known")
    func worklist() throws {
        let command = try ReadmeTests.folder()
        let app = #""environment":"Production","bundleId":"com.example.news""#
        func transaction(_ id: String, _ more: String) -> String {
            Self.jws(
                #"{\#(app),"originalTransactionId":"\#(id.prefix(15))1","transactionId":"\#(id)","signedDate":1700000000000,"#
                    + #""productId":"com.example.news.monthly","type":"Auto-Renewable Subscription",\#(more)}"#)
        }
        // The list asks how the first stands, and what became of the second, which was cancelled.
        let second = transaction(
            "1000000710000001",
            #""purchaseDate":1577869200000,"expiresDate":1580547600000,"revocationDate":1578560400000,"revocationReason":0"#
        )
        let first = transaction("1000000700000002", #""purchaseDate":1523463600000,"expiresDate":1526055600000"#)
        let renewal = Self.jws(
            #"{\#(app),"originalTransactionId":"1000000700000001","autoRenewProductId":"com.example.news.monthly","#
                + #""autoRenewStatus":0,"expirationIntent":1,"signedDate":1700000000000}"#)
        let answers = [
            (
                "1000000700000001", "subscription-status",
                #""data":[{"lastTransactions":[{"originalTransactionId":"1000000700000001","status":2,"#
                    + #""signedTransactionInfo":"\#(first)","signedRenewalInfo":"\#(renewal)"}]}]"#
            ),
            ("1000000710000001", "transaction-history", #""hasMore":false,"signedTransactions":["\#(second)"]"#),
        ]
        let asked = try command.run("worklist", "-q", "archive/").lines
        #expect(asked.count == 2)
        var lines: [String] = []
        for (place, (id, ask, response)) in answers.enumerated() {
            #expect(asked[place].hasPrefix(#"{"original_transaction_id":"\#(id)""#), "\(asked[place])")
            #expect(asked[place].contains(#""ask":"\#(ask)""#))
            lines.append(
                #"{"original_transaction_id":"\#(id)","ask":"\#(ask)","received_at":1700000000,"response":{\#(app),\#(response)}}"#
            )
            try command.write(lines.asLines, to: "answers.ndjson")
            let list = try ReadmeTests.shell(
                Self.line("notification-translator worklist archive/ answers", [:]), in: command)
            #expect(list.code == 0, "\(list.errors)")
            #expect(list.lines == Array(asked[(place + 1)...]))
            #expect(list.errors.contains("evidence     \(place + 1)\n"), "\(list.errors)")
        }
        let before = try command.run("state", "-q", "archive/").output
        #expect(before.contains(#""status":5,"entitled":null"#) && before.contains(#""status":null,"entitled":null"#))
        let after = try command.run("state", "-q", "archive/", "answers.ndjson").output
        #expect(after.contains(#""status":5,"entitled":false"#) && !after.contains(#""entitled":null"#), "\(after)")
        // The article verifies them; these are not Apple's.
        let line = try Self.line("notification-translator state archive/ answers.ndjson", [:])
        let refused = try ReadmeTests.shell(line, in: command)
        #expect(refused.code == 1 && refused.errors.contains("3 records rejected"), "\(refused.errors)")
    }
}
