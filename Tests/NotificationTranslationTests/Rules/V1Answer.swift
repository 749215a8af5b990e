import Testing

@testable import NotificationTranslation

/// What becomes of one V1 body, as `expected.json` has it: the whole event, and what it was decided by, which is the
/// adjustments that applied and the facts that these and the rule asked for.
struct V1Answer {
    /// The line of the event.
    private(set) var line = ""
    private var adjustments: [String] = []
    private var facts: [(name: String, value: String)] = []

    /// Judges a record that holds one V1 body.
    ///
    /// - Parameters:
    ///   - record: The body, or an envelope around it.
    ///   - timeline: Facts that only the neighbours of a notification tell, by name.
    ///   - catalogue: What is known of the products.
    /// - Throws: ``NotificationError`` if the record cannot be read.
    init(_ record: [UInt8], timeline: [String: String], _ catalogue: ProductCatalogue? = nil) throws {
        let padded = record + [UInt8](repeating: 0, count: RecordConverter.slack)
        var answers: [V1Answer] = []
        var failure: NotificationError?
        padded.withUnsafeBytes { bytes in
            guard let memory = bytes.baseAddress else { return }
            let decoder = NotificationDecoder(.trustingTheSource)
            decoder.scan(memory, from: 0, to: record.count, stopsAtLineFeed: false)
            do throws(NotificationError) {
                try decoder.decode(memory, from: 0, envelope: nil, receivedAt: nil) { found in
                    guard found.finding == .v1 else { return }
                    answers.append(V1Answer(found, timeline, catalogue))
                }
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        self = try #require(answers.first)
        try #require(answers.count == 1)
    }

    private init(_ found: NotificationDecoder.Found, _ timeline: [String: String], _ catalogue: ProductCatalogue?) {
        let table = DecisionTable.current.knowing(catalogue)
        var cache = DecisionCache(table)
        let drafting = V1Drafting(table, .current, found.holder.v1, found.memory, receivedAt: found.receivedAt)
        var event = EventDraft()
        var reading = V1Reading()
        drafting.draft(&event, &reading, &cache, idText: OutputBuffer())
        if let type = reading.type {
            var known = reading.facts
            for (name, value) in timeline { if let fact = Fact.named(name) { known[fact] = value } }
            let decision = table.decision(type: type, facts: known)
            adjustments = decision.adjustments
            let asked = decision.type.adjustments.filter { decision.adjustments.contains($0.id) }.map(\.conditions)
            let places = Set((asked.flatMap { $0 } + decision.rule.conditions).map(\.fact))
            facts = Fact.allCases.filter { places.contains($0.index) }.map { ($0.name, known[$0]) }
            if !timeline.isEmpty {
                let flagsOfCode = event.flags.known.subtracting(event.candidates.decision?.flags ?? [])
                event.flags.known = flagsOfCode
                event.take(decision, Judgement(decision, .current))
                event.entitlement = .unaffected
                event.accessUntil = nil
                drafting.access(&event, &reading)
            }
        }
        event.source.authenticity = found.authenticity
        event.source.input = EventText("fixture")
        event.source.line = 1
        event.source.offset = 0
        let output = OutputBuffer()
        LineWriter.write(&event, to: output, .current)
        line = String(decoding: output.bytes, as: UTF8.self)
    }

    /// The event, and what it was decided by, laid out for people.
    var text: String {
        let facts = facts.map { "\"\($0.name)\":\"\($0.value)\"" }.joined(separator: ",")
        let adjustments = adjustments.map { "\"\($0)\"" }.joined(separator: ",")
        return PrettyJSON.text("{\"facts\":{\(facts)},\"adjustments\":[\(adjustments)],\"event\":\(line)}")
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
