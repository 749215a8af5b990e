/// Why a translation is ambiguous or on weak footing; `Mappings/flags.json` says what each means.
public struct AmbiguityFlag: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible, OpenName {
    /// The flag as it is in the event.
    public var rawValue: String

    /// The flag of this name, known or not.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The flags this build knows, in the order of the table.
    public static var allKnown: [AmbiguityFlag] {
        FlagTable.current.rows.map { AmbiguityFlag(rawValue: $0.flag) }
    }

    /// How much a flag weighs.
    @nonexhaustive
    public enum Severity: String, Hashable, Sendable, CaseIterable {
        /// It leaves more than one pair possible.
        case ambiguous
        /// The answer is on weak footing, or something in the body is wrong.
        case warning
        /// It says how the answer was found.
        case info
    }

    /// How much it weighs; `nil` for a flag this build does not know.
    public var severity: Severity? { row.flatMap { Severity(rawValue: $0.severity) } }

    /// What it means, in a sentence.
    public var meaning: String? { row?.meaning }

    /// What would settle it, in a sentence.
    public var settles: String? { row?.settles }

    private var row: FlagTable.Row? {
        FlagTable.current.number(rawValue).map { FlagTable.current.rows[$0] }
    }
}

extension FlagSet {
    /// The flags by their names, in the order of the table.
    var names: [AmbiguityFlag] { numbers.map { AmbiguityFlag(rawValue: FlagTable.current.rows[$0].flag) } }
}
