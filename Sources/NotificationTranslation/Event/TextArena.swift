/// Strings kept in memory of their own while an event is written from them.
final class TextArena {
    private var blocks: [UnsafeMutableRawBufferPointer] = []

    deinit {
        for block in blocks { block.deallocate() }
    }

    /// A text that was read back from evidence, where characters are as they are, escaped if JSON wants that.
    func keep(characters text: EventText) -> EventText {
        text.needsEscapes ? keep(text.string) : text
    }

    /// The text of a string, escaped as JSON wants it; absent for `nil`.
    func keep(_ text: String?) -> EventText {
        guard let text else { return .absent }
        let output = OutputBuffer(capacity: 64)
        JSONEscapes.escape(text, into: output)
        let block = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, output.count), alignment: 1)
        block.copyMemory(from: output.bytes)
        blocks.append(block)
        return EventText(
            UnsafeRawBufferPointer(start: block.baseAddress, count: output.count), hasEscapes: true)
    }
}
