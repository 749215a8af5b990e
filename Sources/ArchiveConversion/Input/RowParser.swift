/// Takes rows apart, one field after the other; for first bytes, where speed does not matter.
struct RowParser {
    let delimiter: UInt8
    let quoting: TableLayout.Quoting

    /// The first row of some bytes; `nil` if it does not end in them.
    mutating func row(in bytes: ArraySlice<UInt8>, isWhole: Bool) -> (fields: [[UInt8]], end: Int, isBroken: Bool)? {
        var fields: [[UInt8]] = []
        var field: [UInt8] = []
        var at = bytes.startIndex
        while true {
            guard at < bytes.endIndex else {
                guard isWhole else { return nil }
                fields.append(field)
                return (fields, at, false)
            }
            let byte = bytes[at]
            if byte == 0x0A || byte == 0x0D && at + 1 < bytes.endIndex && bytes[at + 1] == 0x0A {
                fields.append(field)
                return (fields, byte == 0x0A ? at + 1 : at + 2, false)
            }
            at += 1
            if byte == delimiter {
                fields.append(field)
                field = []
            } else if byte == 0x22, field.isEmpty, quoting != .none {
                let isClosed = quoted(bytes, &at, &field)
                if !isClosed, !isWhole { return nil }
                guard isClosed, at == bytes.endIndex || [delimiter, 0x0A, 0x0D].contains(bytes[at]) else {
                    // As the splitter has it: the row ends with its first line.
                    let end = bytes.firstIndex(of: 0x0A).map { $0 + 1 } ?? bytes.endIndex
                    return ([], end, true)
                }
            } else {
                field.append(byte)
            }
        }
    }

    /// Takes a field in quotes up to after the last of them; false if that is not there.
    private func quoted(_ bytes: ArraySlice<UInt8>, _ at: inout Int, _ field: inout [UInt8]) -> Bool {
        while at < bytes.endIndex {
            let byte = bytes[at]
            at += 1
            if byte == 0x22 {
                guard at < bytes.endIndex, bytes[at] == 0x22 else { return true }
                at += 1
            } else if byte == 0x5C, quoting == .backslash, at < bytes.endIndex {
                field.append(bytes[at])
                at += 1
                continue
            }
            field.append(byte)
        }
        return false
    }
}
