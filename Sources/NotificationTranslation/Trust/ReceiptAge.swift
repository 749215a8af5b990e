/// How old a receipt may be, for a server that takes bodies as they come.
///
/// Apple makes the receipt seconds to some minutes before it sends the notification, and repeats a delivery that was not
/// answered after 6, 24 and 48 hours. So the limit cannot be minutes where repeated deliveries have to count. An archive
/// has no limit: nothing in it is new.
public struct ReceiptAge: Hashable, Sendable {
    /// The longest time since the receipt was made, in milliseconds; `nil` for any.
    package var longest: Int64?
    /// How far ahead of the clock a receipt may be, in milliseconds: clocks differ.
    package var tolerance: Int64

    /// A limit.
    ///
    /// - Parameters:
    ///   - longest: The longest time since the receipt was made, in milliseconds; `nil` for any.
    ///   - tolerance: How far ahead of the clock a receipt may be; five minutes if nothing is given.
    public init(longest: Int64?, tolerance: Int64 = 5 * 60 * 1000) {
        self.longest = longest
        self.tolerance = tolerance
    }

    /// Compares the creation date of a receipt with a clock.
    ///
    /// - Parameters:
    ///   - receipt: The receipt.
    ///   - now: The time now, in milliseconds since 1970.
    /// - Throws: `receipt.created-in-future`, `receipt.too-old`.
    public func check(_ receipt: AppReceipt, at now: Int64) throws(VerificationError) {
        let (age, overflows) = now.subtractingReportingOverflow(receipt.createdAt.milliseconds)
        guard !overflows, age >= 0 || age.magnitude <= UInt64(max(tolerance, 0)) else {
            throw VerificationError(.receiptInFuture)
        }
        if let longest, age > longest { throw VerificationError(.receiptTooOld) }
    }
}
