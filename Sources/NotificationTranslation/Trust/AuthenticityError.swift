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
    public var description: String {
        path.isEmpty ? sentence : "\(path): \(sentence)"
    }

    /// The same refusal, of a part named `name`.
    func inside(_ name: String) -> AuthenticityError {
        AuthenticityError(reason, path: path.isEmpty ? name : "\(name).\(path)")
    }
}

extension AuthenticityError {
    /// The closed list of refusals; the raw value is the code in rejects and messages, ``sentence`` says what is wrong.
    ///
    /// They are in the order in which they are looked for.
    package enum Reason: String, Hashable, Sendable, CaseIterable {
        // The text and its header.
        case tooLong = "jws.too-long"
        case malformed = "jws.malformed"
        case badHeader = "jws.bad-header"
        case duplicateHeaderKey = "jws.duplicate-key"
        case algorithm = "jws.algorithm"
        case criticalHeader = "jws.crit"
        case noChain = "jws.no-chain"
        case chainCount = "jws.chain-count"
        case badBase64 = "jws.bad-base64"
        case signatureLength = "jws.signature-length"

        // The payload's form, and the time it names.
        case badPayload = "payload.malformed"
        case duplicatePayloadKey = "payload.duplicate-key"
        case badField = "payload.bad-field"
        case badSignedDate = "payload.bad-signed-date"
        case signedInFuture = "payload.signed-in-future"

        // The certificates.
        case badCertificate = "x509.malformed"
        case untrustedRoot = "x509.untrusted-root"
        case certificateSignature = "x509.bad-signature"
        case notAnAuthority = "x509.not-a-ca"
        case pathLength = "x509.path-length"
        case authorityKeyUsage = "x509.ca-key-usage"
        case criticalExtension = "x509.critical-extension"
        case notYetValid = "x509.not-yet-valid"
        case expired = "x509.expired"
        case notValidToday = "x509.not-valid-today"
        case tooWeak = "x509.too-weak"
        case profile = "x509.profile"
        case chain = "x509.chain"
        case chainLength = "x509.chain-length"
        case leafMark = "x509.leaf-mark"
        case intermediateMark = "x509.intermediate-mark"
        case leafKey = "x509.leaf-key"
        case leafIsAuthority = "x509.leaf-is-ca"
        case leafKeyUsage = "x509.leaf-key-usage"

        // The signature.
        case signature = "jws.bad-signature"
        /// The caller's own verifier refused.
        case refused = "jws.refused"

        // What the payload says, compared with what is expected.
        case notANotification = "payload.not-a-notification"
        case bundleID = "payload.bundle-id"
        case appAppleID = "payload.app-apple-id"
        case environment = "payload.environment"
        case localEnvironment = "payload.local-environment"
        case partBundleID = "payload.part-bundle-id"
        case partEnvironment = "payload.part-environment"
        case partTransaction = "payload.part-transaction"

        // The app receipt in a version 1 body: its container, then what Apple signed.
        case receiptTooLong = "receipt.too-long"
        case receiptBase64 = "receipt.bad-base64"
        case receiptOldForm = "receipt.old-form"
        case receiptNotDER = "receipt.not-der"
        case receiptMalformed = "receipt.malformed"
        case receiptVersion = "receipt.version"
        case receiptDigest = "receipt.digest"
        case receiptContentType = "receipt.content-type"
        case receiptCertificates = "receipt.certificate-count"
        case receiptRevocationLists = "receipt.crls"
        case receiptSigners = "receipt.signer-count"
        /// Signed attributes, so that the signature covers something else than the content.
        case receiptSignedAttributes = "receipt.signed-attributes"
        case receiptUnsignedAttributes = "receipt.unsigned-attributes"
        case receiptSignatureAlgorithm = "receipt.signature-algorithm"
        case receiptNoLeaf = "receipt.no-signer-certificate"
        case receiptNoIntermediate = "receipt.no-intermediate"
        /// The system refuses SHA-1, which this receipt needs: it may well be genuine.
        case receiptSHA1 = "receipt.sha1-refused"
        case receiptSignature = "receipt.bad-signature"
        case receiptContent = "receipt.content"
        case receiptDuplicate = "receipt.duplicate-attribute"
        case receiptAttribute = "receipt.bad-attribute"
        case receiptUndated = "receipt.no-creation-date"

        // What a receipt says, compared with the notification around it and with what is expected.
        case receiptKind = "receipt.type"
        case receiptBundleID = "receipt.bundle-id"
        case receiptInFuture = "receipt.created-in-future"
        case receiptTooOld = "receipt.too-old"

        // What carries no signature.
        case noVerifier = "trust.no-verifier"
        case unsigned = "trust.unsigned"
        case noSecret = "trust.no-secret"
        case secretMissing = "trust.secret-missing"
        case secretMismatch = "trust.secret-mismatch"
        case noProof = "trust.no-proof"

        // The verifier itself.
        case unavailable = "verifier.unavailable"
        /// The caller's own verifier cannot say now.
        case notNow = "verifier.temporarily-unavailable"
        case badRoot = "verifier.bad-root"
        case noRoots = "verifier.no-roots"
    }
}

