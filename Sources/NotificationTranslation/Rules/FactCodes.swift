/// What Apple writes in a field, and which value of a fact that is: `codes` of a fact in `Mappings/v1-to-v2.json`.
struct FactCodes: Sendable {
    private var texts: [(code: KeptText, value: Int)] = []
    private var numbers: [(code: Int64, value: Int)] = []
    /// The value of all other codes, which the table writes `*`; `nil` where they say nothing.
    private var other: Int?

    /// The codes of a fact's row; of a row without them there are none.
    init(_ tree: JSONTree, _ values: [String], table file: String) throws(TableError) {
        guard let codes = tree.member("codes") else { return }
        var parts = codes.parts
        while let code = parts.next(), let name = parts.next() {
            guard let value = values.firstIndex(where: name.says) else {
                throw TableError(
                    table: file, row: tree.prose("fact"),
                    problem:
                        "code \"\(code.characters)\" stands for \"\(name.characters)\", which is not a value of the fact"
                )
            }
            let text = code.characters
            if text == "*" { other = value }
            if let number = Int64(text) { numbers.append((number, value)) }
            texts.append((KeptText(text), value))
        }
    }

    /// The codes in words: `1` is issue, any other is other; empty where there are none.
    func words(_ values: [String]) -> String {
        texts.map { code in
            let text = code.code.text.string ?? ""
            return (text == "*" ? "any other" : "`\(text)`") + " is \(values[code.value])"
        }.joined(separator: ", ")
    }

    /// The number of the value that a text stands for.
    func value(of text: JSONText, _ view: TextView) -> Int? {
        guard !text.isBlank else { return nil }
        for known in texts where view.same(text, known.code.text) { return known.value }
        return other
    }

    /// The number of the value that a code stands for, however it is written.
    func value(ofNumber number: Int64?) -> Int? {
        numbers.first { $0.code == number }?.value ?? other
    }
}

extension V1Fields {
    /// Whether a row is of a purchase that is shared with a family member.
    func isShared(_ row: Int, _ view: TextView) -> Bool {
        DecisionTable.current.codes(of: .ownership).value(of: self[row: row, .inAppOwnershipType], view)
            == FactValue.Ownership.family.rawValue
    }
}
