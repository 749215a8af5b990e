public import NotificationTranslation

/// Reads what an app receipt says of itself, without verifying it: its form is checked as strictly as that of a receipt
/// that is verified, its signature and certificates are not.
///
/// It needs no `libcrypto`. See `TrustPolicy/readingReceiptDates(with:)`.
public struct AppReceiptReader: ReceiptReader {
    /// A reader.
    public init() {}

    /// Reads a receipt.
    ///
    /// - Parameter receipt: The base64 text as it is in a body, without escapes.
    /// - Returns: What it says, unverified.
    /// - Throws: `AuthenticityError` with the first thing that is wrong with its form.
    public func readUnverified(_ receipt: RawSpan) throws(AuthenticityError) -> UnverifiedReceipt {
        try receipt.withUnsafeBytes { (text) throws(AuthenticityError) in
            let der = try ReceiptContainer.der(base64: text)
            return try UnverifiedReceipt(der, in: try ReceiptContainer(der).content)
        }
    }
}
