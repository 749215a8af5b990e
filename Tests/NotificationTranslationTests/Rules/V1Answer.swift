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
    /// - Throws: ``NotificationError`` if the record cannot be read.
    init(_ record: [UInt8], timeline: [String: String]) throws {
        let answers = try trusting.collect(from: record, receivedAt: nil) { workspace, found in
            found.kind == .v1 ? V1Answer(workspace.judge, found, timeline) : nil
        }.all.compactMap(\.self)
        self = try #require(answers.first)
        try #require(answers.count == 1)
    }

    private init(_ judge: Judge, _ found: FoundNotification, _ timeline: [String: String]) {
        var event = judge.event
        var reading = judge.reading
        if let type = reading.type {
            var known = reading.facts
            for (name, value) in timeline { if let fact = Fact.named(name) { known[fact] = value } }
            let decision = judge.table.decision(type: type, facts: known)
            adjustments = decision.adjustments
            let asked = decision.type.adjustments.filter { decision.adjustments.contains($0.id) }.map(\.conditions)
            let places = Set((asked.flatMap { $0 } + decision.rule.conditions).map(\.fact))
            facts = Fact.allCases.filter { places.contains($0.index) }.map { ($0.name, known[$0]) }
            if !timeline.isEmpty {
                let flagsOfCode = event.flags.known.subtracting(event.candidates.decision?.flags ?? [])
                event.flags.known = flagsOfCode
                event.take(decision)
                event.entitlement = .unaffected
                event.accessUntil = nil
                let finder = FactFinder(
                    table: judge.table, fields: found.holder.v1, view: TextView(memory: found.memory),
                    receivedAt: found.receivedAt, isForID: false)
                V1Drafting(finder: finder).access(&event, &reading)
            }
        }
        event.source.input = EventText("fixture")
        event.source.line = 1
        event.source.offset = 0
        line = String(decoding: event.line, as: UTF8.self)
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
