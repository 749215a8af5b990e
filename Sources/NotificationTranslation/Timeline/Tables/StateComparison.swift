/// A team's own table of subscriptions, in the columns of ``SubscriptionState``, to be compared with the states.
package struct ComparedTable: Sendable {
    /// The columns of the file that are compared.
    package let columns: [String]
    /// Columns of the file that no state has.
    package let unknownColumns: [String]
    private var rows: [String: [Row]] = [:]

    /// One row, by the columns.
    private struct Row: Sendable {
        var environment: String?
        var bundleID: String?
        var cells: [Cell]
    }

    /// How many rows it has.
    package private(set) var count = 0
    /// How many rows have the id, the environment and the app of an earlier one, which alone is compared.
    package private(set) var repeated = 0

    /// Columns that are not compared: rows are matched by them, or they repeat what was asked for.
    private static let keys: Set = ["original_transaction_id", "environment", "schema_version", "at"]

    /// A table without rows; `names` are the columns of the file, in its order.
    ///
    /// - Returns: `nil` without a column `original_transaction_id`, and if two columns have the same name.
    package init?(columns names: [String]) {
        guard names.contains("original_transaction_id"), Set(names).count == names.count else { return nil }
        let known = Set(SubscriptionState.columns.map(\.name))
        columns = SubscriptionState.columns.map(\.name).filter { names.contains($0) && !Self.keys.contains($0) }
        unknownColumns = names.filter { !known.contains($0) }
    }

    /// Adds a row.
    ///
    /// - Parameter value: The text of a column, `nil` where the cell is empty or null.
    /// - Returns: The column whose value cannot be read, or that is missing; `nil` if all can.
    package mutating func add(_ value: (String) -> String?) -> String? {
        guard let id = value("original_transaction_id"), !id.isEmpty else { return "original_transaction_id" }
        var cells: [Cell] = []
        for column in SubscriptionState.columns where columns.contains(column.name) {
            guard let text = value(column.name), !text.isEmpty else {
                cells.append(.null)
                continue
            }
            guard let cell = Self.cell(column, text) else { return column.name }
            cells.append(cell)
        }
        var row = Row(bundleID: value("bundle_id"), cells: cells)
        if let text = value("environment"), !text.isEmpty {
            row.environment = Self.environments[text.lowercased()]
            if row.environment == nil { return "environment" }
        }
        let isRepeated = rows[id]?.contains { $0.environment == row.environment && $0.bundleID == row.bundleID }
        if isRepeated == true { repeated += 1 }
        rows[id, default: []].append(row)
        count += 1
        return nil
    }

    /// What a team writes for a value, as the state has it; `nil` for what cannot be read.
    private static func cell(_ column: TableColumn<SubscriptionState>, _ text: String) -> Cell? {
        let word = text.lowercased()
        switch column.kind {
        case .time:
            // A date without a time of day is kept as a text, and matches any time of that day.
            let time = EventTime.written(text)
            return text.utf8.count == "2006-01-02".utf8.count && text.contains("-") && time != nil
                ? .text(text) : time.map { .time($0) }
        case .truth: return truth(word).map { .truth($0) }
        case .number:
            if let number = Int64(text) { return .number(number) }
            switch column.name {
            case "status": return statuses[word].map { .number($0) }
            case "auto_renew_status", "price_increase_status": return truth(word).map { .number($0 ? 1 : 0) }
            default: return nil
            }
        case .list: return .list(text.split(separator: " ").map(String.init))
        case .text: return .text(text)
        }
    }

    private static let environments = [
        "production": "Production", "prod": "Production", "sandbox": "Sandbox", "xcode": "Xcode",
        "localtesting": "LocalTesting",
    ]

    private static let statuses: [String: Int64] = [
        "active": 1, "expired": 2, "billing_retry": 3, "in_billing_retry": 3, "billing_grace_period": 4, "grace": 4,
        "grace_period": 4, "in_grace_period": 4, "revoked": 5,
    ]

    private static func truth(_ word: String) -> Bool? {
        switch word {
        case "1", "true", "t", "yes", "y", "on", "active": true
        case "0", "false", "f", "no", "n", "off", "inactive", "expired": false
        default: nil
        }
    }

    // MARK: Differences

    /// The differences between a state and the row with its id, environment and app; if no row has its app, the first
    /// one with its id and environment.
    ///
    /// A state that is not known is not compared.
    package func differences(from state: SubscriptionState) -> [StateDifference] {
        guard state.certainty != .unknown else { return [] }
        let fitting = (rows[state.originalTransactionID] ?? []).filter { row in
            row.environment == nil || state.environment == nil || row.environment == state.environment
        }
        var difference = StateDifference(of: state)
        guard let row = fitting.first(where: { $0.bundleID == state.bundleID }) ?? fitting.first else {
            difference.accessLost = state.isEntitled == true
            difference.ours = .text(state.originalTransactionID)
            return [difference]
        }
        let gives = access(row, at: state.at)
        difference.accessLost = gives == false && state.isEntitled == true
        difference.accessGiven = gives == true && state.isEntitled == false
        var differences: [StateDifference] = []
        for column in SubscriptionState.columns {
            guard let index = columns.firstIndex(of: column.name) else { continue }
            let (shown, theirs) = (column.cell(state), row.cells[index])
            // As in the file, a blank is null.
            let ours = shown.plainText.utf8.allSatisfy { $0 <= 0x20 } ? .null : shown
            if ours == theirs || column.kind == .time && Self.isSameTime(ours, theirs) { continue }
            difference.field = column.name
            (difference.ours, difference.theirs) = (ours, theirs)
            differences.append(difference)
        }
        return differences
    }

    /// Whether two times agree to the precision of the table: a second, or a day.
    private static func isSameTime(_ ours: Cell, _ theirs: Cell) -> Bool {
        if case .text(let day) = theirs { return ours.plainText.hasPrefix(day) }
        guard case .time(let one) = ours, case .time(let other) = theirs else { return false }
        return 0..<1000 ~= one.milliseconds - other.milliseconds && other.milliseconds % 1000 == 0
    }

    /// Whether the table gives access; `nil` where its columns do not say.
    private func access(_ row: Row, at instant: EventTime?) -> Bool? {
        func cell(_ name: String) -> Cell? { columns.firstIndex(of: name).map { row.cells[$0] } }
        if let entitled = cell("entitled") { return entitled == .truth(true) }
        if let status = cell("status") { return status == .number(1) || status == .number(4) }
        guard let end = cell("access_until") ?? cell("expires_at"), let instant else { return nil }
        if case .text(let day) = end {
            return instant.description.hasPrefix(day) ? nil : day > instant.description
        }
        guard case .time(let until) = end else { return false }
        return until > instant
    }

    /// What a state and a row of a table are matched by: the original transaction id and the environment.
    static func key(_ id: String, _ environment: String?) -> String { id + " " + (environment ?? "") }

    /// The differences of the rows whose ids no state has in their environment.
    ///
    /// - Parameter known: The ``key(_:_:)`` of each state.
    /// - Returns: One for each row.
    package func differences(without known: Set<String>) -> [StateDifference] {
        rows.sorted { $0.key < $1.key }.flatMap { id, rows in
            rows.filter { row in
                let environments = row.environment.map { [$0] } ?? Array(Self.environments.values)
                return !known.contains(Self.key(id, nil)) && !environments.contains { known.contains(Self.key(id, $0)) }
            }.map { row in
                var difference = StateDifference(originalTransactionID: id)
                difference.theirs = .text(id)
                difference.accessGiven = access(row, at: nil) == true
                return difference
            }
        }
    }
}

