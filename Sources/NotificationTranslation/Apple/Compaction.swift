/// Copies the scalars a notification consists of into memory of its own, a few hundred bytes of a body of many
/// thousand, so that the body can go.
struct Compaction {
    private(set) var bytes: [UInt8] = [0]

    /// Copies every range of a table and makes it point to the copy.
    mutating func take(_ table: inout TextTable, from memory: UnsafeRawPointer) {
        for row in 0..<table.count {
            for slot in 0..<table.width where !table[row, slot].isAbsent {
                table[row, slot] = take(table[row, slot], from: memory)
            }
        }
        table.shrink()
    }

    /// Copies one range.
    mutating func take(_ text: JSONText, from memory: UnsafeRawPointer) -> JSONText {
        guard !text.isAbsent else { return .absent }
        let start = bytes.count
        bytes.append(contentsOf: UnsafeRawBufferPointer(start: memory + text.start, count: text.count))
        return JSONText(start, bytes.count, escaped: text.hasEscapes)
    }
}
