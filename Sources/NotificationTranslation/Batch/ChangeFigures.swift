/// What changed between the events of an earlier run and those of this one: numbers and a few places, never events.
package struct ChangeFigures: Sendable {
    /// A name of an earlier run and that of this one, and how often.
    package struct Step: Hashable, Sendable {
        /// `nil`: no rule, or no event of its own.
        package var old: String?
        package var new: String?
    }

    /// A change of what a V1 type, or a V2 pair, represents.
    package struct Answer: Hashable, Sendable {
        package var type: String?
        package var step: Step
    }

    /// Events that only one of the runs has, by what they are.
    package struct Sort: Hashable, Sendable {
        package var kind: String
        package var disposition: String
        package var rule: String?
    }

    /// An example.
    package struct Example: Hashable, Sendable {
        package var id: String
        /// The line of the earlier file; `nil` where that has no such event.
        package var oldLine: Int64?
        /// The place of the record in this archive; `nil` where this run has no such event.
        package var place: ReportFigures.Place?
        package var pair: Step
        package var rule: Step
        package var fields: [String]
        /// What examples are sorted by.
        var order: Int64
    }

    /// How many examples of each sort are kept.
    static let mostExamples = 20
    /// How many combinations of names are counted separately; an old file may hold anything.
    private static let mostNames = 2_000
    private static let longestName = 200

    /// Whether a run was compared with an earlier one.
    package internal(set) var isCompared = false
    /// The name of the earlier file.
    package internal(set) var path = ""
    package internal(set) var oldEvents = 0
    package internal(set) var newEvents = 0
    package internal(set) var same = 0
    package internal(set) var changed = 0
    package internal(set) var added = 0
    package internal(set) var gone = 0
    /// Lines of the earlier file that are not events of ours, and the first of them.
    package internal(set) var foreign = 0
    package internal(set) var firstForeign: Int64?
    /// Events of the earlier file by the version of the rules.
    private var versions: [String: Int] = [:]
    private var fieldCounts: [String: Int] = [:]
    private var ruleCounts: [Step: Int] = [:]
    private var answerCounts: [Answer: Int] = [:]
    private var addedSorts: [Sort: Int] = [:]
    private var goneSorts: [Sort: Int] = [:]
    package private(set) var changedExamples: [Example] = []
    package private(set) var addedExamples: [Example] = []
    package private(set) var goneExamples: [Example] = []

    package init() {}

    /// Begins the comparison with a file.
    package init(comparedWith path: String) {
        isCompared = true
        self.path = path
    }

    // MARK: Counting

    /// Takes note of a line of the earlier file.
    package mutating func noteOld(_ event: ComparedEvent?, line: Int64) {
        guard let event else {
            foreign += 1
            firstForeign = firstForeign ?? line
            return
        }
        oldEvents += 1
        Self.count(Self.short(event.rulesVersion ?? "(none)"), in: &versions, beyond: "(other)")
    }

    /// Takes note of an event that both runs have: at a line of the earlier one, at a place among the events of this.
    package mutating func note(
        _ old: (event: ComparedEvent, line: Int64), _ new: (event: ComparedEvent, order: Int64)
    ) {
        newEvents += 1
        let fields = new.event.fields(changedFrom: old.event)
        guard !fields.isEmpty else {
            same += 1
            return
        }
        changed += 1
        for field in fields { Self.count(Self.short(field), in: &fieldCounts, beyond: "(other)") }
        let rule = Step(old: Self.short(old.event.rule), new: Self.short(new.event.rule))
        let pair = Step(old: Self.short(old.event.pair), new: Self.short(new.event.pair))
        Self.count(rule, in: &ruleCounts, beyond: Step(old: "(other)", new: "(other)"))
        if pair.old != pair.new {
            let answer = Answer(type: Self.short(new.event.sourceType), step: pair)
            let beyond = Answer(type: "(other)", step: Step(old: "(other)", new: "(other)"))
            Self.count(answer, in: &answerCounts, beyond: beyond)
        }
        Self.keep(
            Example(
                id: Self.short(new.event.id), oldLine: old.line, place: new.event.place, pair: pair, rule: rule,
                fields: fields.prefix(20).map(Self.short), order: new.order), in: &changedExamples)
    }

    /// Takes note of an event that only this run has.
    package mutating func noteAdded(_ event: ComparedEvent, order: Int64) {
        newEvents += 1
        added += 1
        Self.count(Self.sort(event), in: &addedSorts, beyond: Self.otherSort)
        Self.keep(
            Example(
                id: Self.short(event.id), place: event.place, pair: Step(new: Self.short(event.pair)),
                rule: Step(new: Self.short(event.rule)), fields: [], order: order), in: &addedExamples)
    }

    /// Takes note of an event that only the earlier run has.
    package mutating func noteGone(_ event: ComparedEvent, line: Int64) {
        gone += 1
        Self.count(Self.sort(event), in: &goneSorts, beyond: Self.otherSort)
        Self.keep(
            Example(
                id: Self.short(event.id), oldLine: line, pair: Step(old: Self.short(event.pair)),
                rule: Step(old: Self.short(event.rule)), fields: [], order: line), in: &goneExamples)
    }

    private static func sort(_ event: ComparedEvent) -> Sort {
        Sort(kind: short(event.kind), disposition: short(event.disposition), rule: short(event.rule))
    }

    private static let otherSort = Sort(kind: "(other)", disposition: "(other)", rule: nil)

    private static func short(_ name: String?) -> String? { name.map { short($0) } }

    private static func short(_ name: String) -> String {
        name.utf8.count <= longestName ? name : String(name.prefix(longestName / 4)) + "…"
    }

    private static func count<Name: Hashable>(_ name: Name, in counts: inout [Name: Int], beyond other: Name) {
        counts[counts.count < mostNames || counts[name] != nil ? name : other, default: 0] += 1
    }

    /// Keeps the first ones, whatever order they come in.
    private static func keep(_ example: Example, in examples: inout [Example]) {
        if examples.count == mostExamples, let last = examples.last, last.order <= example.order { return }
        let place = examples.firstIndex { $0.order > example.order } ?? examples.count
        examples.insert(example, at: place)
        if examples.count > mostExamples { examples.removeLast() }
    }

    // MARK: Shown

    /// Events of the earlier file by the version of its rules, the largest first.
    package var rulesVersions: [ReportFigures.Count] { ReportFigures.Count.largestFirst(versions) }

    /// Changed events by field, the largest first; an event counts once for each of its fields.
    package var fields: [ReportFigures.Count] { ReportFigures.Count.largestFirst(fieldCounts) }

    /// Changed events by the rules that decided, the largest first.
    package var rules: [(step: Step, count: Int)] {
        ruleCounts.sorted { ($1.value, Self.name($0.key)) < ($0.value, Self.name($1.key)) }.map { ($0.key, $0.value) }
    }

    /// Changed pairs by what was received, the largest first.
    package var answers: [(answer: Answer, count: Int)] {
        func name(_ answer: Answer) -> String { (answer.type ?? "") + "\u{0}" + Self.name(answer.step) }
        return answerCounts.sorted { ($1.value, name($0.key)) < ($0.value, name($1.key)) }.map { ($0.key, $0.value) }
    }

    package var addedBySort: [(sort: Sort, count: Int)] { Self.sorts(addedSorts) }
    package var goneBySort: [(sort: Sort, count: Int)] { Self.sorts(goneSorts) }

    private static func name(_ step: Step) -> String { (step.old ?? "") + "\u{0}" + (step.new ?? "") }

    private static func sorts(_ counts: [Sort: Int]) -> [(sort: Sort, count: Int)] {
        func name(_ sort: Sort) -> String { "\(sort.kind)\u{0}\(sort.disposition)\u{0}\(sort.rule ?? "")" }
        return counts.sorted { ($1.value, name($0.key)) < ($0.value, name($1.key)) }.map { ($0.key, $0.value) }
    }
}
