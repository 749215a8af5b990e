/// Says whether an app receipt was signed by Apple, and what it says.
///
/// `AppReceiptVerifier` of `PayloadVerification` is one.
public protocol ReceiptVerifier: Sendable {
    /// Verifies a receipt and reads it.
    ///
    /// Called from any number of threads at a time.
    ///
    /// - Parameter receipt: The base64 text as it is in a body, without escapes; valid only during the call.
    /// - Returns: What Apple signed.
    /// - Throws: ``AuthenticityError`` with the first thing that is wrong, never with a value of the receipt in it.
    func verify(_ receipt: RawSpan) throws(AuthenticityError) -> AppReceipt
}

extension ReceiptVerifier {
    /// Verifies the receipt that a version 1 body carries.
    ///
    /// That is `unified_receipt.latest_receipt`, else `latest_receipt`, else `latest_expired_receipt`; the receipt
    /// itself is not given out.
    ///
    /// ```swift
    /// let receipt = try verifier.receipt(in: body)
    /// ```
    ///
    /// - Parameter body: The body as posted.
    /// - Returns: What Apple signed; `nil` if the body has no receipt.
    /// - Throws: ``AuthenticityError`` with what is wrong with the receipt; `payload.malformed` or
    ///   `payload.duplicate-key` if the body is not a strict JSON object.
    public func receipt(in body: some Collection<UInt8>) throws(AuthenticityError) -> AppReceipt? {
        let object = try JSONTree(object: body, else: .badPayload, twice: .duplicatePayloadKey)
        let indices = [
            (object.member("unified_receipt")?.member("latest_receipt"), "unified_receipt.latest_receipt"),
            (object.member("latest_receipt"), "latest_receipt"),
            (object.member("latest_expired_receipt"), "latest_expired_receipt"),
        ]
        for case (let text?, let path) in indices where text.kind == .string && !text.range.isBlank {
            return try AuthenticityError.inside(path) { () throws(AuthenticityError) in
                try text.withCharacters { (text) throws(AuthenticityError) in try verify(text.bytes) }
            }
        }
        return nil
    }
}

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
