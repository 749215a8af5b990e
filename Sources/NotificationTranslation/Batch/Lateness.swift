/// How long after it happened a notification was received.
enum Lateness: Int, CaseIterable {
    /// The archive does not say when it was received.
    case notReceived
    /// Nothing but the time of receipt says when it happened.
    case timedByReceipt
    case before, minute, hour, day, threeDays, week, month, later

    init(_ event: inout EventDraft) {
        guard let received = event.source.receivedAt, let occurred = event.occurredAt else {
            self = .notReceived
            return
        }
        guard !Self.isReceipt(event.occurredAtBasis) else {
            self = .timedByReceipt
            return
        }
        self.init(minutes: (received - occurred) / 60_000, isBefore: received < occurred)
    }

    private init(minutes: Int64, isBefore: Bool) {
        switch minutes {
        case _ where isBefore: self = .before
        case 0: self = .minute
        case 1..<60: self = .hour
        case 60..<1440: self = .day
        case 1440..<4320: self = .threeDays
        case 4320..<10_080: self = .week
        case 10_080..<43_200: self = .month
        default: self = .later
        }
    }

    /// Whether a basis is the time of receipt: no other of its length begins like it.
    private static func isReceipt(_ basis: EventText) -> Bool {
        let bytes = basis.bytes
        return bytes.count == 11 && bytes[0] == UInt8(ascii: "r")
    }
}
