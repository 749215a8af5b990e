/// Where in a record a fault is, for people: keys that are known, indexes, and `?` for every other key.
///
/// Worked out only when a record has failed, by a second look at the bytes before the fault; the scanner itself keeps
/// no path. Keys are data too, so unknown ones are not repeated.
enum FaultPath {
    private static let tables = [
        V1Keys.root, V1Keys.unified, V1Keys.row, V1Keys.pending, V2Keys.data, V2Keys.transaction, V2Keys.renewal,
        V2Keys.appTransaction, Envelope.keys,
    ]

    /// The path of the byte at `offset` in the text from `start` to `end`; empty for the text itself.
    ///
    /// If the fault is at the opening quote of a key, the path ends with that key; inside a key, with the enclosing object.
    static func path(_ memory: UnsafeRawPointer, from start: Int, to offset: Int, end: Int) -> String {
        // An object with the key that is read, or an array with the index of an element.
        var levels: [(key: String, index: Int?)] = []
        var at = start
        var expectsKey = false
        func byte() -> UInt8 { memory.load(fromByteOffset: at, as: UInt8.self) }
        while at < offset, levels.count <= JSONWalker.deepest {
            switch byte() {
            case 0x7B:
                levels.append(("", nil))
                expectsKey = true
            case 0x5B:
                levels.append(("", 0))
                expectsKey = false
            case 0x7D, 0x5D:
                _ = levels.popLast()
            case 0x2C:
                if let index = levels.last?.index {
                    levels[levels.count - 1].index = index + 1
                } else {
                    expectsKey = true
                }
            case 0x22:
                let begin = at + 1
                at += 1
                while at < offset, byte() != 0x22 { at += byte() == 0x5C ? 2 : 1 }
                if at >= offset { break }
                if expectsKey, let last = levels.last, last.index == nil {
                    levels[levels.count - 1].key = known(memory, begin, at)
                    expectsKey = false
                }
            default:
                break
            }
            at += 1
        }
        if expectsKey, let last = levels.indices.last {
            let close = UnsafeRawBufferPointer(start: memory, count: end).offset(of: 0x22, from: offset + 1)
            levels[last].key = at == offset ? close.map { known(memory, offset + 1, $0) } ?? "" : ""
        }
        return levels.reduce("") { path, level in
            if let index = level.index { return "\(path)[\(index)]" }
            return path.isEmpty || level.key.isEmpty ? path + level.key : "\(path).\(level.key)"
        }
    }

    private static func known(_ memory: UnsafeRawPointer, _ start: Int, _ end: Int) -> String {
        let key = JSONText(start, end, escaped: false)
        let names = tables.lazy.map { ($0, slot: $0.slot(of: key, memory)) }
        return names.first { $0.slot >= 0 }.map { $0.name($1) } ?? "?"
    }
}

extension NotificationError {
    /// The error of a text that is not JSON.
    init(_ fault: JSONFault, in memory: UnsafeRawPointer, from start: Int, to end: Int) {
        self.init(
            code: Code(rawValue: fault.code.code),
            path: FaultPath.path(memory, from: start, to: min(fault.offset, end), end: end),
            offset: max(0, fault.offset - start),
            sentence: fault.code.sentence)
    }
}
