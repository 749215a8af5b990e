import Testing

@testable import NotificationTranslation

/// What the table says of one V1 body, as `expected.json` has it: the answer, its evidence, and the facts that the
/// rule (and the adjustments beside it) asked for.
struct Judgement {
    var rule: String?
    var pair: String?
    var certainty = ""
    var candidates: [String] = []
    var flags: [String] = []
    var adjustments: [String] = []
    var occurredAt: String?
    var basis: String?
    var entitlement: String?
    var accessUntil: String?
    var transactionID: String?
    var originalTransactionID: String?
    var facts: [(name: String, value: String)] = []

    /// Judges a record that holds one V1 body.
    ///
    /// - Parameters:
    ///   - record: The body, or an envelope around it.
    ///   - timeline: Facts that only the neighbours of a notification tell, by name.
    ///   - catalogue: What is known of the products.
    /// - Throws: ``NotificationError`` if the record cannot be read.
    init(_ record: [UInt8], timeline: [String: String], _ catalogue: ProductCatalogue? = nil) throws {
        let padded = record + [UInt8](repeating: 0, count: RecordConverter.slack)
        var judgements: [Judgement] = []
        var failure: NotificationError?
        padded.withUnsafeBytes { bytes in
            guard let memory = bytes.baseAddress else { return }
            let decoder = NotificationDecoder(.trustingTheSource)
            decoder.scan(memory, from: 0, to: record.count, stopsAtLineFeed: false)
            do throws(NotificationError) {
                try decoder.decode(memory, from: 0, envelope: nil, receivedAt: nil) { found in
                    guard found.finding == .v1 else { return }
                    judgements.append(Judgement(found, timeline, catalogue))
                }
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        self = try #require(judgements.first)
        try #require(judgements.count == 1)
    }

    private init(_ found: NotificationDecoder.Found, _ timeline: [String: String], _ catalogue: ProductCatalogue?) {
        let table = DecisionTable.current.knowing(catalogue)
        var cache = DecisionCache(table)
        let drafting = V1Drafting(table, .current, found.holder.v1, found.memory, receivedAt: found.receivedAt)
        var event = EventDraft()
        var reading = V1Reading()
        drafting.draft(&event, &reading, &cache)
        transactionID = event.transaction?.transactionID.string
        originalTransactionID = event.transaction?.originalTransactionID.string
        basis = event.occurredAtBasis.string
        if let time = event.occurredAt {
            AppleDate.withText(time) { occurredAt = String(decoding: $0, as: UTF8.self) }
        }
        guard let type = reading.type else {
            certainty = event.certainty.rawValue
            flags = Self.names(event.flags.known)
            return
        }
        var known = reading.facts
        for (name, value) in timeline { if let fact = Fact.named(name) { known[fact] = value } }
        let decision = table.decision(type: type, facts: known)
        rule = decision.rule.id
        pair = table.name(decision.answer)
        certainty = decision.certainty.rawValue
        candidates = decision.candidates.map(table.name)
        adjustments = decision.adjustments
        event.take(decision, NotificationTranslation.Judgement(decision, .current))
        event.entitlement = .unaffected
        event.accessUntil = nil
        drafting.access(&event, &reading)
        entitlement = event.entitlement.rawValue
        if let time = event.accessUntil {
            AppleDate.withText(time) { accessUntil = String(decoding: $0, as: UTF8.self) }
        }
        let raisedInCode = event.flags.known.subtracting(event.candidates.decision?.flags ?? FlagSet(rawValue: 0))
        flags = Self.names(decision.flags.union(raisedInCode))
        let asked = decision.type.adjustments.filter { decision.adjustments.contains($0.id) }.map(\.conditions)
        let places = Set((asked.flatMap { $0 } + decision.rule.conditions).map(\.fact))
        facts = Fact.allCases.filter { places.contains($0.index) }.map { ($0.name, known[$0]) }
    }

    private static func names(_ flags: FlagSet) -> [String] {
        FlagTable.current.rows.indices.filter { flags.contains(FlagSet(rawValue: 1 << UInt64($0))) }
            .map { FlagTable.current.rows[$0].flag }
    }

    /// The judgement as JSON, the answer first.
    var text: String {
        let members = [
            ("rule", Self.json(rule)), ("pair", Self.json(pair)), ("certainty", Self.json(certainty)),
            ("candidates", Self.json(candidates)), ("flags", Self.json(flags)),
            ("adjustments", Self.json(adjustments)), ("occurred_at", Self.json(occurredAt)),
            ("basis", Self.json(basis)), ("entitlement", Self.json(entitlement)),
            ("access_until", Self.json(accessUntil)), ("transaction_id", Self.json(transactionID)),
            ("original_transaction_id", Self.json(originalTransactionID)),
            ("facts", "{" + facts.map { "\"\($0.name)\":\"\($0.value)\"" }.joined(separator: ",") + "}"),
        ]
        return PrettyJSON.text("{" + members.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",") + "}")
    }

    private static func json(_ text: String?) -> String { text.map { "\"\($0)\"" } ?? "null" }

    private static func json(_ texts: [String]) -> String {
        "[" + texts.map { "\"\($0)\"" }.joined(separator: ",") + "]"
    }
}

extension DecisionTable {
    /// `TYPE/SUBTYPE`, or `companion`.
    func name(_ answer: Rule.Answer) -> String {
        switch answer {
        case .companion: "companion"
        case .pair(let place): events.pairs[place].name
        }
    }

    /// All rules, with the type each is for.
    var rules: [Rule] { types.flatMap(\.rules) }

    /// All adjustments, each once.
    var adjustments: [Adjustment] {
        var met: Set<String> = []
        return types.flatMap(\.adjustments).filter { met.insert($0.id).inserted }
    }
}
