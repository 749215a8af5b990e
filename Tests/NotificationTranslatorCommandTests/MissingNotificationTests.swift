import Testing

/// What a run says was surely sent and is not in the archive.
@Suite("Missing notifications") struct MissingNotificationTests {
    private static func payload(_ uuid: String, _ signed: Int64, transaction: String) -> String {
        #"{"notificationType":"DID_RENEW","notificationUUID":"\#(uuid)","version":"2.0","signedDate":\#(signed),"#
            + #""data":{"environment":"Production","bundleId":"com.example.news","status":1,"signedTransactionInfo":"#
            + #"{"originalTransactionId":"\#(transaction)","transactionId":"\#(transaction)","productId":"news.monthly","#
            + #""purchaseDate":\#(signed - 5_000),"expiresDate":\#(signed + 2_592_000_000)}}}"#
    }

    private static func entry(_ payload: String, _ results: String...) -> String {
        let attempts = results.map { #"{"attemptDate":1710000009000,"sendAttemptResult":"\#($0)"}"# }
        return #"{"decodedPayload":\#(payload),"sendAttempts":[\#(attempts.joined(separator: ","))]}"#
    }

    /// One notification that was delivered and two that were not, of March and of April, in two pages that overlap.
    private static let archive: String = {
        let delivered = payload("a", 1_710_000_000_000, transaction: "11")
        let lost = payload("b", 1_710_000_000_000, transaction: "22")
        let dropped = payload("c", 1_712_700_000_000, transaction: "22")
        let pages = [
            [entry(delivered, "SUCCESS"), entry(lost, "TIMED_OUT", "NO_RESPONSE", "OTHER")],
            [entry(lost, "TIMED_OUT", "NO_RESPONSE"), entry(dropped, "TIMED_OUT", "SUCCESS")],
        ]
        return ([delivered] + pages.map { #"{"hasMore":true,"notificationHistory":[\#($0.joined(separator: ","))]}"# })
            .asLines
    }()

    @Test(
        "The summary names what only pages of Apple's history have, and how it was sent",
        arguments: ["convert", "state"])
    func theSummaryNamesThem(name: String) throws {
        let run = try Command.run(name, "-o", "out.ndjson", "archive.ndjson", over: Self.archive, as: "archive.ndjson")
        #expect(run.code == 0)
        let line =
            "missing     2   only in pages of Apple's notification history, 2024-03 to 2024-04; 5 attempts to send, 1 sent with "
            + "success\n"
        #expect(run.errors.contains(line), "\(run.errors)")
    }

    @Test("A report tells them by month, in every form")
    func aReportTellsThemByMonth() throws {
        let command = try Command(["archive.ndjson": Self.archive])
        let json = try command.run("report", "--format", "json", "archive.ndjson").output
        let months = json.components(after: #""missing""#).filter { !$0.isWhitespace }
        #expect(
            months.hasPrefix(
                #":[{"month":"2024-03","renewals":0,"listed":1,"attempts":3,"sent":0},"#
                    + #"{"month":"2024-04","renewals":0,"listed":1,"attempts":2,"sent":1}]"#), "\(months.prefix(300))")
        let page = try command.run("report", "archive.ndjson").output
        #expect(page.contains("| 2024-03 | 0 | 1 | 3 | 0 |\n| 2024-04 | 0 | 1 | 2 | 1 |\n"), "\(page)")
        try command.write(Self.payload("a", 1_710_000_000_000, transaction: "11") + "\n", to: "archive.ndjson")
        #expect(try command.run("report", "archive.ndjson").output.contains("Notifications that are missing") == false)
    }

    @Test("A renewal that a list proves is missing between the first delivery and the last that may still come")
    func aRenewalThatAListProves() throws {
        func body(_ type: String, _ rows: [Int], at day: Int) -> String {
            func time(_ day: Int) -> Int64 { 1_609_459_200_000 + Int64(day) * 86_400_000 }
            let list = rows.map { Body.row("1", "\($0 + 1)", from: time($0 * 30)) }
            let pending =
                #""original_transaction_id":"1","product_id":"news.monthly","auto_renew_product_id":"news.monthly","#
                + #""auto_renew_status":"1""#
            return Body.version1(type, list.reversed(), pending: pending, at: time(day))
        }
        let bodies = [body("INITIAL_BUY", [0], at: 0), body("DID_RENEW", [0, 1, 2], at: 60)]
        let run = try Command.run("convert", "-o", "out.ndjson", "a", over: bodies.asLines)
        let line = "missing     1   renewals that lists prove and no notification reports, 2021-01\n"
        #expect(run.errors.contains(line), "\(run.errors)")
    }
}
