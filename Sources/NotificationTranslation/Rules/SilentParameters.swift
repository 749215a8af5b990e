extension SilentTable {
    /// The constants of `parameters` in `Mappings/silent-events.json`, in milliseconds; those that rules of single
    /// notifications have too, such as the length of billing retry, are in the parameters of ``DecisionTable``.
    struct Parameters: Sendable {
        /// How far a renewal may begin from the end of the period before.
        var atBoundary: Int64
        /// How long before a period begins the store may charge for it.
        var chargedAhead: Int64
        /// How long after the first body that shows a cancellation every body shows it.
        var shownWithin: Int64
        var shownWithinSandbox: Int64
        /// Of each constant its name, value, meaning and source, for people.
        let rows: [(name: String, value: Int64, meaning: String, source: String)]

        init(_ tree: JSONTree, table: String) throws(TableError) {
            let row = try TableRow(
                tree, table: table, named: .fixed("parameters"),
                keys: [
                    "at_boundary_ms", "charged_ahead_ms", "shown_within_ms", "shown_within_sandbox_ms",
                ])
            var rows: [(name: String, value: Int64, meaning: String, source: String)] = []
            func number(_ key: StaticString) throws(TableError) -> Int64 {
                guard let value = row[key]?.member("value")?.integer,
                    let meaning = row[key]?.member("meaning")?.string, let source = row[key]?.member("source")?.string
                else { throw row.error("\(key) is not a number with a meaning and a source") }
                rows.append(("\(key)", value, meaning, source))
                return value
            }
            atBoundary = try number("at_boundary_ms")
            chargedAhead = try number("charged_ahead_ms")
            shownWithin = try number("shown_within_ms")
            shownWithinSandbox = try number("shown_within_sandbox_ms")
            self.rows = rows
        }
    }
}
