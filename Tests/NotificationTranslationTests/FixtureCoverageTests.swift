import Testing

@testable import NotificationTranslation

@Suite("The fixtures")
struct FixtureCoverageTests {
    /// Flags that are raised in code, not by a row of the table.
    private static let raisedInCode = [
        "TIME_LOWER_BOUND", "IDENTITY_WEAK", "LATE_DELIVERY", "UNKNOWN_V1_TYPE", "UNKNOWN_V2_TYPE", "FIELD_UNREADABLE",
        "TIME_RANGE", "TIME_FROM_END", "TIME_AFTER_RECEIPT", "TIME_AMBIGUOUS_HOUR", "SIGNED_TEXT_MISSING",
        "PLACES_DISAGREE", "UUID_SHARED", "VERSION_UNCERTAIN", "REFUND_PARTIAL",
        "RUNNING_PERIOD_UNKNOWN", "ACCESS_END_UNKNOWN", "SETTLED_BY_ANSWER", "ANSWER_CONTRADICTS",
    ]

    /// Every expected event, and the adjustments that applied to it, by the case; read once.
    private static let (answers, adjustments): ([Fixture: JSONTree], [Fixture: [String]]) = {
        var answers: [Fixture: JSONTree] = [:]
        var adjustments: [Fixture: [String]] = [:]
        for fixture in Fixture.all(in: "v1-to-v2") {
            let expected = try? JSONTree(try fixture.bytes("expected.json"))
            answers[fixture] = expected?["event"]
            adjustments[fixture] = names(expected?["adjustments"])
        }
        for fixture in Fixture.all(in: "timelines") {
            let events = (try? JSONTree(try fixture.bytes("expected.json")))?.elements ?? []
            let flags = events.flatMap(\.flags)
            let list = flags.map { "\"\($0)\"" }.joined(separator: ",")
            answers[fixture] = try? JSONTree(Array("{\"flags\":[\(list)]}".utf8))
        }
        for fixture in Fixture.all(in: "v2-to-event") {
            answers[fixture] = try? JSONTree(try fixture.bytes("expected.json"))
        }
        return (answers, adjustments)
    }()

    /// Names of a list in `expected.json`.
    private static func names(_ tree: JSONTree?) -> [String] { (tree?.elements ?? []).compactMap(\.string) }

    @Test("Fixtures exist for every kind", arguments: Fixture.tables.keys.sorted())
    func areThere(_ table: String) {
        #expect(!Fixture.all(in: table).isEmpty)
    }

    @Test("Fixtures show every rule at work, in a folder of its name", arguments: DecisionTable.current.rules.map(\.id))
    func coverRule(_ rule: String) {
        let isShown = Self.answers.contains {
            $0.key.name.starts(with: rule) && $0.value["source"]?["rule"]?.string == rule
        }
        #expect(isShown)
    }

    /// The rules that decided some event of a timeline, of its bodies alone.
    private static let reachedInTimelines = Set(
        Fixture.all(in: "timelines").flatMap { fixture in
            ((try? JSONTree(try fixture.bytes("expected.json")))?.elements ?? []).compactMap { $0["rule"]?.string }
        })

    /// Rules for facts that a person states: a timeline that shows the lapse sets `gap`, which an earlier rule asks.
    private static let statedOnly: Set = ["interactive-was-lapsed"]

    @Test(
        "Every rule is reached by bodies, without facts that a fixture states",
        arguments: DecisionTable.current.rules.map(\.id))
    func reachRule(_ rule: String) {
        let isReachedAlone = Self.answers.contains {
            $0.value["source"]?["rule"]?.string == rule && !$0.key.has("timeline.json")
        }
        #expect(isReachedAlone || Self.reachedInTimelines.contains(rule) || Self.statedOnly.contains(rule))
    }

    @Test(
        "Fixtures show every adjustment at work, in a folder of its name",
        arguments: DecisionTable.current.adjustments.map(\.id)
    )
    func coverAdjustment(_ adjustment: String) {
        let isShown = Self.adjustments.contains {
            $0.key.name.starts(with: adjustment) && $0.value.contains(adjustment)
        }
        #expect(isShown)
    }

