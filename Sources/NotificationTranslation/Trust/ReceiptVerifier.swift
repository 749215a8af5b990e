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
