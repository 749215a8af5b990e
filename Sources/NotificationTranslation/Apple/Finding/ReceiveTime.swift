/// When a server received a notification, as far as something around it says.
package struct ReceiveTime: Equatable, Sendable {
    /// Milliseconds since 1970.
    package var milliseconds: Int64
    /// Whether the text named its zone; a time without one is read as UTC, and counted.
    package var hasZone = true

    package init(milliseconds: Int64, hasZone: Bool = true) {
        (self.milliseconds, self.hasZone) = (milliseconds, hasZone)
    }
}

/// Where the times of arrival of records come from.
package enum ReceivedAt: Hashable, Sendable {
    /// From the envelope, wherever it names one.
    case auto
    /// From no field: events have no time of arrival.
    case none
    /// From the time when the file was last changed: archives with one body per file.
    case modificationTime
    /// From one place in each record: the reference tokens of a JSON pointer.
    case pointer([String])
}
