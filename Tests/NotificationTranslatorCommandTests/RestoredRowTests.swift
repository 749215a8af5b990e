import Testing

@Suite("Rows of a purchase that was restored")
struct RestoredRowTests {
    private static let day: Int64 = 86_400_000
    private static let start: Int64 = 1_663_232_400_000

    private static func row(_ id: Int, from begin: Int64, ends: Bool = true, cancelled: Int64? = nil) -> String {
        let end = ends ? #","expires_date_ms":"\#(begin + 30 * day)""# : ""
        let cancellation = cancelled.map { #","cancellation_date_ms":"\#($0)","cancellation_reason":"0""# } ?? ""
        return
            #"{"transaction_id":"10000007000000\#(id)","original_transaction_id":"1000000700000010","product_id":"p","#
            + #""purchase_date_ms":"\#(begin)"\#(end)\#(cancellation)}"#
    }

    private static func line(_ type: String, at time: Int64, _ rows: [String]) -> String {
        #"{"receivedAt":\#(time),"body":{"notification_type":"\#(type)","environment":"PROD","bid":"b","auto_renew_status":"true","#
            + #""auto_renew_product_id":"p","original_transaction_id":"1000000700000010","#
            + #""unified_receipt":{"latest_receipt_info":[\#(rows.joined(separator: ","))]}}}"# + "\n"
    }

    @Test("Rows of a restored purchase give the same events in any order, also where their cancellations differ")
    func anyOrder() throws {
        let (first, second) = (Self.start, Self.start + 30 * Self.day)
        let rows = [
            Self.row(10, from: first), Self.row(12, from: second, cancelled: second + 3 * Self.day),
            Self.row(14, from: second, cancelled: second + 5 * Self.day), Self.row(16, from: second),
        ]
        let begun = Self.line("DID_RENEW", at: second + 5000, [Self.row(10, from: first), Self.row(12, from: second)])
        var outputs: Set<String> = []
        for places in [[0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1], [1, 3, 0, 2]] {
            let cancel = Self.line("CANCEL", at: second + 5 * Self.day + 9000, places.map { rows[$0] })
            outputs.insert(try Command.run("convert", "-q", "--infer", "all", "a", over: begun + cancel).output)
        }
        #expect(outputs.count == 1)
        #expect(outputs.first?.contains("REFUND_REVERSED") == false)
    }

    @Test("Rows of a restored purchase are two periods where the ends are missing")
    func periodsWithoutAnEnd() throws {
        let (first, second) = (Self.start, Self.start + 30 * Self.day)
        let rows = [Self.row(10, from: first, ends: false), Self.row(12, from: second, ends: false)]
        let renewals = [(first, rows.prefix(1)), (second, rows.prefix(2))].map { time, rows in
            Self.line("DID_RENEW", at: time + 5000, Array(rows))
        }
        let events = try Command.run("convert", "-q", "a", over: renewals.joined()).output.split(separator: "\n")
        #expect(events.count { $0.contains(#""disposition":"event""#) } == 2)
    }

    @Test("Rows of a restored purchase cost no more where a thousand bodies show a thousand rows with one date")
    func manyOfOneDate() throws {
        let lines = (0..<3000).map { number in
            let begin = Self.start
            let row = Self.row(100_000 + number, from: begin).replacing(
                "\(begin + 30 * Self.day)", with: "\(begin + 30 * Self.day + Int64(number) * 1000)")
            return Self.line("DID_RENEW", at: begin + Int64(number) * 1000, [row])
        }
        let run = try Command.run("convert", "-q", "a", over: lines.joined())
        #expect(run.output.split(separator: "\n").count == 3000)
    }
}
