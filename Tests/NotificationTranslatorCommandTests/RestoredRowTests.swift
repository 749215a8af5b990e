import Testing

@Suite("Rows of a purchase that was restored")
struct RestoredRowTests {
    private static let day: Int64 = 86_400_000
    private static let start: Int64 = 1_663_232_400_000
    private static let original = "1000000700000010"

    private static func row(_ id: Int, from begin: Int64, days: Int64? = 30, cancelled: Int64? = nil) -> String {
        let cancellation = cancelled.map { #","cancellation_date_ms":"\#($0)","cancellation_reason":"0""# } ?? ""
        return Body.row(original, "10000007000000\(id)", from: begin, lasting: days.map { $0 * day }, cancellation)
    }

    private static func line(_ type: String, at time: Int64, _ rows: [String]) -> String {
        let renewal = #","auto_renew_status":"true","auto_renew_product_id":"news.monthly""#
        return Body.version1(type, rows, renewal + #","original_transaction_id":"\#(original)""#, at: time) + "\n"
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
        let rows = [Self.row(10, from: first, days: nil), Self.row(12, from: second, days: nil)]
        let renewals = [(first, rows.prefix(1)), (second, rows.prefix(2))].map { time, rows in
            Self.line("DID_RENEW", at: time + 5000, Array(rows))
        }
        let events = try Command.run("convert", "-q", "a", over: renewals.joined()).lines
        #expect(events.count { $0.contains(#""disposition":"event""#) } == 2)
    }

    @Test("Rows of a restored purchase cost no more where a thousand bodies show a thousand rows with one date")
    func manyOfOneDate() throws {
        let lines = (0..<3000).map { number in
            let (begin, more) = (Self.start, Int64(number) * 1000)
            let id = "10000007000000\(100_000 + number)"
            let row = Body.row(Self.original, id, from: begin, lasting: 30 * Self.day + more)
            return Self.line("DID_RENEW", at: begin + more, [row])
        }
        let run = try Command.run("convert", "-q", "a", over: lines.joined())
        #expect(run.lines.count == 3000)
    }
}
