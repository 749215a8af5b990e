/// Why a translation is ambiguous or on weak footing; `Mappings/flags.json` says what each means.
///
/// Those that a backend's own code asks for have constants; any other is a literal, `"HISTORY_MISSING"`.
public struct AmbiguityFlag: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible, OpenLiteral,
    ExpressibleByStringLiteral
{
    /// The flag as it is in the event.
    public var rawValue: String

    /// The flag of this name, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// This notification cannot be distinguished with certainty from another one that says the same: it is judged
    /// alone and has no time of its own, or its neighbours leave open whether it reports the same happening.
    public static let identityWeak = Self(rawValue: "IDENTITY_WEAK")
    /// The notification has no time of its own; it happened at this time or later.
    public static let timeLowerBound = Self(rawValue: "TIME_LOWER_BOUND")
    /// Only a range is known; `occurred_at` is its start.
    public static let timeRange = Self(rawValue: "TIME_RANGE")
    /// The notification gives, extends or keeps access to an auto-renewable subscription, but no end of that access
    /// is known, neither from it nor from the notifications in view.
    public static let accessEndUnknown = Self(rawValue: "ACCESS_END_UNKNOWN")
    /// An answer of Apple's (App Store Server API, or verifyReceipt) decides something of the event, or fills in what
    /// version 1 never carries, such as the price.
    public static let settledByAnswer = Self(rawValue: "SETTLED_BY_ANSWER")

    /// The flags this build knows, in the order of the table.
    package static var allKnown: [AmbiguityFlag] { FlagTable.current.rows.map { AmbiguityFlag(rawValue: $0.flag) } }

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

    private var row: FlagTable.Row? { FlagTable.current.number(rawValue).map { FlagTable.current.rows[$0] } }
}

extension FlagSet {
    /// The flags by their names, in the order of the table.
    var names: [AmbiguityFlag] { numbers.map { AmbiguityFlag(rawValue: FlagTable.current.rows[$0].flag) } }
}
