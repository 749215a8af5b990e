import NotificationMappings

/// `Mappings/flags.json`: what each ambiguity flag means.
///
/// A flag's number is its index in the file.
package struct FlagTable: Sendable {
    struct Row: Sendable {
        let flag: String
        /// The flag as events have it.
        let text: KeptText
        fileprivate let row: JSONTree
        var severity: String { row.prose("severity") }
        var meaning: String { row.prose("meaning") }
        var settles: String { row.prose("settles") }
    }

    /// Numbers of flags are bits of a ``FlagSet``.
    package static var capacity: Int { FlagSet.RawValue.bitWidth }

    let rows: [Row]
    private let numbers: [String: Int]

    static let current = Tables.required { try FlagTable(Array(Mappings.flags.bytes)) }

    init(_ bytes: [UInt8]) throws {
        let top = try TableRow(file: "flags.json", bytes)
        try top.prose("version", "about")
        var numbers: [String: Int] = [:]
        rows = try top.rows("flags", naming: "flag") { row in
            let flag = try row.string("flag")
            guard numbers.updateValue(numbers.count, forKey: flag) == nil else { throw row.error("listed twice") }
            guard try ["ambiguous", "warning", "info"].contains(row.string("severity")) else {
                throw row.error("no such severity")
            }
            try row.prose("meaning", "settles")
            return Row(flag: flag, text: KeptText(flag), row: row.tree)
        }
        try top.finish()
        guard rows.count <= Self.capacity else { throw top.error("more than \(Self.capacity) flags") }
        self.numbers = numbers
    }

    func number(_ flag: String) -> Int? { numbers[flag] }
}
