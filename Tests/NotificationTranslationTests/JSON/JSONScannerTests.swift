import Testing

@testable import NotificationTranslation

@Suite("The scanner")
struct JSONScannerTests {
    /// What the scanner says of a text: `ok`, or the code and offset of the fault.
    static func verdict(_ bytes: [UInt8], after: UInt8 = 0x22) -> String {
        let padded = bytes + [UInt8](repeating: after, count: JSONScanner.slack)
        return padded.withUnsafeBytes { memory in
            guard let start = memory.baseAddress else { return "no memory" }
            do throws(JSONFault) {
                _ = try JSONTree(start, 0..<bytes.count)
                return "ok"
            } catch {
                return "\(error.code.code) at \(error.offset)"
            }
        }
    }

    static func verdict(_ text: String) -> String { verdict(Array(text.utf8)) }

    private static func nested(_ levels: Int) -> String {
        String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
    }

    @Test(
        "The scanner accepts what RFC 8259 accepts, up to 64 levels",
        arguments: [
            "{}", "[]", " {\t\"a\" :\r\n[1 , 2.5e-3,-0,true,false,null] } ", #"{"a":"b"}"#,
            #"{"a":"\"\\\/\b\f\n\r\té😀"}"#,
            #""alone""#, "3", "null", #"{"a":{"a":{"a":[[],{}]}}}"#, #"{"":""}"#, "{\"a\":\"\u{7F}é漢😀\"}",
            #"{"a":"\u0000"}"#, "18446744073709551615", "-9223372036854775808", "1e-400", "18446744073709551616",
            "[1e400]", nested(64),
        ])
    func accepts(_ text: String) {
        let verdict = Self.verdict(text)
        #expect(verdict == "ok")
    }

