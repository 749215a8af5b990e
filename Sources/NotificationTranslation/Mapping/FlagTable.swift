import Mappings

/// `Mappings/flags.json`: what each ambiguity flag means.
///
/// A flag's number is its place in the file.
struct FlagTable: Sendable {
    struct Row: Hashable, Sendable {
        var flag: String
        var severity: String
        var meaning: String
        var settles: String
    }

    /// Numbers of flags are bits of one word.
    static let capacity = 64

    let rows: [Row]
    private let numbers: [String: Int]

    /// The table of this build.
    static let current: FlagTable = Tables.required(Mappings.flags) { bytes throws(TableError) in
        try FlagTable(bytes)
    }

    init(_ bytes: [UInt8]) throws(TableError) {
        let file = "flags.json"
        let top = try TableRow(
            try Tables.tree(bytes, file), table: file, name: "", keys: ["version", "about", "flags"])
        var rows: [Row] = []
        var numbers: [String: Int] = [:]
        for tree in try top.trees("flags") {
            let row = try TableRow(
                tree, table: file, name: tree["flag"]?.string ?? "?",
                keys: ["flag", "severity", "meaning", "settles"])
            let flag = Row(
                flag: try row.string("flag"), severity: try row.string("severity"),
                meaning: try row.string("meaning"), settles: try row.string("settles"))
            guard ["ambiguous", "warning", "info"].contains(flag.severity) else { throw row.error("no such severity") }
            guard numbers.updateValue(rows.count, forKey: flag.flag) == nil else { throw row.error("twice") }
            rows.append(flag)
        }
        guard rows.count <= Self.capacity else {
            throw TableError(table: file, row: "", problem: "more than \(Self.capacity) flags")
        }
        self.rows = rows
        self.numbers = numbers
    }

    /// The number of a flag.
    func number(_ flag: String) -> Int? {
        numbers[flag]
    }
}

/// A set of flags by their numbers in ``FlagTable``.
struct FlagSet: OptionSet, Hashable, Sendable {
    var rawValue: UInt64

    /// The set of one flag of this build's table.
    init(_ flag: StaticString) {
        let number = FlagTable.current.number("\(flag)")
        rawValue = number.map { 1 << UInt64($0) } ?? 0
    }

    init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    /// The numbers of the flags in it, ascending.
    var numbers: [Int] {
        var numbers: [Int] = []
        var rest = rawValue
        while rest != 0 {
            numbers.append(rest.trailingZeroBitCount)
            rest &= rest &- 1
        }
        return numbers
    }

    static let timeLowerBound = FlagSet("TIME_LOWER_BOUND")
    static let identityWeak = FlagSet("IDENTITY_WEAK")
    static let lateDelivery = FlagSet("LATE_DELIVERY")
    static let unknownV1Type = FlagSet("UNKNOWN_V1_TYPE")
    static let unknownV2Type = FlagSet("UNKNOWN_V2_TYPE")
    static let partnerMissing = FlagSet("PARTNER_MISSING")
    static let decidedByStream = FlagSet("DECIDED_BY_STREAM")
    static let timeRange = FlagSet("TIME_RANGE")
    static let fieldUnreadable = FlagSet("FIELD_UNREADABLE")
}