    @Test("Fixtures show every flag", arguments: FlagTable.current.rows.map(\.flag))
    func coverFlag(_ flag: String) {
        let isShown = Self.answers.contains { $0.value.flags.contains(flag) }
        #expect(isShown || Self.raisedInShapes.contains(flag))
    }

    /// Flags that no event carries unless an option asks for it; the tests of shapes and of receipts show them.
    private static let raisedInShapes: Set<String> = [
        "ACCOUNT_TOKEN_DROPPED", "RECEIPT_CONTRADICTS_ROW", "TRANSACTION_NOT_IN_RECEIPT", "RECEIPT_OTHER_BUNDLE",
        "RECEIPT_OUTDATED", "RECEIPT_ROWS", "STATUS_BY_TIME", "STATUS_INFERRED", "STATUS_UNREPORTED",
    ]

    @Test("No flag is left that nothing raises", arguments: FlagTable.current.rows.map(\.flag))
    func flagIsRaised(_ flag: String) throws {
        let number = try #require(FlagTable.current.number(flag))
        let bit = FlagSet(number: number)
        let table = DecisionTable.current
        let isInTable =
            table.rules.contains { $0.flags.contains(bit) }
            || table.adjustments.contains { $0.flags.contains(bit) }
            || SilentTable.current.rules.contains { $0.flags.contains(bit) }
            || EventTable.current.pairs.contains { $0.flags.contains(bit) }
        #expect(isInTable || Self.raisedInCode.contains(flag) || Self.raisedInShapes.contains(flag))
    }

    @Test("An event whose access is undecided has a flag that says why")
    func undecidedHasFlag() {
        let silent = Self.answers.filter {
            $0.value["entitlement"]?.string == "undecided" && $0.value.flags.isEmpty
        }
        #expect(silent.keys.map(\.testDescription).sorted() == [])
    }

    @Test("Fixtures show every pair of version 2", arguments: EventTable.current.pairs.map(\.name))
    func coverPair(_ pair: String) {
        let isShown = Self.answers.contains { $0.value["v2"].map(Conversion.pair) == pair }
        #expect(isShown)
    }

    @Test("Fixtures are named for the rule, adjustment or flag they show", arguments: Fixture.all(in: "v1-to-v2"))
    func isNamedWell(_ fixture: Fixture) throws {
        let expected = try #require(Self.answers[fixture])
        let flags = expected.flags.map { $0.lowercased().replacing("_", with: "-") }
        let rule = expected["source"]?["rule"]?.string
        let shown = (Self.adjustments[fixture] ?? []) + flags + [rule].compactMap(\.self)
        let isNamedWell = shown.contains { fixture.name == $0 || fixture.name.starts(with: $0 + "-") }
        #expect(isNamedWell)
    }

    @Test("No fixture is missing where one was announced")
    func openOnesAreThere() {
        let all = Set(Fixture.tables.keys.flatMap(Fixture.all).map(\.testDescription))
        #expect(Fixture.open.keys.filter { !all.contains($0) } == [])
    }

    @Test("The fixtures hold no stray file")
    func noStrays() {
        // "archive" is what the README converts, "overlap" what it reports on, "signed" and "receipts" what the command
        // verifies.
        let others = ["archive", "overlap", "signed", "receipts", "README.md"]
        #expect(Fixture.names(in: "Fixtures").filter { Fixture.tables[$0] == nil && !others.contains($0) } == [])
        for (table, allowed) in Fixture.tables {
            for fixture in Fixture.all(in: table) {
                let files = fixture.files
                #expect(files.filter { !allowed.contains($0) } == [], "\(fixture)")
                #expect(files.contains("expected.json"), "\(fixture)")
                #expect(files.filter { $0.starts(with: "input.") }.count == 1, "\(fixture)")
            }
        }
    }
}