extension AuthenticityError.Reason {
    /// One sentence for people.
    package var sentence: String {
        switch self {
        case .tooLong: "longer than a signed payload may be"
        case .malformed: "not three parts of base64url"
        case .badHeader: "the header is not a JSON object"
        case .duplicateHeaderKey: "the same key twice in the header"
        case .algorithm: "the algorithm is not ES256"
        case .criticalHeader: "the header demands an extension"
        case .noChain: "the header carries no certificate chain"
        case .chainCount: "the certificate chain does not have three entries"
        case .badBase64: "not base64"
        case .signatureLength: "the signature is not 64 bytes long"
        case .badPayload: "the payload is not a JSON object"
        case .duplicatePayloadKey: "the same key twice in one object of the payload"
        case .badField: "a field of the wrong type"
        case .badSignedDate: "not a whole number of milliseconds"
        case .signedInFuture: "signed in the future"
        case .badCertificate: "not one whole DER certificate"
        case .untrustedRoot: "the chain does not lead to an accepted root"
        case .certificateSignature: "the certificate was not signed by its issuer"
        case .notAnAuthority: "issued certificates without being an authority"
        case .pathLength: "more authorities than the certificate above allows"
        case .authorityKeyUsage: "the authority's key is not for signing certificates"
        case .criticalExtension: "unsupported critical certificate extension"
        case .notYetValid: "the certificate was not valid yet when the payload was signed"
        case .expired: "the certificate had expired when the payload was signed"
        case .notValidToday: "the certificate is not valid today, and the payload does not say when it was signed"
        case .tooWeak: "a key or digest that is too weak"
        case .profile: "the certificate does not follow RFC 5280"
        case .chain: "the certificate chain is not valid"
        case .chainLength: "the chain is not leaf, intermediate and root"
        case .leafMark: "the certificate is not marked for signing receipts"
        case .intermediateMark: "the certificate is not marked as Apple's developer authority"
        case .leafKey: "the key is not on the curve P-256"
        case .leafIsAuthority: "the signing certificate is an authority"
        case .leafKeyUsage: "the certificate's key is not for signatures"
        case .signature: "the signature is not valid for this payload"
        case .refused: "the verifier refused the payload"
        case .notANotification: "signed, but not a notification"
        case .bundleID: "not the expected bundle id"
        case .appAppleID: "not the expected app"
        case .environment: "not the expected environment"
        case .localEnvironment: "an environment whose payloads are not signed by Apple"
        case .partBundleID: "signed for another app than the notification around it"
        case .partEnvironment: "of another environment than the notification around it"
        case .partTransaction: "transaction and renewal info belong to different subscriptions"
        case .receiptTooLong: "longer than an app receipt may be"
        case .receiptBase64: "the receipt is not base64"
        case .receiptOldForm: "a receipt of the form before iOS 7, which is not supported"
        case .receiptNotDER: "the receipt is not strict DER"
        case .receiptMalformed: "not the SignedData of an app receipt"
        case .receiptVersion: "a version that app receipts do not have"
        case .receiptDigest: "the digest is not SHA-1 or SHA-256"
        case .receiptContentType: "the receipt holds no signed data"
        case .receiptCertificates: "the receipt does not have one to four certificates"
        case .receiptRevocationLists: "the receipt holds revocation lists"
        case .receiptSigners: "the receipt does not have exactly one signer"
        case .receiptSignedAttributes: "the receipt has signed attributes, which app receipts never have"
        case .receiptUnsignedAttributes: "the receipt has unsigned attributes, which app receipts never have"
        case .receiptSignatureAlgorithm: "the receipt is not signed with RSA"
        case .receiptNoLeaf: "the receipt does not have exactly one certificate of its signer"
        case .receiptNoIntermediate: "the receipt has no certificate of the signer's issuer"
        case .receiptSHA1: "this system refuses SHA-1, so the receipt cannot be checked"
        case .receiptSignature: "the signature is not valid for this receipt"
        case .receiptContent: "the content is not that of an app receipt"
        case .receiptDuplicate: "the same attribute twice in the receipt"
        case .receiptAttribute: "invalid value for this receipt attribute"
        case .receiptUndated: "the receipt has no creation date"
        case .receiptKind: "the receipt is of another environment"
        case .receiptBundleID: "the receipt is of another app"
        case .receiptInFuture: "the receipt was created in the future"
        case .receiptTooOld: "the receipt was created too long ago"
        case .noVerifier: "no verifier is set up for signed payloads"
        case .unsigned: "a version 2 payload without its signature"
        case .noSecret: "no shared secret is known for this app"
        case .secretMissing: "no shared secret in the body"
        case .secretMismatch: "not an accepted shared secret"
        case .noProof: "neither an accepted shared secret nor a receipt that covers the event"
        case .unavailable: "no libcrypto.so.3 or libcrypto.so.4 to verify signatures with"
        case .notNow: "the verifier cannot answer at the moment"
        case .badRoot: "not one whole self-signed DER certificate"
        case .noRoots: "no root certificate to trust"
        }
    }
}
