import SimulatedLives
import Testing

@testable import NotificationArchives
@testable import NotificationTranslation

/// Mutated records through the batch converter, in every way it can be asked to work; see ``StressTexts/factor`` for
/// longer runs.
@Suite("The conversion of records that were touched")
struct RecordStressTests {
    private static let secret = "5e0c0ffee5e0c0ffee5e0c0ffee5e0c0"
    private static let input = "a \"b\" é"

    /// Records of Apple's, each with the secret under `password`, within its envelope or beside it.
    private static let donors = [StressTexts.fixtures, StressTexts.lives].map { $0.map(withSecret) }

    private static func withSecret(_ record: [UInt8]) -> [UInt8] {
        let line = String(decoding: record.map { $0 == 0x0A ? 0x20 : $0 }, as: UTF8.self)
        // Whatever it is, and however deep it lies in texts inside texts.
        let password = #/(password\\*" ?: ?\\*")[0-9a-f]{32}/#
        let text = line.replacing(password) { $0.output.1 + secret }
        var record = Array(text.utf8)
        guard let begin = record.firstIndex(of: 0x7B), !text.contains(secret) else { return record }
        let isEmpty = record[(begin + 1)...].first { $0 != 0x20 } == 0x7D
        record.insert(contentsOf: Array("\"password\":\"\(secret)\"\(isEmpty ? "" : ",")".utf8), at: begin + 1)
        return record
    }

    // MARK: Ways

    /// A converter that is asked to work in one way and used again and again.
    private struct Way {
        let converter: RecordConverter
        let isSpilled: Bool
        let keepsEvidence: Bool

        init(_ bits: Int) {
            var options = RecordConverter.Options()
            options.keepsEvidence = bits & 1 != 0
            options.spillsEvents = bits & 2 != 0
            (keepsEvidence, isSpilled) = (options.keepsEvidence, options.spillsEvents)
            converter = RecordConverter(options: options, policy: .trustingTheSource)
        }
    }

    /// What became of some lines.
    private struct Made {
        /// Event lines as the command writes them.
        var lines: [UInt8]
        var evidence: [UInt8]
        var marks: [String]
        var rejects: [Reject]
        var tally: Tally
    }

    /// Converts the lines of an archive from one of them on.
    private static func convert(_ lines: [[UInt8]], _ way: inout Way, line: Int64 = 1, offset: Int = 7) -> Made {
        let chunk = Array(lines.joined(separator: [0x0A]))
        way.converter.output.removeAll()
        way.converter.begin(input: input, offset: Int64(offset), line: line)
        (chunk + [UInt8](repeating: 0x22, count: RecordConverter.slack)).withUnsafeBytes { bytes in
            let chunk = UnsafeRawBufferPointer(rebasing: bytes[..<chunk.count])
            var at = 0
            while at < chunk.count {
                at = way.converter.convertLine(of: chunk, from: at)
            }
        }
        let output = way.converter.output
        return Made(
            lines: output.lines(isSpilled: way.isSpilled) ?? Array("damaged".utf8),
            evidence: Array(output.evidence.bytes),
            marks: output.evidenceMarks.map { "\($0.end) \($0.key) \($0.time ?? -1)" }, rejects: output.rejects,
            tally: output.tally)
    }

    // MARK: Demands

    /// The keys that an event has at each place, in order.
    private static let keys = [
        "v2": "type subtype",
        "transaction": """
        original_transaction_id transaction_id web_order_line_item_id product_id subscription_group_id product_type \
        quantity purchased_at original_purchased_at expires_at revoked_at revocation_reason is_upgraded ownership \
        app_account_token offer_type offer_id offer_discount_type storefront price currency
        """,
        "renewal": """
        auto_renew_product_id auto_renew_status expiration_intent in_billing_retry grace_period_expires_at \
        price_increase_status offer_type offer_id renews_at
        """,
        "source": "version type subtype authenticity received_at rule rules_version input line offset",
    ]

    /// What is wrong with an event line, which has the key of a receipt only where that was asked for; `nil` if nothing
    /// is.
    static func fault(of line: [UInt8], tellsReceipt: Bool = false) -> String? {
        guard let event = JSONTree.parsed(line) else { return "no JSON: \(JSONScannerTests.verdict(line))" }
        guard event.keys == UnifiedEventTests.keys else { return "other keys: \(event.keys)" }
        for (place, keys) in keys {
            let found = event[place]?.keys.joined(separator: " ") ?? ""
            if found.isEmpty, event[place]?.kind == .null, place == "transaction" || place == "renewal" { continue }
            guard found == keys + (tellsReceipt && place == "source" ? " receipt" : "") else {
                return "other keys in \(place): \(found)"
            }
        }
        guard event["candidates"]?.elements?.allSatisfy({ $0.keys == ["type", "subtype"] }) == true,
            event["flags"]?.elements != nil, event["derived_from"]?.elements != nil
        else { return "no lists" }
        return nil
    }

