/// Reads what an app receipt says of itself, without verifying it.
///
/// `AppReceiptReader` of `PayloadVerification` is one.
public protocol ReceiptReader: Sendable {
    /// Reads a receipt.
    ///
    /// Called from any number of threads at a time.
    ///
    /// - Parameter receipt: The base64 text as it is in a body, without escapes; valid only during the call.
    /// - Returns: What it says, unverified.
    /// - Throws: ``AuthenticityError`` with the first thing that is wrong, never with a value of the receipt in it.
    func readUnverified(_ receipt: RawSpan) throws(AuthenticityError) -> UnverifiedReceipt
}
