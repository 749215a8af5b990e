import NotificationTranslation

extension NegativeCase {
    /// Forgeries around notifications without a date of their own, which are judged at the date of what is signed inside.
    static let early: [NegativeCase] = [
        .early("a genuine part in a notification that a stranger signed", .certificateSignature, "x5c[1]") { early in
            early.transaction = try early.transaction()
            early.chain = try ForgedChain()
        },
        Self("a genuine part in a notification that nobody signed", .algorithm, "alg") { trusted in
            var early = try EarlyNotification(below: trusted)
            early.transaction = try early.transaction()
            var token = early.token
            token.algorithm = "\"none\""
            return token.signingInput + "."
        },
        Self("a genuine part in a notification signed with another key", .signature) { trusted in
            var early = try EarlyNotification(below: trusted)
            early.transaction = try early.transaction()
            var token = early.token
            token.key = try SigningKey(.p256)
            return try token.text()
        },
        Self("a genuine part put in place of another", .signature) { trusted in
            var early = try EarlyNotification(below: trusted)
            early.transaction = try early.transaction()
            let honest = early.token
            early.transaction = try early.transaction(id: "2000")
            return try honest.text(withPayload: early.token.payload)
        },
        .early("an old genuine part around which a later leaf signed", .notYetValid, "x5c[0]") { early in
            early.transaction = try early.transaction()
            early.chain = try EarlyNotification.chain(
                below: early.trusted, from: "20250101000000Z", to: "20280101000000Z")
        },
        .early("a new genuine part around which an expired leaf signed", .expired, "x5c[0]") { early in
            let today = try EarlyNotification.chain(
                below: early.trusted, from: "20250101000000Z", to: "20280101000000Z")
            let payload = Token.transaction(signedDate: EarlyNotification.late)
            early.transaction = try Token(today, payload: payload).text()
        },
        .early("an old and a new part around which an expired leaf signed", .expired, "x5c[0]") { early in
            early.transaction = try early.transaction()
            let today = try EarlyNotification.chain(
                below: early.trusted, from: "20250101000000Z", to: "20280101000000Z")
            early.renewal = try Token(today, payload: Token.renewal(signedDate: EarlyNotification.late)).text()
        },
        .early("a part dated after its leaf expired", .expired, "data.signedTransactionInfo.x5c[0]") {
            $0.transaction = try $0.transaction(signedDate: EarlyNotification.late)
        },
        .early("a part dated before its leaf", .notYetValid, "data.signedTransactionInfo.x5c[0]") {
            $0.transaction = try $0.transaction(signedDate: 1_600_000_000_000)
        },
        .early("a part dated before all certificates", .notYetValid, "data.signedRenewalInfo.x5c[2]") {
            $0.renewal = try $0.renewal(signedDate: 0)
        },
        .early("a part dated in the future", .signedInFuture, "data.signedTransactionInfo.signedDate") {
            $0.transaction = try $0.transaction(signedDate: Token.now + 300_001)
        },
        .early("a part dated as late as a number can be", .signedInFuture, "data.signedRenewalInfo.signedDate") {
            early in
            early.transaction = try early.transaction()
            early.renewal = try early.renewal(signedDate: .max)
        },
        .early("a date without a signature that fits", .signature, "data.signedTransactionInfo") { early in
            let honest = try early.transaction().split(separator: ".")
            let other = Token.base64URL(Array(Token.transaction(id: "1", signedDate: EarlyNotification.made).utf8))
            early.transaction = "\(honest[0]).\(other).\(honest[2])"
        },
        .early("a date in a part that a stranger signed", .certificateSignature, "data.signedRenewalInfo.x5c[1]") {
            early in
            early.transaction = try early.transaction()
            let stranger = try ForgedChain()
            early.renewal = try Token(stranger, payload: Token.renewal(signedDate: EarlyNotification.made)).text()
        },
        .early("a date in a part without algorithm", .algorithm, "data.signedTransactionInfo.alg") { early in
            var token = Token(early.chain, payload: Token.transaction(signedDate: EarlyNotification.made))
            token.algorithm = "\"none\""
            early.transaction = token.signingInput + "."
        },
        .early("a genuine part of another app", .bundleID, "data.signedTransactionInfo") { early in
            let payload = Token.transaction(bundleID: "com.example.wrong", signedDate: EarlyNotification.made)
            early.transaction = try Token(early.chain, payload: payload).text()
        },
        .early("a genuine part of the sandbox", .environment, "data.signedRenewalInfo") {
            $0.renewal = try $0.renewal(environment: "Sandbox")
        },
        .early("genuine parts of two subscriptions", .partTransaction, "data.signedRenewalInfo.originalTransactionId") {
            early in
            early.transaction = try early.transaction()
            early.renewal = try early.renewal(id: "2000")
        },
        .early("nothing dated inside", .notValidToday, "x5c[0]") {
            $0.transaction = try $0.transaction(signedDate: nil)
        },
        .early("nothing inside", .notValidToday, "x5c[0]") { _ in },
        .early("a part that is no JWS", .malformed, "data.signedTransactionInfo") { early in
            early.transaction = "x"
            early.renewal = try early.renewal()
        },
        Self("an app transaction that dates a notification of an expired leaf", .expired, "x5c[0]") { trusted in
            let part = try Token(trusted, payload: Token.appTransaction(created: EarlyNotification.late)).text()
            let early = try EarlyNotification.chain(below: trusted)
            return try Token(early, payload: Token.consent(appTransaction: part, signedDate: nil)).text()
        },
    ]

    /// An early notification with what `change` puts inside.
    private static func early(
        _ name: String, _ reason: Reason, _ path: String = "", _ change: @escaping Change<EarlyNotification>
    ) -> Self {
        Self(name, reason, path) { trusted in
            var early = try EarlyNotification(below: trusted)
            try change(&early)
            return try early.text()
        }
    }
}
