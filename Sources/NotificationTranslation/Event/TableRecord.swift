/// A value that is written as a line of NDJSON or as a row of CSV, from one list of columns.
package protocol TableRecord: Sendable {
    /// The columns, in the order in which they are written.
    static var columns: [TableColumn<Self>] { get }
}

/// What a column of a table holds.
package enum ColumnKind: Sendable { case text, time, number, truth, list }

/// One cell of a table.
package enum Cell: Equatable, Sendable {
    case null
    case text(String)
    case time(EventTime)
    case number(Int64)
    case truth(Bool)
    case list([String])

    static func text(_ text: String?) -> Cell { text.map { .text($0) } ?? .null }
    static func time(_ time: EventTime?) -> Cell { time.map { .time($0) } ?? .null }
    static func number(_ number: Int64?) -> Cell { number.map { .number($0) } ?? .null }
    static func truth(_ truth: Bool?) -> Cell { truth.map { .truth($0) } ?? .null }

    /// The text of the cell in CSV, before quoting: lists are joined by a space, and null is empty.
    package var plainText: String {
        switch self {
        case .null: ""
        case .text(let text): text
        case .time(let time): time.description
        case .number(let number): String(number)
        case .truth(let truth): truth ? "true" : "false"
        case .list(let words): words.joined(separator: " ")
        }
    }

    package func appendJSON(to output: OutputBuffer) {
        switch self {
        case .null: output.append("null")
        case .text(let text): output.append(jsonString: text)
        case .time(let time): CivilTime.withText(time.milliseconds) { output.append(quoted: $0) }
        case .number(let number): output.append(decimal: number)
        case .truth(let truth): output.append(truth ? "true" : "false")
        case .list(let words): output.append(list: words) { output.append(jsonString: $0) }
        }
    }
}

/// A column of a table: its name, what it holds, and the cell of a row.
package struct TableColumn<Row: Sendable>: Sendable {
    package let name: String
    package let kind: ColumnKind
    package let cell: @Sendable (Row) -> Cell

    init(_ name: String, _ kind: ColumnKind, _ cell: @escaping @Sendable (Row) -> Cell) {
        self.name = name
        self.kind = kind
        self.cell = cell
    }
}

/// How the rows of a table are written.
package enum TableFormat: String, Sendable, CaseIterable { case ndjson, csv }

extension TableRecord {
    /// Appends the row as a line.
    package func append(_ format: TableFormat, to output: OutputBuffer) {
        // By index: a column that is copied for each cell costs 5 % of a table of small bodies.
        let columns = Self.columns
        for index in columns.indices {
            let cell = columns[index].cell(self)
            switch format {
            case .ndjson:
                output.append(index == 0 ? "{\"" : ",\"" as StaticString)
                output.append(columns[index].name)
                output.append("\":")
                cell.appendJSON(to: output)
            case .csv:
                if index > 0 { output.append(",") }
                Self.append(csv: cell.plainText, to: output)
            }
        }
        output.append(format == .ndjson ? "}\n" : "\n")
    }

    /// Appends the line of names that begins a CSV file.
    package static func appendHeader(to output: OutputBuffer) {
        output.append(columns.map(\.name).joined(separator: ","))
        output.append("\n")
    }

    private static func append(csv text: String, to output: OutputBuffer) {
        guard text.utf8.contains(where: { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }) else { return output.append(text) }
        output.append("\"")
        output.append(text.replacing("\"", with: "\"\""))
        output.append("\"")
    }
}
