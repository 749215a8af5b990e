/// The memory that ranges belong to, and what can be asked of a range.
struct TextView {
    let memory: UnsafeRawPointer

    /// The bytes of a range as they stand, escapes not resolved.
    @inline(__always)
    func bytes(_ text: JSONText) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: memory + text.start, count: text.count)
    }

    /// Whether two ranges are the same characters.
    func same(_ one: JSONText, _ other: JSONText) -> Bool {
        if one.hasEscapes || other.hasEscapes {
            return KeyLog.characters(one, memory) == KeyLog.characters(other, memory)
        }
        return one.count == other.count && bytes(one).elementsEqual(bytes(other))
    }

    func same(_ text: JSONText, _ word: StaticString) -> Bool {
        text.count == word.utf8CodeUnitCount
            && bytes(text).elementsEqual(UnsafeRawBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
    }

    /// The characters of a range.
    func string(_ text: JSONText) -> String {
        text.hasEscapes
            ? String(decoding: KeyLog.characters(text, memory), as: UTF8.self)
            : String(decoding: bytes(text), as: UTF8.self)
    }

    /// V1's truth values: `true`, `"true"`, `1` and `"1"`, and their opposites; `nil` for anything else.
    func truth(_ text: JSONText) -> Bool? {
        guard !text.isBlank else { return nil }
        if same(text, "true") || same(text, "1") { return true }
        if same(text, "false") || same(text, "0") { return false }
        return nil
    }

    /// A whole number, written in digits or as a JSON number of any form; `nil` for anything else.
    func integer(_ text: JSONText) -> Int64? {
        text.isBlank ? nil : JSONNumber.rounded(bytes(text))
    }
}
