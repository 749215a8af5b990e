extension VerificationError {
    /// The closed list of refusals; the raw value is the code in rejects and messages.
    ///
    /// They are in the order in which they are looked for.
    package enum Reason: String, Hashable, Sendable, CaseIterable {
        // The text and its header.
        /// Longer than a signed payload may be.
        case tooLong = "jws.too-long"
        /// Not three parts of strict base64url with dots between them.
        case malformed = "jws.malformed"
        /// The header is not a strict JSON object.
        case badHeader = "jws.bad-header"
        /// A key appears twice in the header.
        case duplicateHeaderKey = "jws.duplicate-key"
        /// `alg` is not exactly ES256.
        case algorithm = "jws.algorithm"
        /// The header asks for extensions that must be understood.
        case criticalHeader = "jws.crit"
        /// The header has no `x5c`.
        case noChain = "jws.no-chain"
        /// `x5c` is not exactly three strings.
        case chainCount = "jws.chain-count"
        /// A string of `x5c` is not strict base64.
        case badBase64 = "jws.bad-base64"
        /// The signature has another length than the 64 bytes of ES256.
        case signatureLength = "jws.signature-length"

        // The payload's form, and the time it names.
        /// The payload is not a strict JSON object.
        case badPayload = "payload.malformed"
        /// A key appears twice in one object of the payload.
        case duplicatePayloadKey = "payload.duplicate-key"
        /// A field that is judged has another type than Apple's.
        case badField = "payload.bad-field"
        /// `signedDate` is not a whole number of milliseconds.
        case badSignedDate = "payload.bad-signed-date"
        /// `signedDate` is in the future.
        case signedInFuture = "payload.signed-in-future"

        // The certificates.
        /// An entry of `x5c` is not one whole DER certificate.
        case badCertificate = "x509.malformed"
        /// The chain does not lead to an accepted root.
        case untrustedRoot = "x509.untrusted-root"
        /// A certificate's signature was not made by its issuer.
        case certificateSignature = "x509.bad-signature"
        /// A certificate issued another without being an authority.
        case notAnAuthority = "x509.not-a-ca"
        /// More authorities below one than it allows.
        case pathLength = "x509.path-length"
        /// The authority's key is not for signing certificates.
        case authorityKeyUsage = "x509.ca-key-usage"
        /// A critical certificate extension that is not supported.
        case criticalExtension = "x509.critical-extension"
        /// A certificate was not valid yet at the time of signing.
        case notYetValid = "x509.not-yet-valid"
        /// A certificate was no longer valid at the time of signing.
        case expired = "x509.expired"
        /// A certificate is not valid now, and nothing in the payload says when it was signed.
        case notValidToday = "x509.not-valid-today"
        /// A key or digest too weak.
        case tooWeak = "x509.too-weak"
        /// A certificate does not keep to RFC 5280.
        case profile = "x509.profile"
        /// The chain fails for another reason.
        case chain = "x509.chain"
        /// The chain is not leaf, intermediate, root.
        case chainLength = "x509.chain-length"
        /// The leaf lacks Apple's mark of a receipt signer.
        case leafMark = "x509.leaf-mark"
        /// The intermediate lacks Apple's mark of a developer relations authority.
        case intermediateMark = "x509.intermediate-mark"
        /// The leaf's key is not on the curve P-256.
        case leafKey = "x509.leaf-key"
        /// The leaf is an authority.
        case leafIsAuthority = "x509.leaf-is-ca"
        /// The leaf's key is not for signing.
        case leafKeyUsage = "x509.leaf-key-usage"

        // The signature.
        /// The signature is not valid for these bytes.
        case signature = "jws.bad-signature"
        /// The caller's own verifier refused.
        case refused = "jws.refused"

        // What the payload says, compared with what is expected.
        /// A signed payload that is not a notification.
        case notANotification = "payload.not-a-notification"
        /// Another app's bundle id, or none.
        case bundleID = "payload.bundle-id"
        /// Another app's Apple id, or none.
        case appAppleID = "payload.app-apple-id"
        /// Another environment, or none.
        case environment = "payload.environment"
        /// An environment whose payloads Apple does not sign.
        case localEnvironment = "payload.local-environment"
        /// A part that was signed for another app than the notification around it.
        case partBundleID = "payload.part-bundle-id"
        /// A part of another environment than the notification around it.
        case partEnvironment = "payload.part-environment"
        /// Transaction and renewal info of different subscriptions.
        case partTransaction = "payload.part-transaction"

        // The app receipt in a version 1 body: its container, then what Apple signed.
        /// Longer than an app receipt may be.
        case receiptTooLong = "receipt.too-long"
        /// Not strict base64 in the standard alphabet.
        case receiptBase64 = "receipt.bad-base64"
        /// A receipt of the form before iOS 7, which is not read.
        case receiptOldForm = "receipt.old-form"
        /// Not strict DER: an indefinite, overlong or wrong length, or bytes that follow.
        case receiptNotDER = "receipt.not-der"
        /// DER of something else than the SignedData of an app receipt.
        case receiptMalformed = "receipt.malformed"
        /// Another version than 1.
        case receiptVersion = "receipt.version"
        /// The digest is not exactly one of SHA-1 and SHA-256.
        case receiptDigest = "receipt.digest"
        /// The signed content is absent or not plain data.
        case receiptContentType = "receipt.content-type"
        /// No certificates, or more than four.
        case receiptCertificates = "receipt.certificate-count"
        /// Revocation lists inside.
        case receiptRevocationLists = "receipt.crls"
        /// Not exactly one signer.
        case receiptSigners = "receipt.signer-count"
        /// Signed attributes, so that the signature covers something else than the content.
        case receiptSignedAttributes = "receipt.signed-attributes"
        /// Unsigned attributes.
        case receiptUnsignedAttributes = "receipt.unsigned-attributes"
        /// The signature is not of RSA.
        case receiptSignatureAlgorithm = "receipt.signature-algorithm"
        /// The signer's certificate is not inside, or inside twice.
        case receiptNoLeaf = "receipt.no-signer-certificate"
        /// The certificate of the signer's issuer is not inside.
        case receiptNoIntermediate = "receipt.no-intermediate"
        /// The system refuses SHA-1, which this receipt needs: it may well be genuine.
        case receiptSHA1 = "receipt.sha1-refused"
        /// The signature is not valid for the content.
        case receiptSignature = "receipt.bad-signature"
        /// The content is not a set of attributes.
        case receiptContent = "receipt.content"
        /// An attribute appears twice.
        case receiptDuplicate = "receipt.duplicate-attribute"
        /// An attribute's value has another type or form than Apple's.
        case receiptAttribute = "receipt.bad-attribute"
        /// No creation date.
        case receiptUndated = "receipt.no-creation-date"

        // What a receipt says, compared with the notification around it and with what is expected.
        /// A receipt of another environment, or of one whose receipts Apple does not sign.
        case receiptKind = "receipt.type"
        /// A receipt of another app.
        case receiptBundleID = "receipt.bundle-id"
        /// Created in the future.
        case receiptInFuture = "receipt.created-in-future"
        /// Created longer ago than is accepted.
        case receiptTooOld = "receipt.too-old"

        // What carries no signature.
        /// A signed payload, and no verifier to check it with.
        case noVerifier = "trust.no-verifier"
        /// A version 2 payload without its signature.
        case unsigned = "trust.unsigned"
        /// Version 1, and no secret is accepted for its app.
        case noSecret = "trust.no-secret"
        /// Version 1 without a password.
        case secretMissing = "trust.secret-missing"
        /// Version 1 with a password that is not accepted.
        case secretMismatch = "trust.secret-mismatch"
        /// Version 1 without an accepted secret, and its receipt does not cover the event.
        case noProof = "trust.no-proof"

        // The verifier itself.
        /// No cryptography to verify with.
        case unavailable = "verifier.unavailable"
        /// A root given to the verifier is not one whole self-signed DER certificate.
        case badRoot = "verifier.bad-root"
        /// A verifier without a root.
        case noRoots = "verifier.no-roots"
    }
}

extension VerificationError.Reason {
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
        case .badRoot: "not one whole self-signed DER certificate"
        case .noRoots: "no root certificate to trust"
        }
    }
}
