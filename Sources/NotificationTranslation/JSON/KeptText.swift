/// A text that is kept for the life of the process: names of a table that many events repeat.
struct KeptText: @unchecked Sendable {
    private let storage: UnsafeRawBufferPointer

    init(_ text: String) {
        var text = text
        storage = text.withUTF8 { bytes in
            let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, bytes.count), alignment: 1)
            memory.copyMemory(from: UnsafeRawBufferPointer(bytes))
            return UnsafeRawBufferPointer(start: memory.baseAddress, count: bytes.count)
        }
    }

    var text: EventText { EventText(storage) }
}
