import Testing

@testable import NotificationTranslation

/// The order in which keys are expected is a guess: whatever was read before, a record says the same.
@Suite("Expected keys")
struct KeyOrderTests {
    /// The members of a transaction.
    static let members: [(key: String, value: String)] = [
        ("quantity", #""1""#), ("product_id", #""com.example.monthly""#), ("transaction_id", #""1001""#),
        ("original_transaction_id", #""1000""#), ("purchase_date", #""2020-07-16 14:36:42 Etc\/GMT""#),
        ("purchase_date_ms", #""1594910202000""#), ("original_purchase_date_ms", "1594910202000"),
        ("expires_date_formatted_pst", #""2020-08-16 07:36:42 America/Los_Angeles""#),
        ("expires_date_ms", #""1597588602000""#), ("web_order_line_item_id", "null"),
        ("is_trial_period", #""false""#), ("is_in_intro_offer_period", #""true""#), ("bid", #""com.example.app""#),
        ("x", #""y""#), ("subscription_group_identifier", #""20""#), ("nested", #"{"quantity":"7"}"#),
    ]

    /// A record with two transactions whose members stand in an order and with spaces of their own.
    static func record(_ places: [Int], colon: String = ":", comma: String = ",", extra: String = "") -> String {
        let row = places.map { "\"\(members[$0].key)\"\(colon)\(members[$0].value)" }.joined(separator: comma) + extra
        return """
            {"notification_type"\(colon)"DID_RENEW"\(comma)"environment"\(colon)"PROD"\(comma)\
            "auto_renew_status_change_date_pst"\(colon)"2020-07-16 07:36:42 America/Los_Angeles"\(comma)\
            "unified_receipt"\(colon){"latest_receipt_info"\(colon)[{\(row)}\(comma){\(row)}]\(comma)\
            "pending_renewal_info"\(colon)[{"auto_renew_status"\(colon)"1"}]}}
            """
    }

    static let records: [String] = {
        let all = Array(members.indices)
        let orders = [all, all.reversed(), Array(all[7...] + all[..<7]), all.filter { $0 % 3 != 1 }, Array(all[..<3])]
        var records: [String] = []
        for order in orders {
            records += [
                record(order), record(order, colon: ": "), record(order, colon: ": ", comma: ", "),
                record(order, colon: " :\t", comma: " ,"), record(order, extra: #","quantity":"2""#),
                record(order, extra: #","\u0071uantity":"2""#), record(order, extra: #","qu\u0061ntity2":"2""#),
                record(order, extra: #","x":"z""#), record(order, extra: #","quantit":"2","quantity_":"3""#),
            ]
        }
        return records
    }()

    /// What each record becomes where one converter reads them all, places left out.
    private static func outcomes(_ records: [String]) -> [String] {
        var converter = RecordConverter(options: .init(), policy: .trustingTheSource)
        return records.map { record in
            var output = ChunkOutput()
            let bytes = Array(record.utf8)
            let padded = bytes + [UInt8](repeating: 0, count: RecordConverter.slack)
            padded.withUnsafeBytes { memory in
                _ = converter.convertLine(
                    of: UnsafeRawBufferPointer(rebasing: memory[..<bytes.count]), from: 0,
                    place: .init(input: "-", offset: 0), into: &output)
            }
            let faults = output.rejects.map { "\($0.code) at \($0.column) \($0.path)" }
            return String(decoding: output.bytes.bytes, as: UTF8.self) + faults.joined()
        }
    }

    @Test("A record becomes the same whatever came before it")
    func isIndependent() {
        let alone = Self.records.map { Self.outcomes([$0])[0] }
        let forwards = Self.outcomes(Self.records)
        let backwards = Array(Self.outcomes(Self.records.reversed()).reversed())
        let twice = Self.outcomes(Self.records.flatMap { [$0, $0] })
        #expect(forwards == alone)
        #expect(backwards == alone)
        #expect(twice == alone.flatMap { [$0, $0] })
    }

    @Test("The same members become the same event in every order and with any spaces")
    func isTheSameEvent() {
        let all = Array(Self.members.indices)
        let wanted = Self.outcomes([Self.record(all)])
        let others = Self.outcomes([
            Self.record(all.reversed()), Self.record(all, colon: ": ", comma: ", "), Self.record(all, comma: ",\r"),
        ])
        #expect(others == Array(repeating: wanted[0], count: 3))
        #expect(wanted[0].contains(#""product_id":"com.example.monthly""#))
    }

    @Test("A key that comes twice is refused though it is expected")
    func refusesTwice() {
        let all = Array(Self.members.indices)
        let twice = Self.record(all, extra: #","quantity":"2""#)
        let outcomes = Self.outcomes([twice, twice])
        #expect(outcomes[0].hasPrefix("json.duplicate-key"))
        #expect(outcomes[1] == outcomes[0])
    }
}
