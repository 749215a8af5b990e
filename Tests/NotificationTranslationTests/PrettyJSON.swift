/// Lays a compact JSON text out for people: the order of the keys and every literal stay as they are.
///
/// Objects and arrays that hold no others stay on one line as long as they fit into it.
enum PrettyJSON {
    private static let width = 100

    /// The text over several lines, the last one ended too.
    static func text(_ compact: String) -> String {
        let bytes = Array(compact.utf8)
        var output: [UInt8] = []
        var at = 0
        value(bytes, &at, indent: 0, &output)
        output.append(0x0A)
        return String(decoding: output, as: UTF8.self)
    }

    private static func value(_ bytes: [UInt8], _ at: inout Int, indent: Int, _ output: inout [UInt8]) {
        guard bytes[at] == 0x7B || bytes[at] == 0x5B else { return scalar(bytes, &at, &output) }
        let close: UInt8 = bytes[at] == 0x7B ? 0x7D : 0x5D
        let isShort = isFlat(bytes, at)
        output.append(bytes[at])
        at += 1
        var isFirst = true
        while bytes[at] != close {
            if bytes[at] == 0x2C { at += 1 }
            if !isFirst { output.append(0x2C) }
            if !isShort { newLine(indent + 2, &output) } else if !isFirst { output.append(0x20) }
            isFirst = false
            if close == 0x7D {
                scalar(bytes, &at, &output)
                at += 1
                output += [0x3A, 0x20]
            }
            value(bytes, &at, indent: indent + 2, &output)
        }
        at += 1
        if !isShort { newLine(indent, &output) }
        output.append(close)
    }

    private static func newLine(_ indent: Int, _ output: inout [UInt8]) {
        output.append(0x0A)
        output += repeatElement(0x20, count: indent)
    }

    /// Copies a string, number or word.
    private static func scalar(_ bytes: [UInt8], _ at: inout Int, _ output: inout [UInt8]) {
        let start = at
        if bytes[at] == 0x22 {
            at += 1
            while bytes[at] != 0x22 { at += bytes[at] == 0x5C ? 2 : 1 }
            at += 1
        } else {
            while at < bytes.count, ![0x2C, 0x5D, 0x7D].contains(bytes[at]) { at += 1 }
        }
        output += bytes[start..<at]
    }

    /// Whether the object or array at a place is empty, or short and without others inside.
    private static func isFlat(_ bytes: [UInt8], _ start: Int) -> Bool {
        var at = start + 1
        while at < bytes.count, at - start < width {
            switch bytes[at] {
            case 0x7D, 0x5D: return true
            case 0x7B, 0x5B: return false
            case 0x22:
                at += 1
                while bytes[at] != 0x22 { at += bytes[at] == 0x5C ? 2 : 1 }
            default: break
            }
            at += 1
        }
        return false
    }
}
