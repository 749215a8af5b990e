extension TrustPolicy {
    /// Judges a signed notification, and everything signed inside it.
    ///
    /// - Parameters:
    ///   - signedPayload: The compact JWS as received, the value of `signedPayload`.
    ///   - payload: Gets the payload that was judged, decoded, if it is accepted.
    /// - Returns: ``Authenticity/verified``; ``Authenticity/unverified`` only where the policy says so.
    /// - Throws: ``AuthenticityError``: nothing of the payload may be used.
    package func authenticity(
        ofSignedPayload signedPayload: UnsafeRawBufferPointer, payload: OutputBuffer? = nil
    ) throws(AuthenticityError) -> Authenticity {
        if checksNothing {
            guard let payload else { return .unverified }
            guard let signed = SignedPayload(signedPayload), SignedPayload.decode(signed.payload, into: payload) else {
                throw AuthenticityError(.malformed, path: "signedPayload")
            }
            return .unverified
        }
        guard verifier != nil || trustsUnproven else { throw AuthenticityError(.noVerifier) }
        let jws = try CompactJWS(signedPayload, as: .notification)
        let time = try verify(jws, inside: nil)
        let claims = try jws.readClaims()
        guard claims.isNotification else { throw AuthenticityError(.notANotification) }
        if claims.identities.isEmpty { try expected.check(PayloadClaims.Identity()) }
        for identity in claims.identities {
            try AuthenticityError.inside(identity.path) { () throws(AuthenticityError) in try expected.check(identity) }
        }
        try judgeParts(of: jws, claims, verifiedAt: time)
        jws.payload.withUnsafeBytes { payload?.append($0) }
        return verifier == nil || expected.isLocal ? .unverified : .verified
    }

    /// Judges a transaction or renewal info that Apple signed in an answer of its App Store Server API, which says of itself
    /// what is `around` it, and returns its payload.
    ///
    /// - Throws: ``AuthenticityError``: nothing of it may be used.
    func payload(
        ofSignedAnswer text: UnsafeRawBufferPointer, as kind: SignedPayloadKind, in around: PayloadClaims.Identity
    ) throws(AuthenticityError) -> [UInt8] {
        let jws = try CompactJWS(text, as: kind)
        guard !checksNothing else { return jws.payload }
        guard verifier != nil || trustsUnproven else { throw AuthenticityError(.noVerifier) }
        _ = try verify(jws, inside: nil)
        for identity in try jws.readClaims().identities { try judge(identity, of: kind, in: [around]) }
        return jws.payload
    }

    /// Judges a version 2 payload that came without its signature, by what it says, where the policy takes such ones.
    ///
    /// - Throws: `trust.unsigned`, or what is not as expected.
    package func authenticity(ofUnsigned said: PayloadClaims.Identity) throws(AuthenticityError) -> Authenticity {
        guard trustsUnproven else { throw AuthenticityError(.unsigned) }
        try expected.check(said)
        return .unverified
    }

    /// Judges a version 1 body by the secret in it.
    ///
    /// - Parameters:
    ///   - password: The value of `password`, unescaped; `nil` if the body has none.
    ///   - bundleID: The value of `bid`, `nil` if the body has none.
    ///   - environment: The value of `environment`, as received.
    /// - Returns: ``Authenticity/sharedSecret``, or ``Authenticity/unverified`` where the policy says so, or where the
    ///   receipt still has to be judged; see ``ReceiptJudge``.
    /// - Throws: `trust.secret-mismatch`, `trust.secret-missing`, `trust.no-secret`, or what is not as expected.
    package func authenticity(
        ofPassword password: UnsafeRawBufferPointer?, bundleID: String?, environment: String?
    ) throws(AuthenticityError) -> Authenticity {
        var authenticity = Authenticity.unverified
        switch secrets?.compare(password, bundleID: bundleID) ?? .noSecret {
        case .accepted: authenticity = .sharedSecret
        case .mismatch: throw AuthenticityError(.secretMismatch, path: "password")
        case .missing: if !trustsUnproven, !needsReceipt { throw AuthenticityError(.secretMissing, path: "password") }
        case .noSecret:
            // No secret is known for the app in `bid`, or none at all.
            let path = secrets == nil ? "" : "bid"
            if !trustsUnproven, !needsReceipt { throw AuthenticityError(.noSecret, path: path) }
        }
        try expected.check(.init(bundleID: bundleID, environment: environment), comparesApp: false)
        return authenticity
    }

    /// Checks signature and chain of one JWS, where there is something to check with: the time they were judged at.
    private func verify(
        _ jws: CompactJWS, inside notification: VerificationTime?
    ) throws(AuthenticityError) -> VerificationTime? {
        // One that takes a JWS that was cut into parts already.
        if !expected.isLocal, let verifier = verifier as? any CompactJWSVerifier {
            return try verifier.verify(jws, inside: notification)
        }
        let time = expected.isLocal ? nil : try verifier?.verify(jws.text.bytes, as: jws.kind)
        try jws.checkSignatureLength()
        return time
    }

    /// Judges each JWS inside a notification, and whether they belong to it and to each other.
    private func judgeParts(
        of jws: CompactJWS, _ claims: PayloadClaims, verifiedAt time: VerificationTime?
    ) throws(AuthenticityError) {
        var originalTransactionID: String?
        _ = try jws.mapParts { (part) throws(AuthenticityError) in
            _ = try verify(part, inside: time)
            let said = try part.readClaims()
            for identity in said.identities { try judge(identity, of: part.kind, in: claims.identities) }
            guard let found = said.originalTransactionID else { return }
            guard originalTransactionID == nil || originalTransactionID == found else {
                throw AuthenticityError(.partTransaction, path: "originalTransactionId")
            }
            originalTransactionID = found
        }
    }

    /// Compares what a part says with what is expected and with what the notification around it says.
    ///
    /// Renewal info has no `bundleId` and a transaction no `appAppleId`; both have `environment` since February 2022
    /// only, and before that the notification around them, whose signature covers them, says it for them. Everything
    /// else has to be there if it is expected.
    private func judge(
        _ part: PayloadClaims.Identity, of kind: SignedPayloadKind, in notification: [PayloadClaims.Identity]
    ) throws(AuthenticityError) {
        let around = kind == .appTransaction ? nil : notification.lazy.compactMap(\.environment).first
        var said = part
        said.environment = part.environment ?? around
        if kind == .transaction || kind == .appTransaction {
            try expected.check(said, comparesApp: kind == .appTransaction)
        } else {
            try expected.check(said.environment.map(NotificationEnvironment.init(rawValue:)))
        }
        for whole in notification {
            if let inner = part.bundleID, let outer = whole.bundleID, inner != outer {
                throw AuthenticityError(.partBundleID, path: "bundleId")
            }
            if let inner = part.environment, let outer = whole.environment, inner != outer {
                throw AuthenticityError(.partEnvironment, path: "environment")
            }
        }
    }
}
