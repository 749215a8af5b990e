@testable import NotificationArchives
@testable import NotificationTranslation

extension ChunkOutput {
    /// Its lines; `nil` where what was spilled cannot be read back.
    func lines(isSpilled: Bool) -> [UInt8]? {
        let written = Array(bytes.bytes)
        return isSpilled ? SpilledEvent.lines(written) : written
    }
}

extension SpilledEvent {
    /// The lines of spilled events, judged alone, each read and written again; `nil` where one is damaged.
    static func lines(_ events: [UInt8]) -> [UInt8]? {
        var writer = CorrectedLineWriter()
        writer.report = ReportTally()
        return events.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                guard let size = size(UnsafeRawBufferPointer(rebasing: rest)), size <= rest.count else { return nil }
                let event = UnsafeRawBufferPointer(rebasing: rest.prefix(size))
                let none = UnsafeRawBufferPointer(start: nil, count: 0)
                guard writer.write(spilled: event, none) else { return nil }
                rest = rest.dropFirst(size)
            }
            return Array(writer.output.bytes)
        }
    }
}
