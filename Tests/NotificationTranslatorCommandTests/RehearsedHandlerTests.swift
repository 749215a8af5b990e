import SimulatedLives
import Testing

/// A small handler of version 2 notifications is rehearsed, and so are three of its bugs.
///
/// It is written as people write them: Apple's Python library, a table in SQLite, HTTP on the loopback address.
@Suite("A rehearsed handler") struct RehearsedHandlerTests {
    /// Prints, as JSON, the table of the handler after all bodies were posted: id, status, end of the access, events.
    ///
    /// With `serve` in place of the bodies it waits for them, for two minutes; its port is in a file, and GET gives the
    /// table as CSV.
    static let handler = """
        import http.client, http.server, json, os, sqlite3, sys, threading
        from appstoreserverlibrary.signed_data_verifier import SignedDataVerifier, VerificationException
        from appstoreserverlibrary.models.Environment import Environment

        bodies, bug, bundle_id = sys.argv[1:]
        verifier = SignedDataVerifier([], False, Environment.LOCAL_TESTING, bundle_id)
        table = sqlite3.connect(':memory:', check_same_thread=False)
        table.executescript('''
            create table notification (id text primary key);
            create table subscription (id text primary key, status, expires, bought default 0, signed default 0,
                events default 0);
        ''')

        def handle(signed):
            notification = verifier.verify_and_decode_notification(signed)
            inserted = table.execute('insert or ignore into notification values (?)', [notification.notificationUUID])
            if inserted.rowcount == 0 and bug != 'counts redeliveries': return
            if not notification.data or not notification.data.signedTransactionInfo: return
            transaction = verifier.verify_and_decode_signed_transaction(notification.data.signedTransactionInfo)
            if notification.data.signedRenewalInfo:
                verifier.verify_and_decode_renewal_info(notification.data.signedRenewalInfo)
            key = transaction.originalTransactionId
            table.execute('insert or ignore into subscription (id) values (?)', [key])
            table.execute('update subscription set events = events + 1 where id = ?', [key])
            bought, signed = table.execute('select bought, signed from subscription where id = ?', [key]).fetchone()
            if transaction.expiresDate and transaction.purchaseDate >= bought:
                table.execute('update subscription set expires = ?, bought = ? where id = ?',
                    [transaction.expiresDate, transaction.purchaseDate, key])
            status = notification.data.rawStatus
            if notification.rawNotificationType == 'REFUND' and bug == 'any refund ends access': status = 5
            if status and (notification.signedDate >= signed or bug == 'order of arrival'):
                table.execute('update subscription set status = ?, signed = ? where id = ?',
                    [status, notification.signedDate, key])

        class Endpoint(http.server.BaseHTTPRequestHandler):
            protocol_version = 'HTTP/1.1'
            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers['Content-Length'])))
                try:
                    handle(body['signedPayload'])
                    self.send_response(200)
                except VerificationException:
                    self.send_response(500)
                self.send_header('Content-Length', '0')
                self.end_headers()
            def do_GET(self):
                rows = table.execute('select id, status from subscription where status is not null order by id')
                text = 'original_transaction_id,status\\n' + ''.join(f'{id},{status}\\n' for id, status in rows)
                self.send_response(200)
                self.send_header('Content-Length', str(len(text)))
                self.end_headers()
                self.wfile.write(text.encode())
            def log_message(self, *args): pass

        server = http.server.HTTPServer(('127.0.0.1', 0), Endpoint)
        if bodies == 'serve':
            threading.Timer(120, lambda: os._exit(0)).start()
            open('port.new', 'w').write(str(server.server_port))
            os.rename('port.new', 'port')
            server.serve_forever()
        threading.Thread(target=server.serve_forever, daemon=True).start()
        post = http.client.HTTPConnection('127.0.0.1', server.server_port)
        for line in open(bodies):
            post.request('POST', '/', json.dumps(json.loads(line)['body']))
            answer = post.getresponse()
            answer.read()
            assert answer.status == 200
        for id, status, expires, events in table.execute(
                'select id, status, expires, events from subscription where status is not null order by id'):
            print(json.dumps([id, status, expires if status == 1 else None, events]))
        """

    /// Simulated lives of version 1, `archive` in the folder.
    private static func archive(_ command: Command) throws {
        var lines: [String] = []
        var plan = LifePlan()
        plan.pace = .dense
        for era in SimulatedEra.allCases {
            for seed in 0..<60 {
                lines += SimulatedLife(seed: UInt64(9_000 + seed), era: era, plan: plan).deliveries.map {
                    String(decoding: $0.envelope, as: UTF8.self)
                }
            }
        }
        try command.write(lines.asLines, to: "archive")
        try command.write(handler, to: "handler.py")
    }

    /// The rows of the handler after a rehearsal.
    private static func table(_ command: Command, bug: String = "none", _ options: [String] = []) throws -> [String] {
        let rehearsed = try command.run(
            ["rehearse", "archive", "-q", "-o", "bodies", "--force", "--expect-bundle-id", "com.example.reader"]
                + ["--expect-environment", "Production"] + options)
        #expect(rehearsed.code == 0, "\(rehearsed.errors)")
        let run = try ReadmeTests.shell("python3 handler.py bodies '\(bug)' com.example.reader", in: command)
        #expect(run.code == 0, "\(run.errors)")
        return run.lines.map(String.init)
    }

    /// In which rows the status is not that of `state`, where that is more than a guess.
    private static func differences(_ command: Command, _ table: [String]) throws -> [String] {
        let rows = table.map { row in
            row.filter { !"[]\" ".contains($0) }.split(separator: ",").prefix(2).joined(separator: ",")
        }
        try command.write((["original_transaction_id,status"] + rows).asLines, to: "table.csv")
        // The archive holds other apps, which are on one side only.
        let run = try command.run("state", "archive", "-q", "--compare", "table.csv")
        #expect(run.code == 0, "\(run.errors)")
        return run.lines.map(String.init).filter {
            $0.contains(#""field":"status""#) && !$0.contains(#""certainty":"ambiguous""#)
        }
    }

    @Test(
        "A right handler ends with the same table however the bodies arrive",
        .enabled(if: RehearseTests.library, "needs app-store-server-library"))
    func right() throws {
        let command = try Command()
        try Self.archive(command)
        let table = try Self.table(command)
        #expect(table.count > 50)
        for seed in ["7", "8"] { #expect(try Self.table(command, ["--retries", seed]) == table) }
        #expect(try Self.differences(command, table) == [])
    }

    @Test(
        "A rehearsal with retries finds what is wrong with a handler",
        .enabled(if: RehearseTests.library, "needs app-store-server-library"),
        arguments: ["any refund ends access", "counts redeliveries", "order of arrival"])
    func wrong(bug: String) throws {
        let command = try Command()
        try Self.archive(command)
        let right = try Self.table(command)
        let wrong = try ["7", "8"].map { try Self.table(command, bug: bug, ["--retries", $0]) }
        #expect(wrong.contains { $0 != right })
        // What counts events is in no state.
        let found = try wrong.contains { try !Self.differences(command, $0).isEmpty }
        #expect(found == (bug != "counts redeliveries"))
    }
}
