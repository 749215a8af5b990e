/// A line of SQL that puts rows into a table, `INSERT INTO n VALUES (1,'{…}'),(2,'{…}');`, or a row on a line of its
/// own.
enum SQLRow {
    /// Whether a line is one.
    static func isRow(_ line: UnsafeRawBufferPointer) -> Bool {
        func begins(_ word: StaticString) -> Bool {
            line.count > word.utf8CodeUnitCount
                && (0..<word.utf8CodeUnitCount).allSatisfy { line[$0] & 0xDF == word.utf8Start[$0] & 0xDF }
        }
        if begins("INSERT ") || begins("REPLACE ") || begins("VALUES") { return true }
        guard line.count > 2, line[0] == 0x28, 0x30...0x39 ~= line[1] || line[1] == 0x27, let last = line.last else {
            return false
        }
        let end = last == 0x2C || last == 0x3B ? line[line.count - 2] : last
        return end == 0x29
    }

    /// The row that a part of a line is in, given the row that the part before it is in.
    static func row(around part: Range<Int>, after row: Range<Int>, in line: UnsafeRawBufferPointer) -> Range<Int> {
        if row.contains(part.lowerBound) { return row }
        var inText = part.lowerBound > 0 && line[part.lowerBound - 1] == 0x27
        var end = part.upperBound
        while end < line.count, inText || line[end] != 0x29 {
            if line[end] == 0x27 { inText.toggle() }
            end += 1
        }
        return row.upperBound..<end
    }
}
