import SimulatedLives

/// An archive as a cluster meets it, and what of its events does not depend on where a record lay.
enum Cluster {
    /// Simulated lives of all three eras as they arrived, the files of a log in no order, and what else is found there.
    ///
    /// - Parameters:
    ///   - lives: How many of each era.
    ///   - eras: Which they fall in.
    ///   - isPlain: Whether nothing else is found there.
    /// - Returns: The lines.
    static func archive(
        lives: Int, of eras: [SimulatedEra] = SimulatedEra.allCases, isPlain: Bool = false
    ) -> [String] {
        var letters = self.lives(lives, of: eras).flatMap(\.deliveries).map {
            (at: $0.receivedAt, line: String(decoding: $0.envelope, as: UTF8.self))
        }
        letters.sort { $0.at < $1.at }
        // Two servers, one of which was read first.
        let lines = letters.map(\.line)
        let halves = [1, 0].flatMap { half in lines.enumerated().filter { $0.offset % 2 == half }.map(\.element) }
        return isPlain ? halves : halves + oddKeys + withoutEvent
    }

    private static func lives(_ number: Int, of eras: [SimulatedEra]) -> [SimulatedLife] {
        eras.flatMap { era in
            (0..<number).map {
                SimulatedLife(seed: UInt64(7_000 + $0), era: era, lostPercent: 3, cutOverPercent: 40)
            }
        }
    }

    /// What Apple answers to each question about the same lives, at their end: the lines that a script writes.
    static func answers(lives: Int, of eras: [SimulatedEra] = SimulatedEra.allCases) -> [String] {
        self.lives(lives, of: eras).flatMap { life in
            AppleQuestion.allCases.flatMap { life.answers(to: $0, at: life.span.upperBound) }
        }.map { String(decoding: $0, as: UTF8.self) }
    }

    /// Original transaction ids that no subscription has, each twice; the second tells what the first means.
    static let oddKeys = ["a,b;c|d", #"\"quoted\" \\ \/"#, #"tab\tline\nend"#, "", " ", "漢字 é", "$(id) `id` %s"].flatMap
    {
        [notification("CANCEL", $0), notification("DID_CHANGE_RENEWAL_STATUS", $0), notification("CANCEL", $0)]
    }

    /// A notification that names no subscription, a foreign row, a blank line and a broken one.
    static let withoutEvent = [Body.cancel(1), #"{"kind":"heartbeat"}"#, "", "{\"notification_type\":"]

    private static func notification(_ type: String, _ key: String) -> String {
        #"{"notification_type":"\#(type)","environment":"PROD","bid":"com.example.news","#
            + #""auto_renew_status":"false","auto_renew_status_change_date_ms":"1578560401000","latest_receipt_info":"#
            + #"{"original_transaction_id":"\#(key)","transaction_id":"\#(key)","product_id":"com.example.news.monthly","#
            + #""purchase_date_ms":"1577869200000","cancellation_date_ms":"1578560400000"}}"#
    }

    /// The events among lines, without `source.input`, `line` and `offset`, which stand last in them; sorted.
    static func events(_ output: String) -> [String] {
        output.split(separator: "\n").filter { !isError($0) }.map { line in
            String(line[..<(line.ranges(of: ",\"input\":").last?.lowerBound ?? line.endIndex)])
        }.sorted()
    }

    /// The codes of the errors among lines, sorted.
    static func errors(_ output: String) -> [String] {
        output.split(separator: "\n").filter { isError($0) }.map { line in
            String(line.dropFirst(#"{"error":{"code":""#.count).prefix { $0 != "\"" })
        }.sorted()
    }

    private static func isError(_ line: Substring) -> Bool { line.hasPrefix("{\"error\":") }
}