    /// What is wrong with what became of one line; `nil` if nothing is.
    private static func fault(of made: Made, line: [UInt8]) -> String? {
        let tally = made.tally
        if line.allSatisfy({ [0x20, 0x09, 0x0D].contains($0) }) {
            return tally.records == 0 ? nil : "a blank line became something"
        }
        guard tally.records >= 1, tally.rejected <= 1 else { return "became \(tally)" }
        // A compact JWS as it stands is a record and no JSON.
        if line.starts(with: "ey".utf8) { return nil }
        let verdict = JSONScannerTests.verdict(line).prefix { $0 != " " }
        guard verdict == "ok" else {
            // It is refused for the first fault in it, wherever that is.
            return tally.records == 1 && made.rejects.map(\.code) == [String(verdict)]
                ? nil : "is \(verdict) and became \(tally)"
        }
        // A value may hold JSON, as it is or in base64, or a signed payload that is read in its turn.
        if String(decoding: line, as: UTF8.self).contains(#/"\s*(?:\{|\\|ey)/#) { return nil }
        // A number of a field that is read may be too large.
        let codes = made.rejects.map(\.code).filter { $0.hasPrefix("json.") && $0 != "json.number-overflow" }
        if !codes.isEmpty { return "is JSON and was refused: \(codes)" }
        return tally.records == 1 || line.contains(0x5B) ? nil : "became \(tally)"
    }

    /// Where the secret is told, though it stood nowhere but where the decoder knows it.
    private static func leaks(_ lines: [[UInt8]], _ made: Made) -> [String] {
        func contains(_ bytes: [UInt8], _ text: String) -> Bool {
            String(decoding: bytes, as: UTF8.self).contains(text)
        }
        if made.rejects.contains(where: { ($0.path + $0.message + $0.code).contains(secret) }) {
            return ["the secret is in a reject"]
        }
        guard contains(made.lines, secret) || contains(made.evidence, secret) else { return [] }
        let isMisplaced = lines.contains { line in
            let text = String(decoding: line, as: UTF8.self)
            return text.replacing(#/password\\*"\s*:\s*\\*"[0-9a-f]{32}\\*"/#, with: "")
                .contains(#/5e0c|\\u00/#)
        }
        return isMisplaced ? [] : ["the secret is in an event or its evidence"]
    }

    // MARK: Tests

    @Test("The conversion of mutated records loses no line, makes events of the contract and keeps the secret")
    func everyWay() throws {
        var mutator = TextMutator(seed: StressTexts.seed + 3, donors: Self.donors)
        var ways = (0..<4).map(Way.init)
        var total = Tally()
        for _ in 0..<60 * StressTexts.factor {
            let count = mutator.number(1..<6)
            let lines = (0..<count).flatMap { _ in mutator.text().split(separator: 0x0A).map(Array.init) }
            let made = Self.convert(lines, &ways[0])
            total.add(made.tally)

            var faults: [String] = []
            let sum = made.tally.converted + made.tally.evidence + made.tally.rejected + made.tally.skipped
            if made.tally.records != sum { faults.append("\(made.tally) does not add up") }
            if made.rejects.count != made.tally.rejected { faults.append("\(made.rejects.count) rejects") }
            let events = made.lines.split(separator: 0x0A).map(Array.init)
            if events.count != made.tally.converted { faults.append("\(events.count) events of \(made.tally)") }
            for event in events {
                if let fault = Self.fault(of: event) { faults.append(fault) }
                let again = try UnifiedEvent(line: event).line()
                if again != event { faults.append("read and written again: \(StressTexts.shown(again))") }
            }
            var singly = (lines: [UInt8](), rejects: [Reject](), offset: 7)
            for (place, line) in lines.enumerated() {
                let alone = Self.convert([line], &ways[0], line: Int64(place) + 1, offset: singly.offset)
                if let fault = Self.fault(of: alone, line: line) { faults.append("line \(place + 1) \(fault)") }
                singly.offset += line.count + 1
                singly.lines += alone.lines
                singly.rejects += alone.rejects
            }
            if singly.lines != made.lines || singly.rejects != made.rejects { faults.append("other, line by line") }
            faults += Self.leaks(lines, made)

            for bits in 1..<4 {
                let other = Self.convert(lines, &ways[bits])
                if other.lines != made.lines { faults.append("other events in way \(bits)") }
                if other.rejects != made.rejects { faults.append("other rejects in way \(bits)") }
                if other.tally != made.tally { faults.append("another tally in way \(bits)") }
                guard ways[bits].keepsEvidence else { continue }
                let same = Self.convert(lines, &ways[bits])
                if other.evidence != same.evidence { faults.append("other evidence in way \(bits)") }
                if other.marks != same.marks || other.marks.count != made.tally.converted {
                    faults.append("other marks of evidence in way \(bits)")
                }
                faults += Self.leaks(lines, other)
            }
            guard faults.isEmpty else {
                Issue.record(
                    "\(faults.joined(separator: "\n"))\nof:\n\(lines.map(StressTexts.shown).joined(separator: "\n"))")
                return
            }
        }
        print("records that were touched: \(total.records), \(total.converted) events, \(total.rejected) rejects")
        #expect(total.converted > total.records / 10 && total.rejected > total.records / 10)
    }

    private static func lines(_ fixture: Fixture) throws -> [[UInt8]] {
        try fixture.records.map { record in record.map { $0 == 0x0A ? 0x20 : $0 } }
    }

    /// Records whose notification lies deep, and what a converter makes of each that has read nothing before.
    private static let deep = Result {
        try ["eight-texts-deep", "four-envelopes-deep", "text-in-a-text-with-receive-time"].map { name in
            let record = try lines(Fixture(table: "envelopes", name: name))
            var new = Way(1)
            return (record: record, made: convert(record, &new))
        }
    }

    @Test("The conversion of a record is the same whatever was read before it", arguments: Fixture.all(in: "envelopes"))
    func before(_ fixture: Fixture) throws {
        var used = Way(1)
        for (record, expected) in try Self.deep.get() {
            _ = Self.convert(try Self.lines(fixture), &used)
            let made = Self.convert(record, &used)
            #expect(made.lines == expected.lines && made.rejects == expected.rejects)
        }
    }

    /// A text with other spaces and other escapes.
    private static func rewritten(_ text: [UInt8], isSpaced: Bool) -> [UInt8] {
        var result = String.UnicodeScalarView()
        var (isInside, isEscaped) = (false, false)
        for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
            if scalar == "\"", !isEscaped { isInside.toggle() }
            switch scalar {
            case "/" where isInside && !isEscaped: result += "\\/".unicodeScalars
            case "{", "}", "[", "]", ":", ",":
                result += (isInside || !isSpaced ? "\(scalar)" : "\t\(scalar) ").unicodeScalars
            case _ where !scalar.isASCII:
                for unit in scalar.utf16 {
                    result += ("\\u" + String(0x10000 + Int(unit), radix: 16).dropFirst()).unicodeScalars
                }
            default: result.append(scalar)
            }
            isEscaped = scalar == "\\" && !isEscaped
        }
        return Array(String(result).utf8)
    }

    @Test("The conversion of mutated records makes the same event of the same values, however they are written")
    func otherForms() throws {
        var mutator = TextMutator(seed: StressTexts.seed + 4, donors: Self.donors)
        mutator.escapesWords = false
        var way = Way(1)
        var compared = 0
        for _ in 0..<150 * StressTexts.factor {
            var text = mutator.text()
            text.removeAll { $0 == 0x0A }
            guard JSONTree.parsed(text) != nil else { continue }
            let made = Self.convert([text], &way)
            let again = Self.rewritten(text, isSpaced: mutator.number(0..<2) == 0)
            let other = Self.convert([again], &way)
            var differing: [String] = []
            if other.lines != made.lines { differing.append(String(decoding: other.lines, as: UTF8.self)) }
            if other.rejects.map(\.code) != made.rejects.map(\.code) { differing.append("\(other.rejects)") }
            if other.tally != made.tally { differing.append("\(other.tally)") }
            // What names no transaction is known again by its text.
            let isNamed = !String(decoding: made.lines, as: UTF8.self).contains("\"transaction\":null")
            if isNamed, other.evidence != made.evidence || other.marks != made.marks { differing.append("evidence") }
            guard differing.isEmpty else {
                Issue.record("\(differing), of: \(StressTexts.shown(again)) and \(StressTexts.shown(text))")
                return
            }
            compared += made.tally.converted
        }
        print("records written otherwise: \(compared)")
        #expect(compared > 20 * StressTexts.factor)
    }
}