    @Test(
        "The scanner says which rule a text breaks and where",
        arguments: [
            ("", "json.unexpected-end at 0"), ("{", "json.unexpected-end at 1"),
            (#"{"a"#, "json.unexpected-end at 3"), (#"{"a""#, "json.unexpected-end at 4"),
            (#"{"a":"#, "json.unexpected-end at 5"), (#"{"a":1"#, "json.unexpected-end at 6"),
            (#"{"a":1,"#, "json.unexpected-end at 7"), (#"{"a":1,}"#, "json.trailing-comma at 7"),
            ("[1,]", "json.trailing-comma at 3"), ("[1 2]", "json.syntax at 3"),
            ("{} {}", "json.trailing-content at 3"),
            (#"{"a":1,"b":2,"a":3}"#, "json.duplicate-key at 13"),
            (#"{"a":1,"\u0061":3}"#, "json.duplicate-key at 7"), ("{'a':1}", "json.syntax at 1"),
            (#"{"a":tru}"#, "json.syntax at 8"), ("01", "json.invalid-number at 0"), ("-", "json.unexpected-end at 1"),
            ("1.", "json.unexpected-end at 2"), ("1.x", "json.invalid-number at 2"),
            (#"{"a":"\x"}"#, "json.invalid-escape at 6"), (#"{"a":"\u00g0"}"#, "json.invalid-escape at 6"),
            (#"{"a":"\ud800"}"#, "json.lone-surrogate at 6"), (#"{"a":"\ud800\u0041"}"#, "json.lone-surrogate at 6"),
            (#"{"a":"\udc00"}"#, "json.lone-surrogate at 6"), ("{\"a\":\"\u{1}\"}", "json.control-character at 6"),
            ("{\"a\":\"x\ny\"}", "json.control-character at 7"), ("{\u{1}}", "json.control-character at 1"),
            (#"{"a":"b\"#, "json.unexpected-end at 8"), (#"{"a":"b\""#, "json.unexpected-end at 9"),
            ("nul", "json.unexpected-end at 3"), (nested(65), "json.too-deep at 64"),
        ])
    func refuses(_ text: String, _ expected: String) {
        let verdict = Self.verdict(text)
        #expect(verdict == expected)
    }

    @Test("The scanner does not look at what follows a text")
    func slack() {
        let whole = #"{"a":[1,{"b":-2.5e1}],"c":"\u0064\/","e":true} "#
        for length in 0...whole.utf8.count {
            let text = Array(whole.utf8.prefix(length))
            let verdicts = Set((UInt8.min...UInt8.max).map { Self.verdict(text, after: $0) })
            #expect(verdicts.count == 1)
        }
    }

    @Test("The scanner refuses what is not UTF-8, wherever a block of 64 bytes begins", arguments: 0..<130)
    func utf8(_ shift: Int) {
        let lead = Array("{\"a\":\"".utf8) + [UInt8](repeating: 0x78, count: shift)
        let tail = Array("\"}".utf8)
        for bad: [UInt8] in [
            [0xFF], [0xC0, 0x80], [0xE2, 0x82], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0x80],
        ] {
            let verdict = Self.verdict(lead + bad + tail)
            #expect(verdict == "json.invalid-utf8 at \(lead.count)")
        }
        let good = Self.verdict(lead + Array("é漢😀".utf8) + tail)
        #expect(good == "ok")
    }

    @Test("The scanner follows escapes across blocks of 64 bytes", arguments: 0..<130)
    func escapes(_ shift: Int) {
        let pad = String(repeating: "x", count: shift)
        for (text, expected) in [
            (#"{"a":"\#(pad)\\\"\\\\","b":"\/\/"}"#, "ok"), (#"{"a":"\#(pad)\ud83d\ude00\/"}"#, "ok"),
            (#"{"a":"\#(pad)\\"x}"#, "json.syntax at \(6 + shift + 3)"),
            (#"{"a":"\#(pad)\ud83d\/"}"#, "json.lone-surrogate at \(6 + shift)"),
            (#"{"a":"\#(pad)\q"}"#, "json.invalid-escape at \(6 + shift)"),
        ] {
            let verdict = Self.verdict(text)
            #expect(verdict == expected)
        }
    }

    @Test("The scanner marks the texts that hold a backslash, and no others", arguments: 0..<130)
    func marks(_ shift: Int) throws {
        let pad = String(repeating: "x", count: shift)
        let text = #"{"\#(pad)":"","a\u0062":"\/\#(pad)","c":"\#(pad)\"","d":"\#(pad)"}"#
        let marked = try JSONTree(Array(text.utf8)).pairs.flatMap { [$0.range.hasEscapes, $1.range.hasEscapes] }
        #expect(marked == [false, false, true, true, false, true, false, false])
    }

    @Test("The scanner finds the same key twice among a thousand")
    func manyKeys() {
        let keys = (0..<1000).map { "\"k\($0)\":\($0)" }
        let all = Self.verdict("{" + keys.joined(separator: ",") + "}")
        #expect(all == "ok")
        let text = "{" + keys.joined(separator: ",") + ",\"k7\":0}"
        let twice = Self.verdict(text)
        #expect(twice == "json.duplicate-key at \(text.utf8.count - 7)")
    }

    @Test(
        "The scanner accepts every y_ case of JSONTestSuite but the two with duplicate keys, and no n_ case",
        .enabled(if: !Corpora.files("json-test-suite").isEmpty, "CORPORA names no folder with json-test-suite"))
    func jsonTestSuite() {
        var refused: [String] = []
        var accepted: [String] = []
        for (name, bytes) in Corpora.files("json-test-suite") {
            let verdict = Self.verdict(bytes)
            switch name.first {
            case "y" where verdict != "ok": refused.append(name)
            case "n" where verdict == "ok": accepted.append(name)
            // Of what RFC 8259 leaves open, numbers of any size are taken, and nothing that is not UTF-8 or not whole.
            case "i" where (verdict == "ok") != name.hasPrefix("i_number"): accepted.append(name)
            default: break
            }
        }
        #expect(refused == ["y_object_duplicated_key.json", "y_object_duplicated_key_and_value.json"])
        #expect(accepted == [])
    }
}
