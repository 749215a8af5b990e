import NotificationTranslation
import PayloadVerification
import Testing

/// The first body of `Fixtures/receipts/notifications.ndjson`, whose receipt has two transactions, with rows left out.
@Suite("The rows of a verified receipt")
struct ReceiptRowsTests {
    private static let verify = ReceiptTests.verify

    private static func body() throws -> String { try ReceiptTests.lines()[0] }

    /// The body without some of its rows: `first` is the newest of the two.
    private static func body(first: Bool, second: Bool, type: String = "DID_RENEW") throws -> String {
        let body = try body().replacing("\"DID_RENEW\"", with: "\"\(type)\"")
        let key = "\"latest_receipt_info\":["
        let start = try #require(body.firstRange(of: key)).upperBound
        let end = try #require(body[start...].firstRange(of: "}]")).upperBound
        let between = try #require(body[start..<end].firstRange(of: "},{"))
        let one = body[start..<body.index(after: between.lowerBound)]
        let other = body[body.index(before: between.upperBound)..<body.index(before: end)]
        let kept = (first ? [one] : []) + (second ? [other] : [])
        return body[..<start] + kept.joined(separator: ",") + body[body.index(before: end)...]
    }

    private static func event(_ body: String) throws -> UnifiedEvent { try ReceiptTests.event(body, verify) }

    /// What the library makes of a body with a policy that verifies receipts, at the place of another event.
    private static func library(
        _ body: String, like event: UnifiedEvent, completesRows: Bool = false
    ) throws -> UnifiedEvent {
        let verifier = try ReceiptTests.verifier("root.pem")
        let policy = TrustPolicy.trustingTheSource.verifyingReceipts(with: verifier, completesRows: completesRows)
        var same = try NotificationNormalizer(policy: policy).event(from: body.utf8)
        same.source.input = event.source.input
        (same.source.line, same.source.offset) = (event.source.line, event.source.offset)
        return same
    }

    @Test(
        "The rows of a verified receipt give an event its transaction where the body has none",
        arguments: [false, true])
    func missing(second: Bool) throws {
        let whole = try Self.event(try Self.body())
        let cut = try Self.body(first: false, second: second)
        let completed = try Self.event(cut)
        let without = try Self.library(cut, like: completed)
        #expect(without.transaction != whole.transaction)
        #expect(completed.flags.contains("RECEIPT_ROWS") && !without.flags.contains("RECEIPT_ROWS"))
        // What the receipt does not say.
        var expected = try #require(whole.transaction)
        (expected.isUpgraded, expected.ownership, expected.subscriptionGroupID) = (nil, nil, nil)
        var found = try #require(completed.transaction)
        found.offerDiscountType = expected.offerDiscountType
        #expect(found == expected)
        #expect(completed.v2 == whole.v2 && completed.entitlement == whole.entitlement)
        #expect(completed.occurredAt == whole.occurredAt && completed.accessUntil == whole.accessUntil)
        #expect(completed.source.receipt?.covers == .all)
        #expect(completed.id == without.id)
        let same = try Self.library(cut, like: completed, completesRows: true)
        #expect(same == completed)
    }

    @Test("The rows of a receipt change nothing where the body has them all, or the receipt is not genuine")
    func nothingToAdd() throws {
        let whole = try Self.body()
        let event = try Self.event(whole)
        #expect(try event == Self.library(whole, like: event))
        let cut = try Self.body(first: false, second: false)
        let receipt = try #require(cut.firstRange(of: "\"latest_receipt\":\"MII"))
        let place = cut.index(receipt.upperBound, offsetBy: 900)
        let forged = cut[..<place] + "AA" + cut[cut.index(place, offsetBy: 2)...]
        for body in [
            String(forged), cut.replacing("com.example.news\"", with: "com.example.other\""),
            cut.replacing("\"PROD\"", with: "\"Sandbox\""),
        ] {
            let event = try Self.event(body)
            #expect(!event.flags.contains("RECEIPT_ROWS"))
            #expect(try event == Self.library(body, like: event))
        }
    }

    @Test("The rows of a receipt make silent renewals likely in a timeline, and an explanation says so")
    func timeline() throws {
        let command = try Command()
        let purchase = try Self.body(first: false, second: true, type: "INITIAL_BUY")
            .replacing("\"latest_receipt\":\"MII", with: "\"another\":\"MII")
        let later = try Self.body(first: false, second: false, type: "DID_CHANGE_RENEWAL_PREF")
        try command.write(purchase + "\n" + later + "\n", to: "a")
        let plain = try command.run("convert", "a", "--infer", "all")
        #expect(try plain.events.filter { $0.disposition == .inferred } == [])
        let run = try command.run(["convert", "a", "--infer", "all"] + Self.verify)
        let inferred = try run.events.filter { $0.disposition == .inferred }
        #expect(inferred.map(\.v2.description) == ["DID_RENEW"])
        #expect(inferred.first?.transaction?.transactionID == "700000000000002")
        let story = try command.run(["explain", "a:2"] + Self.verify)
        #expect(story.output.contains("RECEIPT_ROWS (info): Transactions that the body lacks were taken from its"))
        for text in [run.output, run.errors, story.output] { #expect(!text.contains("MII")) }
        let jobs = try command.run(["convert", "a", "--infer", "all", "-j", "3"] + Self.verify)
        #expect(jobs.output == run.output)
    }
}
