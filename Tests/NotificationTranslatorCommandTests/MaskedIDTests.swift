import Testing

/// Archives whose ids somebody masked: no customer is taken for another.
@Suite("Archives with masked ids") struct MaskedIDTests {
    /// The notifications of three customers, received seconds apart, with `mask` in place of every id.
    private static func archive(_ mask: String) -> String {
        (0..<3).map { customer in
            let purchase = 1_654_077_600_000 + Int64(customer) * 1000
            let row = Body.row(mask, of: "p", from: purchase, #","web_order_line_item_id":"\#(mask)""#)
            let original = #","original_transaction_id":"\#(mask)""#
            let preference = #","auto_renew_product_id":"q""# + original
            return """
                \(Body.version1("INITIAL_BUY", [row], original, bid: "b", at: purchase + 9000))
                \(Body.version1("DID_CHANGE_RENEWAL_PREF", [row], preference, bid: "b", at: purchase + 90_000_000))
                {"notificationType":"DID_RENEW","notificationUUID":"\(mask)","signedDate":\(purchase + 95_000_000),\
                "data":{"bundleId":"b","environment":"Production","transactionInfo":{"transactionId":"\(mask)",\
                "originalTransactionId":"\(mask)","productId":"p","purchaseDate":\(purchase)}}}

                """
        }.joined()
    }

    @Test(
        "Archives with masked ids keep every customer's events apart, without an id and with a flag",
        arguments: [
            "[FILTERED]", "***", "XXXXXXXX", "1000000XXXX", "1000****4567", "1000XXXX4567",
            "12345678**87654321", "12345678*87654321",
            "********", "????????", "Redacted", "n/a", "\u{2022}\u{2022}\u{2022}", "------",
        ])
    func keepsApart(mask: String) throws {
        let run = try Command.run("convert", "a", over: Self.archive(mask))
        let lines = run.lines
        #expect(run.code == 0)
        #expect(lines.count == 9)
        #expect(lines.filter { !$0.contains(#""disposition":"event""#) } == [])
        #expect(lines.filter { !$0.contains(#""original_transaction_id":null,"transaction_id":null"#) } == [])
        #expect(lines.filter { !$0.contains("FIELD_UNREADABLE") } == [])
        #expect(lines.filter { $0.contains(#""version":"v1""#) && $0.contains(#""certainty":"exact""#) } == [])
        let ids = lines.compactMap { $0.split(separator: ",").first { $0.hasPrefix("\"id\":") } }
        #expect(ids.count == 9 && Set(ids).count == 9)
    }

    @Test(
        "Pseudonyms are ids like any other, not masked ones",
        arguments: [
            "a6f9c3e0d2", "UserABC", "5e0b6c1a-77d2-4c39-9f10-127917906779", "txn-1", "Zm9vYmFyYmF6XXXq",
            "1000000700000001", "7", "Пётр-1",
        ])
    func keepsPseudonyms(id: String) throws {
        let run = try Command.run("convert", "a", over: Self.archive(id))
        #expect(run.output.contains(#""original_transaction_id":"\#(id)","transaction_id":"\#(id)""#))
        #expect(!run.output.contains("FIELD_UNREADABLE"))
    }
}
