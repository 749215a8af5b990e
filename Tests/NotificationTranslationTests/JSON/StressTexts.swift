import SimulatedLives

@testable import NotificationTranslation

/// What the mutations begin with.
enum StressTexts {
    /// How many times as long as in an ordinary run the mutations go on: `STRESS` in the environment, else 1.
    static var factor: Int { Environment.number("STRESS") ?? 1 }
    /// Which mutations: `SEED` in the environment, else 1.
    static var seed: UInt64 { UInt64(Environment.number("SEED") ?? 1) }

    /// Bodies and records of every kind that the fixtures have.
    static let fixtures: [[UInt8]] = ["v1-to-v2", "v2-to-event", "envelopes", "timelines"].flatMap { table in
        Fixture.all(in: table).flatMap { (try? $0.records) ?? [] }
    }

    /// Bodies of simulated lives, some in an envelope.
    static let lives: [[UInt8]] = SimulatedEra.allCases.flatMap { era in
        (0..<3).flatMap { number in
            SimulatedLife(
                seed: 700 + seed * 10 + number, era: era, receiptLength: 8...1500, lostPercent: 5, cutOverPercent: 60
            ).deliveries.prefix(12).enumerated().map { place, delivery in
                place % 4 == 3 ? envelope(delivery.body) : delivery.body
            }
        }
    }

    /// A body as text in a row of a log.
    private static func envelope(_ body: [UInt8]) -> [UInt8] {
        let inside = OutputBuffer()
        body.withUnsafeBytes { JSONEscapes.escape($0) { inside.append($0) } }
        return Array("{\"received_at\":\"2021-05-06T07:08:09Z\",\"body\":\"".utf8) + Array(inside.bytes)
            + Array("\"}".utf8)
    }

    /// What no body of Apple's has.
    static let handmade: [[UInt8]] = [
        #"{"a":"\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00\u0000\uFFFF","\u0062":"\\\\\\\\\"","c\/d":["\/","\/\/","\\"]}"#,
        "{\"é漢😀\":\"\u{7F}\u{80}\u{7FF}\u{800}\u{FFFD}\u{10FFFF}\",\"ü\":[\"ß\",\"\u{2028}\"],\"z\":\"é\"}",
        "{\"receipt\":\"" + String(repeating: #"MIIT\/abc+DEF\/"#, count: 40) + #"==","next":"\/","last":1}"#,
        "{\"receipt\":\"" + String(repeating: "QUJDREVGR0g=", count: 60) + #"","b":"\u00e9","c":"plain"}"#,
        String(repeating: "[", count: 63) + "{\"a\":1}" + String(repeating: "]", count: 63),
        String(repeating: "{\"k\":[", count: 32) + String(repeating: "]}", count: 32),
        "{\n  \"a\" : {\n    \"b\" : [ 1, 2.5, -3e2 ],\n    \"c\" : { }\n  },\n\t\"d\" : [ ],\r\n  \"e\" : null\n}\n",
        #"[0,-0,1,-1,0.5,-0.0,1e1,1E1,1e+1,1e-1,12345678901234567890,9223372036854775807,1.5e300,2e-400]"#,
        #"[true,false,null,"",{},[],[[]],{"":""},{"a":{"a":{"a":1}}}]"#,
        "{" + (0..<60).map { "\"key\($0)\":\($0)" }.joined(separator: ",") + "}",
        "{" + (0..<30).map { "\"k\\u00\($0 + 30)\" : \"v\($0)\"" }.joined(separator: " , ") + "}",
        #""alone""#, "3", " null ", #""\ud83d\ude00""#, "{}", "[]",
    ].map { Array($0.utf8) }

    static let all = [fixtures, lives, handmade]

    /// A text as it can be pasted into a test.
    static func shown(_ text: [UInt8]) -> String {
        text.map { 0x20..<0x7F ~= $0 ? String(Unicode.Scalar($0)) : "<\(String($0, radix: 16))>" }.joined()
    }
}
