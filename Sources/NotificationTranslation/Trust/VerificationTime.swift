import NotificationLibC

/// The time that a chain of certificates was judged at.
public struct VerificationTime: Hashable, Sendable {
    /// Where the time was taken from.
    @nonexhaustive
    public enum Basis: Hashable, Sendable {
        /// `signedDate` of the payload; of an app transaction, which has none, `receiptCreationDate`.
        case signedDate
        /// The latest such date of what is signed inside an undated notification, each part verified at its own date.
        case signedDateInside
        /// The time of the verified notification around an undated part.
        case signedDateAround
        /// The clock, as nothing names a time: neither the payload nor what is signed inside or around it.
        case now
    }

    /// Milliseconds since 1970.
    public var milliseconds: Int64
    /// Where the time was taken from.
    public var basis: Basis

    /// A time and where it was taken from.
    public init(milliseconds: Int64, basis: Basis) {
        self.milliseconds = milliseconds
        self.basis = basis
    }

    /// The system's time, in milliseconds since 1970; 0 where it has none, which makes every certificate not yet valid.
    public static func systemClock() -> Int64 {
        var time = timespec()
        guard clock_gettime(CLOCK_REALTIME, &time) == 0 else { return 0 }
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}