/// One difference between our states and a team's table.
package struct StateDifference: TableRecord {
    package var originalTransactionID: String
    var field = "original_transaction_id"
    var ours = Cell.null
    var theirs = Cell.null
    var certainty: Certainty?
    var since: EventTime?
    /// The event that decided.
    var because: String?
    /// Whether our state gives access and the table does not, or the reverse.
    package var accessLost = false
    package var accessGiven = false

    /// Whether the two differ in whether the customer has access.
    var changesAccess: Bool { accessLost || accessGiven }

    init(originalTransactionID: String) { self.originalTransactionID = originalTransactionID }

    init(of state: SubscriptionState) {
        originalTransactionID = state.originalTransactionID
        certainty = state.certainty
        since = state.validFrom
        because = state.lastEventID
    }

    /// The columns in the order of the contract.
    package static let columns: [TableColumn<StateDifference>] = [
        .init("original_transaction_id", .text) { .text($0.originalTransactionID) },
        .init("field", .text) { .text($0.field) },
        .init("ours", .text) { $0.ours },
        .init("theirs", .text) { $0.theirs },
        .init("certainty", .text) { .text($0.certainty?.rawValue) },
        .init("since", .time) { .time($0.since) },
        .init("because", .text) { .text($0.because) },
        .init("access_lost", .truth) { .truth($0.accessLost) },
        .init("access_given", .truth) { .truth($0.accessGiven) },
    ]
}
