import SimulatedLives
import Testing

@testable import NotificationTranslation

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

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
        var converter: RecordConverter
        var output = ChunkOutput(capacity: 1024)
        let isSpilled: Bool
        let keepsEvidence: Bool

        init(_ bits: Int) {
            var options = RecordConverter.Options(keepsEvidence: bits & 1 != 0)
            options.spillsEvents = bits & 2 != 0
            (keepsEvidence, isSpilled) = (options.keepsEvidence, options.spillsEvents)
            converter = RecordConverter(options: options, policy: .trustingTheSource)
        }
    }

    /// What became of one line.
    private struct Share: Equatable {
        var events = 0
        var rejects = 0
        var skipped = 0

        var total: Int { events + rejects + skipped }
    }

    /// What became of some lines.
    private struct Made {
        /// Event lines as the command writes them.
        var lines: [UInt8] = []
        var evidence: [UInt8] = []
        var marks: [String] = []
        var rejects: [Reject] = []
        var tally = Tally()
        var shares: [Share] = []
    }

    private static func convert(_ lines: [[UInt8]], _ way: inout Way) -> Made {
        let chunk = Array(lines.joined(separator: [0x0A]))
        let padded = chunk + [UInt8](repeating: 0x22, count: RecordConverter.slack)
        var made = Made()
        way.output.removeAll()
        way.output.line = 1
        padded.withUnsafeBytes { bytes in
            let chunk = UnsafeRawBufferPointer(rebasing: bytes[..<chunk.count])
            var at = 0
            while at < chunk.count {
                let before = way.output.tally
                at = way.converter.convertLine(
                    of: chunk, from: at, place: .init(input: input, offset: 7), into: &way.output)
                let after = way.output.tally
                made.shares.append(
                    Share(
                        events: after.converted - before.converted, rejects: after.rejected - before.rejected,
                        skipped: after.skipped - before.skipped))
            }
        }
        made.lines = way.output.lines(isSpilled: way.isSpilled) ?? Array("damaged".utf8)
        made.evidence = Array(way.output.evidence.bytes)
        made.marks = way.output.evidenceMarks.map { "\($0.end) \($0.key) \($0.time ?? -1)" }
        made.rejects = way.output.rejects
        made.tally = way.output.tally
        return made
    }

    // MARK: Demands

    /// The keys that an event has at each place, in order.
    private static let keys: [(place: String, keys: [String])] = [
        ("v2", ["type", "subtype"]),
        (
            "transaction",
            [
                "original_transaction_id", "transaction_id", "web_order_line_item_id", "product_id",
                "subscription_group_id", "product_type", "quantity", "purchased_at", "original_purchased_at",
                "expires_at", "revoked_at", "revocation_reason", "is_upgraded", "ownership", "app_account_token",
                "offer_type", "offer_id", "offer_discount_type", "storefront", "price", "currency",
            ]
        ),
        (
            "renewal",
            [
                "auto_renew_product_id", "auto_renew_status", "expiration_intent", "in_billing_retry",
                "grace_period_expires_at", "price_increase_status", "offer_type", "offer_id", "renews_at",
            ]
        ),
        (
            "source",
            [
                "version", "type", "subtype", "authenticity", "received_at", "rule", "rules_version", "input", "line",
                "offset",
            ]
        ),
    ]

    /// What is wrong with an event line, which has the key of a receipt only where that was asked for; `nil` if nothing
    /// is.
    static func fault(of line: [UInt8], tellsReceipt: Bool = false) -> String? {
        guard let event = try? PlainJSON(line) else { return "no JSON: \(PlainJSON.verdict(line))" }
        guard event.keys == UnifiedEventTests.keys else { return "other keys: \(event.keys)" }
        for (place, keys) in keys {
            if case .null? = event[place], place == "transaction" || place == "renewal" { continue }
            let keys = keys + (tellsReceipt && place == "source" ? ["receipt"] : [])
            guard event[place]?.keys == keys else { return "other keys in \(place): \(event[place]?.keys ?? [])" }
        }
        guard case .array(let candidates)? = event["candidates"], candidates.allSatisfy({ $0.keys == keys[0].keys })
        else { return "other candidates" }
        guard case .array? = event["flags"], case .array? = event["derived_from"] else { return "no lists" }
        return nil
    }

    /// Whether the secret stands in a text where it may be taken for something else than the secret.
    private static func isMisplaced(_ record: PlainJSON) -> Bool {
        var isMisplaced = false
        record.visitStrings { key, characters in
            guard !isMisplaced, contains(characters, secret), key != Array("password".utf8) || characters.count != 32
            else { return }
            guard let inner = try? PlainJSON(characters), case .object = inner else { return isMisplaced = true }
            if Self.isMisplaced(inner) { isMisplaced = true }
        }
        return isMisplaced
    }

    private static func contains(_ bytes: [UInt8], _ text: String) -> Bool {
        String(decoding: bytes, as: UTF8.self).contains(text)
    }

    /// Whether a value may hold JSON, as it is or in base64, or a signed payload that is read in its turn.
    private static func mayHoldMore(_ record: PlainJSON) -> Bool {
        var found = false
        record.visitStrings { _, characters in
            let text = characters.drop { $0 <= 0x20 }
            // Signed payloads and JSON in base64 begin with `ey`.
            if text.first == 0x7B || text.first == 0x22 || text.starts(with: "ey".utf8) { found = true }
        }
        return found
    }

    private static func isBlank(_ line: [UInt8]) -> Bool {
        line.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
    }

    /// What is wrong with what became of a line; `nil` if nothing is.
    private static func fault(of share: Share, _ rejects: [Reject], line: [UInt8]) -> String? {
        if isBlank(line) { return share == Share() ? nil : "a blank line became something" }
        guard share.total >= 1, share.rejects <= 1 else { return "became \(share)" }
        // A compact JWS as it stands is a record and no JSON.
        if line.starts(with: "ey".utf8) { return nil }
        guard let record = try? PlainJSON(line) else {
            return share == Share(rejects: 1) && rejects.allSatisfy { $0.code.hasPrefix("json.") }
                ? nil : "is no JSON and became \(share)"
        }
        if mayHoldMore(record) { return nil }
        // A number of a field that is read may be too large.
        let codes = rejects.map(\.code).filter { $0 != "json.number-overflow" }
        if codes.contains(where: { $0.hasPrefix("json.") }) { return "is JSON and was refused: \(rejects)" }
        return share.total == 1 || line.contains(0x5B) ? nil : "became \(share)"
    }

    private static func shown(_ lines: [[UInt8]]) -> String {
        lines.map { line in
            line.map { 0x20..<0x7F ~= $0 ? String(Unicode.Scalar($0)) : "<\(String($0, radix: 16))>" }.joined()
        }.joined(separator: "\n")
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
            let sum = made.tally.converted + made.tally.rejected + made.tally.skipped
            if made.tally.records != sum { faults.append("\(made.tally) does not add up") }
            if made.rejects.count != made.tally.rejected { faults.append("\(made.rejects.count) rejects") }
            let events = made.lines.split(separator: 0x0A).map(Array.init)
            if events.count != made.tally.converted { faults.append("\(events.count) events of \(made.tally)") }
            faults += events.compactMap { Self.fault(of: $0) }
            for (place, line) in lines.enumerated() {
                guard place < made.shares.count else { continue }
                let rejects = made.rejects.filter { $0.line == Int64(place) + 1 }
                if let fault = Self.fault(of: made.shares[place], rejects, line: line) {
                    faults.append("line \(place + 1) \(fault)")
                }
            }
            faults += Self.leaks(lines, made)

            for _ in 0..<3 {
                let bits = mutator.number(1..<4)
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
                Issue.record("\(faults.joined(separator: "\n"))\nof:\n\(Self.shown(lines))")
                return
            }
        }
        print("records that were touched: \(total.records), \(total.converted) events, \(total.rejected) rejects")
        #expect(total.converted > total.records / 10 && total.rejected > total.records / 10)
    }

    @Test(
        "The conversion of mutated records makes the same event of a record, whatever was read before it",
        arguments: Fixture.all(in: "envelopes"))
    func before(_ fixture: Fixture) throws {
        func lines(_ fixture: Fixture) throws -> [[UInt8]] {
            guard fixture.has("input.json") else {
                return try fixture.bytes("input.ndjson").split(separator: 0x0A).map(Array.init)
            }
            return [try fixture.bytes("input.json").map { $0 == 0x0A ? 0x20 : $0 }]
        }
        var used = Way(1)
        for deep in ["eight-texts-deep", "four-envelopes-deep", "text-in-a-text-with-receive-time"] {
            let record = try lines(Fixture(table: "envelopes", name: deep))
            var new = Way(1)
            let expected = Self.convert(record, &new)
            _ = Self.convert(try lines(fixture), &used)
            let made = Self.convert(record, &used)
            #expect(made.lines == expected.lines && made.rejects == expected.rejects, "\(deep)")
        }
    }

    /// Where the secret is told, though it stood nowhere but where the decoder knows it.
    private static func leaks(_ lines: [[UInt8]], _ made: Made) -> [String] {
        var faults: [String] = []
        if made.rejects.contains(where: { ($0.path + $0.message + $0.code).contains(secret) }) {
            faults.append("the secret is in a reject")
        }
        guard contains(made.lines, secret) || contains(made.evidence, secret) else { return faults }
        let isMisplaced = lines.contains { line in
            guard contains(line, String(secret.prefix(4))), let record = try? PlainJSON(line) else { return false }
            return Self.isMisplaced(record)
        }
        return faults + (isMisplaced ? [] : ["the secret is in an event or its evidence"])
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
            guard let record = try? PlainJSON(text) else { continue }
            var form = PlainJSON.Form(isSpaced: false, escapedPercent: 0, escapesWords: false)
            let plain = record.text(form, using: &mutator.random)
            let made = Self.convert([plain], &way)
            form.isSpaced = mutator.number(0..<2) == 0
            form.escapedPercent = mutator.pick([0, 0, 1, 20])
            let again = record.text(form, using: &mutator.random)
            for text in [text, again] {
                let other = Self.convert([text], &way)
                guard other.lines == made.lines, other.rejects.map(\.code) == made.rejects.map(\.code),
                    other.tally == made.tally, other.evidence == made.evidence, other.marks == made.marks
                else {
                    Issue.record(
                        """
                        \(String(decoding: other.lines, as: UTF8.self)) \(other.rejects), not
                        \(String(decoding: made.lines, as: UTF8.self)) \(made.rejects), of:
                        \(Self.shown([text])) and \(Self.shown([plain]))
                        """)
                    return
                }
            }
            compared += made.tally.converted
        }
        print("records written otherwise: \(compared)")
        #expect(compared > 20 * StressTexts.factor)
    }

    @Test("The conversion of mutated records writes lines that are decoded and written again as they were")
    func roundTrip() throws {
        var mutator = TextMutator(seed: StressTexts.seed + 5, donors: Self.donors)
        var way = Way(0)
        var compared = 0
        for _ in 0..<60 * StressTexts.factor {
            let lines = mutator.text().split(separator: 0x0A).map(Array.init)
            for line in Self.convert(lines, &way).lines.split(separator: 0x0A) {
                let event = try JSONDecoder().decode(UnifiedEvent.self, from: Data(line))
                let again = event.line()
                #expect(String(decoding: again, as: UTF8.self) == String(decoding: line, as: UTF8.self))
                compared += 1
            }
        }
        print("lines decoded and written again: \(compared)")
        #expect(compared > 10 * StressTexts.factor)
    }
}
