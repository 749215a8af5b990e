/// Rows of scalars, found by row and slot; the result of the walk through a body.
///
/// Used again for every record, so that no record allocates once the largest was seen.
struct TextTable: Sendable {
    let width: Int
    private(set) var count = 0
    private var texts: [JSONText]

    init(width: Int, rows: Int = 8) {
        self.width = width
        texts = Swift.Array(repeating: .absent, count: width * rows)
    }

    subscript(row: Int, slot: Int) -> JSONText {
        get { texts[row &* width &+ slot] }
        set { texts[row &* width &+ slot] = newValue }
    }

    mutating func removeAll() { count = 0 }

    /// Begins a row of absent values and calls `fill` with its memory.
    mutating func addRow<Failure: Error>(
        _ fill: (UnsafeMutableBufferPointer<JSONText>) throws(Failure) -> Void
    ) throws(Failure) {
        if (count + 1) * width > texts.count {
            texts.append(contentsOf: repeatElement(.absent, count: max(texts.count, width)))
        }
        let begin = count * width
        count += 1
        let width = width
        try texts.withUnsafeMutableBufferPointer { (all) throws(Failure) in
            let row = UnsafeMutableBufferPointer(rebasing: all[begin..<begin + width])
            row.update(repeating: .absent)
            try fill(row)
        }
    }

    /// Appends a row of another table of the same width.
    mutating func append(_ row: Int, of other: TextTable) {
        addRow { texts in
            for slot in texts.indices { texts[slot] = other[row, slot] }
        }
    }

    /// Replaces every text that is there by its copy, and gives back the memory of rows that are not there.
    mutating func copyTexts(_ copy: (JSONText) -> JSONText) {
        texts = texts.prefix(count * width).map { $0.isAbsent ? .absent : copy($0) }
    }

    /// Takes the last row back.
    mutating func removeLastRow() { count -= 1 }
}
