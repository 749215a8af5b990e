import NotificationLibC

/// The memory that ranges belong to, and what can be asked of a range.
struct TextView {
    let memory: UnsafeRawPointer

    /// The bytes of a range as they are, escapes not resolved.
    func bytes(_ text: JSONText) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: memory + text.start, count: text.count)
    }

    /// Whether two ranges are the same characters.
    func same(_ one: JSONText, _ other: JSONText) -> Bool { one.hasSameCharacters(as: other, in: memory) }

    /// Whether a range is the characters of a word of ours.
    func same(_ text: JSONText, _ name: EventText) -> Bool {
        guard let start = name.bytes.baseAddress, name.bytes.count == text.count else { return false }
        return memcmp(memory + text.start, start, text.count) == 0
    }

    /// Whether one row of a table comes after another by the bytes of their slots, those from a slot on first; `nil`
    /// for rows that hold the same.
    func comesAfter(_ table: TextTable, _ one: Int, _ other: Int, from slot: Int = 0) -> Bool? {
        for place in 0..<table.width {
            let slot = (place + slot) % table.width
            let (first, second) = (bytes(table[one, slot]), bytes(table[other, slot]))
            if second.lexicographicallyPrecedes(first) { return true }
            if first.lexicographicallyPrecedes(second) { return false }
        }
        return nil
    }

    /// The characters of a range.
    func string(_ text: JSONText) -> String {
        text.withCharacters(in: memory) { String(decoding: $0, as: UTF8.self) }
    }

    /// V1's truth values: `true`, `"true"`, `1` and `"1"`, and their opposites; `nil` for anything else.
    func truth(_ text: JSONText) -> Bool? {
        switch text.count {
        case 1: same(text, "1") ? true : same(text, "0") ? false : nil
        case 4: same(text, "true") ? true : nil
        case 5: same(text, "false") ? false : nil
        default: nil
        }
    }

    /// A whole number, written in digits or as a JSON number of any form; `nil` for anything else.
    func integer(_ text: JSONText) -> Int64? {
        text.isBlank ? nil : JSONNumber.rounded(bytes(text))
    }

    /// Whether a text begins as an object or array does.
    func holdsJSON(_ text: JSONText) -> Bool {
        guard !text.isBlank else { return false }
        let first = bytes(text).first { $0 > 0x20 }
        return first == 0x7B || first == 0x5B
    }
}
