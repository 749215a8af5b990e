import Mappings

/// `Mappings/flags.json`: what each ambiguity flag means.
///
/// A flag's number is its place in the file.
struct FlagTable: Sendable {
    struct Row: Sendable {
        let flag: String
        fileprivate let row: JSONTree
        var severity: String { row.prose("severity") }
        var meaning: String { row.prose("meaning") }
        var settles: String { row.prose("settles") }
    }

    /// Numbers of flags are bits of a ``FlagSet``.
    static var capacity: Int { FlagSet.RawValue.bitWidth }

    let rows: [Row]
    private let numbers: NameIndex

    /// The table of this build.
    static let current: FlagTable = Tables.required(Mappings.flags) { bytes throws(TableError) in
        try FlagTable(bytes)
    }

    init(_ bytes: [UInt8]) throws(TableError) {
        let file = "flags.json"
        let top = try TableRow(
            try Tables.tree(bytes, file), table: file, named: .fixed(""), keys: ["version", "about", "flags"])
        var rows: [Row] = []
        var numbers = NameIndex(count: Self.capacity)
        for tree in try top.trees("flags") {
            let row = try TableRow(
                tree, table: file, named: .member("flag"), keys: ["flag", "severity", "meaning", "settles"])
            let flag = try row.string("flag")
            let severity = try row.text("severity")
            try row.checkStrings("meaning", "settles")
            guard severity.says("ambiguous") || severity.says("warning") || severity.says("info") else {
                throw row.error("no such severity")
            }
            guard numbers.insert(flag, rows.count) else { throw row.error("listed twice") }
            rows.append(Row(flag: flag, row: tree))
        }
        guard rows.count <= Self.capacity else {
            throw TableError(table: file, row: "", problem: "more than \(Self.capacity) flags")
        }
        self.rows = rows
        self.numbers = numbers
    }

    /// The number of a flag.
    func number(_ flag: String) -> Int? {
        numbers.number(of: flag)
    }

    /// The number of a flag that a table names.
    func number(_ flag: JSONTree) -> Int? {
        numbers.number(of: flag)
    }

    /// The number of a flag that the code names.
    fileprivate func number(_ flag: StaticString) -> Int? {
        flag.withUTF8Buffer { numbers.number(of: $0) }
    }
}

/// A set of flags by their numbers in ``FlagTable``.
struct FlagSet: OptionSet, Hashable, Sendable {
    var rawValue: UInt128

    /// The set of one flag of this build's table.
    init(_ flag: StaticString) {
        self.init(number: FlagTable.current.number(flag))
    }

    /// The set of the flag with this number; empty if there is none.
    init(number: Int?) {
        rawValue = number.map { 1 << $0 } ?? 0
    }

    init(rawValue: UInt128) {
        self.rawValue = rawValue
    }

    /// The flags in it, by their numbers, ascending.
    struct Numbers: Sequence, IteratorProtocol {
        fileprivate var rest: UInt128

        mutating func next() -> Int? {
            guard rest != 0 else { return nil }
            defer { rest &= rest &- 1 }
            return rest.trailingZeroBitCount
        }
    }

    /// The numbers of the flags in it, ascending.
    var numbers: Numbers { Numbers(rest: rawValue) }

    static let timeLowerBound = FlagSet("TIME_LOWER_BOUND")
    static let timeFromEnd = FlagSet("TIME_FROM_END")
    static let timeAfterReceipt = FlagSet("TIME_AFTER_RECEIPT")
    static let timeAmbiguousHour = FlagSet("TIME_AMBIGUOUS_HOUR")
    static let identityWeak = FlagSet("IDENTITY_WEAK")
    static let lateDelivery = FlagSet("LATE_DELIVERY")
    static let unknownV1Type = FlagSet("UNKNOWN_V1_TYPE")
    static let unknownV2Type = FlagSet("UNKNOWN_V2_TYPE")
    static let partnerMissing = FlagSet("PARTNER_MISSING")
    static let decidedByStream = FlagSet("DECIDED_BY_STREAM")
    static let timeRange = FlagSet("TIME_RANGE")
    static let transactionNotLatest = FlagSet("TRANSACTION_NOT_LATEST")
    static let transactionUncertain = FlagSet("TRANSACTION_UNCERTAIN")
    static let runningPeriodUnknown = FlagSet("RUNNING_PERIOD_UNKNOWN")
    static let accessEndUnknown = FlagSet("ACCESS_END_UNKNOWN")
    static let accountTokenDropped = FlagSet("ACCOUNT_TOKEN_DROPPED")
    static let fieldUnreadable = FlagSet("FIELD_UNREADABLE")
    static let signedTextMissing = FlagSet("SIGNED_TEXT_MISSING")
    static let placesDisagree = FlagSet("PLACES_DISAGREE")
    static let uuidShared = FlagSet("UUID_SHARED")
    static let receiptContradictsRow = FlagSet("RECEIPT_CONTRADICTS_ROW")
    static let transactionNotInReceipt = FlagSet("TRANSACTION_NOT_IN_RECEIPT")
    static let receiptOtherBundle = FlagSet("RECEIPT_OTHER_BUNDLE")
    static let receiptOutdated = FlagSet("RECEIPT_OUTDATED")
    static let receiptRows = FlagSet("RECEIPT_ROWS")
    static let receiptDateUnproven = FlagSet("RECEIPT_DATE_UNPROVEN")
}
