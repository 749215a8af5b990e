/// How old a receipt may be, for a server that takes bodies as they come.
///
/// Apple makes the receipt seconds to some minutes before it sends the notification. It sends one that was not answered
/// again, the last time 78 hours after the first, so the limit cannot be minutes where repeated deliveries have to count.
/// An archive has no limit: nothing in it is new.
public struct ReceiptAge: Hashable, Sendable {
    /// The longest time since the receipt was made, in milliseconds; `nil` for any.
    private var longest: Int64?
    /// How far ahead of the clock a receipt may be, in milliseconds: clocks differ.
    private var tolerance: Int64

    /// A limit.
    ///
    /// - Parameters:
    ///   - longest: The longest time since the receipt was made; `nil` for any.
    ///   - tolerance: How far ahead of the clock a receipt may be; five minutes if nothing is given.
    public init(longest: Duration?, tolerance: Duration = .seconds(5 * 60)) {
        self.longest = longest.map(Self.milliseconds)
        self.tolerance = Self.milliseconds(tolerance)
    }

    /// Whole milliseconds; the limits of the type where they do not fit.
    private static func milliseconds(_ duration: Duration) -> Int64 {
        Int64(clamping: duration.attoseconds / 1_000_000_000_000_000)
    }

    /// Compares the creation date of a receipt with the time now, in milliseconds since 1970.
    ///
    /// - Throws: `receipt.created-in-future`, `receipt.too-old`.
    package func check(_ receipt: AppReceipt, at now: Int64) throws(AuthenticityError) {
        let (age, overflows) = now.subtractingReportingOverflow(receipt.createdAt.milliseconds)
        guard !overflows, age >= 0 || age.magnitude <= UInt64(max(tolerance, 0)) else {
            throw AuthenticityError(.receiptInFuture)
        }
        if let longest, age > longest { throw AuthenticityError(.receiptTooOld) }
    }
}
