import Testing

@testable import NotificationTranslation

@Suite("The id of a version 1 event")
struct EventIDTests {
    private func uuid(_ text: String) -> String {
        var bytes: [UInt8] = []
        withUnsafeBytes(of: EventID.namespace.high.bigEndian) { bytes += $0 }
        withUnsafeBytes(of: EventID.namespace.low.bigEndian) { bytes += $0 }
        bytes += text.utf8
        let text = OutputBuffer()
        bytes.withUnsafeBytes { text.append($0) }
        return EventID(namespaced: text).string
    }

    // Made by Python: `uuid.uuid5(uuid.uuid5(uuid.NAMESPACE_URL, "urn:apple:app-store-server-notifications:v1"), text)`
    @Test(
        "The id of a version 1 event is the UUID that Python's uuid5 makes of the same text",
        arguments: [
            ("", "f699fd8f-543b-5106-91b9-5b6ec9113181"),
            ("a", "92a07a89-8b70-598e-9bbd-7ad6028f8a38"),
            (String(repeating: "x", count: 39), "ad0f2184-a9da-5054-8304-1757a118611b"),
            (String(repeating: "x", count: 40), "61667ea7-29d7-5f60-8026-f3ff48343877"),
            (String(repeating: "x", count: 47), "5f5e35c6-9ae2-54c5-af4f-b665f483fb53"),
            (String(repeating: "x", count: 48), "1b2ac84c-2526-5384-bcb2-51e7297158dd"),
            (String(repeating: "é", count: 500), "a5a5dca1-b2d8-5871-8b7a-34da91805d6f"),
        ])
    func vectors(_ text: String, _ expected: String) {
        let actual = uuid(text)
        #expect(actual == expected)
    }

    static let body = """
        {"notification_type":"DID_RENEW","environment":"PROD","bid":"com.example.app","password":"0123456789abcdef0123456789abcdef","auto_renew_status":"true","auto_renew_product_id":"com.example.monthly","unified_receipt":{"environment":"Production","status":0,"latest_receipt":"AAAA","latest_receipt_info":[{"original_transaction_id":"1000","transaction_id":"1001","product_id":"com.example.monthly","purchase_date_ms":"1604394764000","expires_date_ms":"1606986764000"}],"pending_renewal_info":[{"original_transaction_id":"1000","product_id":"com.example.monthly","auto_renew_product_id":"com.example.monthly","auto_renew_status":"1"}]}}
        """

    /// The text that the id of ``body`` is computed from.
    private static let text =
        "bid=com.example.app\nenvironment=Production\ntype=DID_RENEW\noriginal_transaction_id=1000\n"
        + "transaction_id=1001\ntime=1604394764000\nauto_renew_status=true\n"
        + "auto_renew_product_id=com.example.monthly"

    @Test("The id of a version 1 event follows the documented text, so that anyone can recompute it")
    func documented() throws {
        let event = try trusting.event(from: Array(Self.body.utf8))
        let expected = uuid(Self.text)
        #expect(event.id == expected)
        #expect(event.id == "a256d03e-1b62-5080-9099-8c4f3b103712")
    }

    @Test("The id of a version 1 event does not change with the receipt, the secret or the spelling of the environment")
    func stable() throws {
        let first = try trusting.event(from: Array(Self.body.utf8)).id
        for (old, new) in [
            ("AAAA", "BBBBBBBB"), ("0123456789abcdef0123456789abcdef", "ffff"), ("\"PROD\"", "\"Production\""),
        ] {
            let other = Self.body.split(separator: old, omittingEmptySubsequences: false).joined(separator: new)
            let id = try trusting.event(from: Array(other.utf8)).id
            #expect(id == first)
        }
    }

    @Test(
        "The id of a version 1 event is the same in every envelope, and in none",
        arguments: Fixture.all(in: "v1-to-v2"))
    func sameInEveryEnvelope(_ fixture: Fixture) throws {
        let record = String(decoding: try fixture.bytes("input.json"), as: UTF8.self)
        let envelope = record.prefixMatch(of: /\s*\{\s*"received_?[aA]t":[^,]*,\s*"(body|payload)":/)
        let end = try #require(record.lastIndex(of: "}"))
        let body = envelope.map { String(record[$0.range.upperBound..<end]) } ?? record
        let alone = try trusting.event(from: Array(body.utf8)).id
        let dates = body.matches(of: /[0-9]{13}/).compactMap { Int64($0.output) }
        let days = [-400, -1, 0, 0.9, 3.3, 31, 400].map { Int64($0 * 86_400_000) }
        for date in [dates.min() ?? 1_650_000_000_000, dates.max()].compactMap(\.self) {
            for time in days.map({ date + $0 }) {
                let enveloped = try trusting.event(from: Array("{\"received_at\":\(time),\"body\":\(body)}".utf8))
                #expect(enveloped.id == alone, "\(time)")
            }
        }
    }

    @Test("A number is appended to the text of the body alone, whatever the time of arrival makes of it")
    func numbered() throws {
        // When the second arrives, the period that it shows is over: it reports the next one.
        let entries = try [1_604_394_765_000, 1_606_986_900_000].flatMap { time in
            try trusting.timelineEntries(from: Array("{\"received_at\":\(time),\"body\":\(Self.body)}".utf8))
        }
        let events = SubscriptionTimeline(entries).settled()
        #expect(events.map(\.id) == [uuid(Self.text), uuid(Self.text + "#2")])
        #expect(events.map { $0.transaction?.transactionID } == ["1001", nil])
    }
}
