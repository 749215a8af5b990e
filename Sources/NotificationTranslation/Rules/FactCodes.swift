/// What Apple writes in a field, and which value of a fact that is: `codes` of the facts in `Mappings/v1-to-v2.json`.
struct FactCodes: Sendable {
    private struct Code: Sendable {
        var value: Int
        var text: KeptText
        var number: Int64?
        /// Whether it is that of all other codes, which the table writes `*`.
        var isAnyOther: Bool
    }

    /// Of each fact its codes, in the order of the table.
    private let codes: [[Code]]

    /// The codes in the rows of a table's facts.
    init(_ facts: FactList, table file: String) throws {
        codes = try facts.rows.enumerated().map { fact, row in
            try (row["codes"]?.members ?? []).map { text, name in
                guard let value = facts.values[fact].firstIndex(where: name.says) else {
                    let problem = "code \"\(text)\" means \"\(name.characters)\", which is not a value of this fact"
                    throw TableError(table: file, row: facts.names[fact], problem: problem)
                }
                return Code(value: value, text: KeptText(text), number: Int64(text), isAnyOther: text == "*")
            }
        }
    }

    private func value(of fact: Fact, where isMeant: (Code) -> Bool) -> Int? {
        (codes[fact.index].first(where: isMeant) ?? codes[fact.index].first(where: \.isAnyOther))?.value
    }

    /// The number of the value of a fact that a text in a body represents.
    func value(of fact: Fact, for text: JSONText, _ view: TextView) -> Int? {
        text.isBlank ? nil : value(of: fact) { view.same(text, $0.text.text) }
    }

    /// The same of a text that evidence keeps; `nil` also where the table names no such text.
    func value(of fact: Fact, for text: EventText) -> Int? {
        codes[fact.index].first { $0.text.text.hasSameBytes(as: text) }?.value
    }

    /// The number of the value of a fact that a number in a body represents.
    func value(of fact: Fact, forNumber number: Int64?) -> Int? {
        value(of: fact) { $0.number != nil && $0.number == number }
    }

    /// Whether a `cancellation_reason` says that the customer had an issue with the app, which only a refund says.
    func isIssue(_ reason: Int64?) -> Bool {
        value(of: .revocationReason, forNumber: reason) == FactValue.Reason.issue.rawValue
    }
}

extension V1Fields {
    /// Whether a row is of a purchase that is shared with a family member.
    func isShared(_ row: Int, _ view: TextView) -> Bool {
        DecisionTable.current.codes.value(of: .ownership, for: self[row: row, .inAppOwnershipType], view)
            == FactValue.Ownership.family.rawValue
    }
}
