@testable import NotificationTranslation

extension ChunkOutput {
    /// Its lines, with the line numbers filled in; `nil` where what was spilled cannot be read back.
    func lines(isSpilled: Bool, _ number: (Int) -> Int) -> [UInt8]? {
        let written = Array(bytes.bytes)
        var filled: [UInt8] = []
        var from = 0
        for mark in lineMarks {
            filled += written[from..<mark.position]
            let number = Int64(number(mark.line))
            filled += isSpilled ? withUnsafeBytes(of: number.littleEndian, Array.init) : Array(String(number).utf8)
            from = mark.position
        }
        filled += written[from...]
        return isSpilled ? SpilledEvent.lines(filled) : filled
    }
}

extension SpilledEvent {
    /// The lines of spilled events, judged alone; `nil` where one is damaged.
    static func lines(_ events: [UInt8]) -> [UInt8]? {
        let output = OutputBuffer()
        var writer = CorrectedLineWriter()
        var tally = Tally()
        return events.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                guard let size = size(UnsafeRawBufferPointer(rebasing: rest)), size <= rest.count else { return nil }
                let event = UnsafeRawBufferPointer(rebasing: rest.prefix(size))
                let none = UnsafeRawBufferPointer(start: nil, count: 0)
                guard writer.write(spilled: event, none, into: output, tally: &tally) else { return nil }
                rest = rest.dropFirst(size)
            }
            return Array(output.bytes)
        }
    }
}
