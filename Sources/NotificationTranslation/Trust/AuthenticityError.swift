/// Why a notification is not believed: one reason of a closed list, and the part of it that showed it.
///
/// Never holds a value of the notification. Whatever throws this has refused; nothing that was refused may be used.
public struct AuthenticityError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong; ``code`` is its name.
    package var reason: Reason
    /// The part that showed it: `data.signedTransactionInfo.x5c[1]`, empty for the notification as a whole.
    ///
    /// Made of Apple's names and indexes only.
    public var path: String

    /// The error that your own verifier throws for a payload that it rejects.
    public static let refused = AuthenticityError(.refused)

    /// The error that your own verifier throws while it cannot say, as when a service that it asks is down.
    ///
    /// Its cause is ``NotificationError/Cause/unavailable``: answer 503, and Apple sends the notification again.
    public static let temporarilyUnavailable = AuthenticityError(.notNow)

    /// A refusal, and the part that showed it, without any value.
    package init(_ reason: Reason, path: String = "") {
        self.reason = reason
        self.path = path
    }

    /// One sentence for people, the same for every refusal with this code.
    public var sentence: String { reason.sentence }

    /// The path, if any, and the sentence.
    public var description: String { path.isEmpty ? sentence : "\(path): \(sentence)" }

    /// The same refusal, of a part named `name`.
    func inside(_ name: String) -> AuthenticityError {
        AuthenticityError(reason, path: path.isEmpty ? name : "\(name).\(path)")
    }

    /// What `body` returns; what it refuses is a part named `name`.
    static func inside<Value>(
        _ name: String, _ body: () throws(AuthenticityError) -> Value
    ) throws(AuthenticityError) -> Value {
        do throws(AuthenticityError) {
            return try body()
        } catch {
            throw error.inside(name)
        }
    }

    /// The closed list of refusals: their codes in rejects and messages, and what is wrong.
    ///
    /// They are in the order in which they are looked for.
    package enum Reason: String, Hashable, Sendable, ExplainedWord {
        // The text and its header.
        case tooLong = "jws.too-long: longer than a signed payload may be"
        case malformed = "jws.malformed: not three parts of base64url"
        case badHeader = "jws.bad-header: the header is not a JSON object"
        case duplicateHeaderKey = "jws.duplicate-key: the same key twice in the header"
        case algorithm = "jws.algorithm: the algorithm is not ES256"
        case criticalHeader = "jws.crit: the header demands an extension"
        case noChain = "jws.no-chain: the header carries no certificate chain"
        case chainCount = "jws.chain-count: the certificate chain does not have three entries"
        case badBase64 = "jws.bad-base64: not base64"
        case signatureLength = "jws.signature-length: the signature is not 64 bytes long"

        // The payload's form, and the time it names.
        case badPayload = "payload.malformed: the payload is not a JSON object"
        case duplicatePayloadKey = "payload.duplicate-key: the same key twice in one object of the payload"
        case badField = "payload.bad-field: a field of the wrong type"
        case badSignedDate = "payload.bad-signed-date: not a whole number of milliseconds"
        case signedInFuture = "payload.signed-in-future: signed in the future"

        // The certificates.
        case badCertificate = "x509.malformed: not one whole DER certificate"
        case untrustedRoot = "x509.untrusted-root: the chain does not lead to an accepted root"
        case certificateSignature = "x509.bad-signature: the certificate was not signed by its issuer"
        case notAnAuthority = "x509.not-a-ca: issued certificates without being an authority"
        case pathLength = "x509.path-length: more authorities than the certificate above allows"
        case authorityKeyUsage = "x509.ca-key-usage: the authority's key is not for signing certificates"
        case criticalExtension = "x509.critical-extension: unsupported critical certificate extension"
        case notYetValid = "x509.not-yet-valid: the certificate was not valid yet when the payload was signed"
        case expired = "x509.expired: the certificate had expired when the payload was signed"
        case notValidToday = """
            x509.not-valid-today: the certificate is not valid today, and the payload does not say when it was \
            signed
            """
        case tooWeak = "x509.too-weak: a key or digest that is too weak"
        case profile = "x509.profile: the certificate does not follow RFC 5280"
        case chain = "x509.chain: the certificate chain is not valid"
        case chainLength = "x509.chain-length: the chain is not leaf, intermediate and root"
        case leafMark = "x509.leaf-mark: the certificate is not marked for signing receipts"
        case intermediateMark = "x509.intermediate-mark: the certificate is not marked as Apple's developer authority"
        case leafKey = "x509.leaf-key: the key is not on the curve P-256"
        case leafIsAuthority = "x509.leaf-is-ca: the signing certificate is an authority"
        case leafKeyUsage = "x509.leaf-key-usage: the certificate's key is not for signatures"

        // The signature.
        case signature = "jws.bad-signature: the signature is not valid for this payload"
        /// The caller's own verifier refused.
        case refused = "jws.refused: the verifier refused the payload"

        // What the payload says, compared with what is expected.
        case notANotification = "payload.not-a-notification: signed, but not a notification"
        case bundleID = "payload.bundle-id: not the expected bundle id"
        case appAppleID = "payload.app-apple-id: not the expected app"
        case environment = "payload.environment: not the expected environment"
        case localEnvironment = "payload.local-environment: an environment whose payloads are not signed by Apple"
        case partBundleID = "payload.part-bundle-id: signed for another app than the notification around it"
        case partEnvironment = "payload.part-environment: of another environment than the notification around it"
        case partTransaction = """
            payload.part-transaction: transaction and renewal info belong to different subscriptions
            """

        // The app receipt in a version 1 body: its container, then what Apple signed.
        case receiptTooLong = "receipt.too-long: longer than an app receipt may be"
        case receiptBase64 = "receipt.bad-base64: the receipt is not base64"
        case receiptOldForm = "receipt.old-form: a receipt of the form before iOS 7, which is not supported"
        case receiptNotDER = "receipt.not-der: the receipt is not strict DER"
        case receiptMalformed = "receipt.malformed: not the SignedData of an app receipt"
        case receiptVersion = "receipt.version: a version that app receipts do not have"
        case receiptDigest = "receipt.digest: the digest is not SHA-1 or SHA-256"
        case receiptContentType = "receipt.content-type: the receipt holds no signed data"
        case receiptCertificates = "receipt.certificate-count: the receipt does not have one to four certificates"
        case receiptRevocationLists = "receipt.crls: the receipt holds revocation lists"
        case receiptSigners = "receipt.signer-count: the receipt does not have exactly one signer"
        /// Signed attributes, so that the signature covers something else than the content.
        case receiptSignedAttributes = """
            receipt.signed-attributes: the receipt has signed attributes, which app receipts never have
            """
        case receiptUnsignedAttributes = """
            receipt.unsigned-attributes: the receipt has unsigned attributes, which app receipts never have
            """
        case receiptSignatureAlgorithm = "receipt.signature-algorithm: the receipt is not signed with RSA"
        case receiptNoLeaf = """
            receipt.no-signer-certificate: the receipt does not have exactly one certificate of its signer
            """
        case receiptNoIntermediate = "receipt.no-intermediate: the receipt has no certificate of the signer's issuer"
        /// The system refuses SHA-1, which this receipt needs: it may well be genuine.
        case receiptSHA1 = "receipt.sha1-refused: this system refuses SHA-1, so the receipt cannot be checked"
        case receiptSignature = "receipt.bad-signature: the signature is not valid for this receipt"
        case receiptContent = "receipt.content: the content is not that of an app receipt"
        case receiptDuplicate = "receipt.duplicate-attribute: the same attribute twice in the receipt"
        case receiptAttribute = "receipt.bad-attribute: invalid value for this receipt attribute"
        case receiptUndated = "receipt.no-creation-date: the receipt has no creation date"

        // What a receipt says, compared with the notification around it and with what is expected.
        case receiptKind = "receipt.type: the receipt is of another environment"
        case receiptBundleID = "receipt.bundle-id: the receipt is of another app"
        case receiptInFuture = "receipt.created-in-future: the receipt was created in the future"
        case receiptTooOld = "receipt.too-old: the receipt was created too long ago"

        // What carries no signature.
        case noVerifier = "trust.no-verifier: no verifier is set up for signed payloads"
        case unsigned = "trust.unsigned: a version 2 payload without its signature"
        case noSecret = "trust.no-secret: no shared secret is known for this app"
        case secretMissing = "trust.secret-missing: no shared secret in the body"
        case secretMismatch = "trust.secret-mismatch: not an accepted shared secret"
        case noProof = "trust.no-proof: neither an accepted shared secret nor a receipt that covers the event"

        // The verifier itself.
        case unavailable = "verifier.unavailable: no libcrypto.so.3 or libcrypto.so.4 to verify signatures with"
        /// The caller's own verifier cannot say now.
        case notNow = "verifier.temporarily-unavailable: the verifier cannot answer at the moment"
        case badRoot = "verifier.bad-root: not one whole self-signed DER certificate"
        case noRoots = "verifier.no-roots: no root certificate to trust"
    }
}
