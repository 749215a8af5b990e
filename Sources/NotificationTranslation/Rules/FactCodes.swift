/// What Apple writes in a field, and which value of a fact that is: `codes` of the facts in `Mappings/v1-to-v2.json`.
///
/// The codes of all facts are in one list of values without references, as two of them are asked for in every record.
struct FactCodes: Sendable {
    private struct Code: Sendable {
        var value: Int
        var text: KeptText
        /// The code as a number, if it is one.
        var number: Int64?
    }

    private let codes: [Code]
    /// Where those of each fact are.
    private let places: [Range<Int>]
    /// Of each fact the value of all other codes, which the table writes `*`; -1 where they say nothing.
    private let others: [Int]

    /// The codes in the rows of a table's facts.
    init(_ facts: FactList, table file: String) throws {
        var codes: [Code] = []
        var others = [Int](repeating: -1, count: facts.rows.count)
        places = try facts.rows.enumerated().map { fact, row in
            let start = codes.count
            for (text, name) in row["codes"]?.members ?? [] {
                guard let value = facts.values[fact].firstIndex(where: name.says) else {
                    let problem = "code \"\(text)\" means \"\(name.characters)\", which is not a value of this fact"
                    throw TableError(table: file, row: facts.names[fact], problem: problem)
                }
                if text == "*" { others[fact] = value }
                codes.append(Code(value: value, text: KeptText(text), number: Int64(text)))
            }
            return start..<codes.count
        }
        self.codes = codes
        self.others = others
    }

    /// The codes of a fact in words: `1` is issue, any other is other; empty where there are none.
    func words(_ fact: Fact) -> String {
        codes[places[fact.index]].map { code in
            let text = code.text.text.string ?? ""
            return (text == "*" ? "any other" : "`\(text)`") + " is \(fact.values[code.value])"
        }.joined(separator: ", ")
    }

    /// The number of the value of a fact that a text in a body represents.
    func value(of fact: Fact, for text: JSONText, _ view: TextView) -> Int? {
        guard !text.isBlank else { return nil }
        // By place: an iterator would count a reference to the list.
        for place in places[fact.index] where view.same(text, codes[place].text.text) {
            return codes[place].value
        }
        return others[fact.index] < 0 ? nil : others[fact.index]
    }

    /// The same of a text that evidence keeps; `nil` also where the table names no such text.
    func value(of fact: Fact, for text: EventText) -> Int? {
        places[fact.index].first { codes[$0].text.text.hasSameBytes(as: text) }.map { codes[$0].value }
    }

    /// The number of the value of a fact that a number in a body represents.
    func value(of fact: Fact, forNumber number: Int64?) -> Int? {
        for place in places[fact.index] where codes[place].number != nil && codes[place].number == number {
            return codes[place].value
        }
        return others[fact.index] < 0 ? nil : others[fact.index]
    }

    /// Whether a `cancellation_reason` says that the customer had an issue with the app, which only a refund says.
    func isIssue(_ reason: Int64?) -> Bool {
        value(of: .revocationReason, forNumber: reason) == FactValue.Reason.issue.number
    }
}

extension V1Fields {
    /// Whether a row is of a purchase that is shared with a family member.
    func isShared(_ row: Int, _ view: TextView) -> Bool {
        DecisionTable.current.codes.value(of: .ownership, for: self[row: row, .inAppOwnershipType], view)
            == FactValue.Ownership.family.number
    }
}
