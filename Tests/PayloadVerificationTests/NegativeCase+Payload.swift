import NotificationTranslation

extension NegativeCase {
    /// The payload, and the parts signed inside it.
    static let payloads: [NegativeCase] = [
        .token("payload no JSON", .badPayload) { $0.payload = "hello" },
        .token("payload with a comma too many", .badPayload) { $0.payload = "{\"signedDate\":1,}" },
        .token("bundleId twice", .duplicatePayloadKey) { token in
            token.payload = token.payload.replacing(
                "\"bundleId\":", with: "\"bundleId\":\"com.example.other\",\"bundleId\":")
        },
        .token("data twice", .duplicatePayloadKey) {
            $0.payload = Token.notification(extra: ",\"data\":{\"bundleId\":\"com.example.other\"}")
        },
        .token("unknown key twice, deep inside", .duplicatePayloadKey) {
            $0.payload = Token.notification(extra: ",\"x\":[{\"y\":{\"z\":1,\"z\":1}}]")
        },
        .token("signed in the future", .signedInFuture, "signedDate") {
            $0.payload = Token.notification(signedDate: "\(Token.now + 300_001)")
        },
        .token("signedDate as text", .badSignedDate, "signedDate") {
            $0.payload = Token.notification(signedDate: "\"\(Token.signedDate)\"")
        },
        .token("signedDate as fraction", .badSignedDate, "signedDate") {
            $0.payload = Token.notification(signedDate: "\(Token.signedDate).5")
        },
        .token("another app", .bundleID, "data") { $0.payload = Token.notification(bundleID: "com.example.wrong") },
        .token("bundleId in capitals", .bundleID, "data") {
            $0.payload = Token.notification(bundleID: "com.example.APP")
        },
        .token("bundleId as a number", .badField, "data.bundleId") {
            $0.payload = $0.payload.replacing("\"com.example.app\"", with: "7")
        },
        .token("no data", .bundleID) {
            $0.payload = "{\"notificationType\":\"TEST\",\"signedDate\":\(Token.signedDate)}"
        },
        .token("data as text", .badField, "data") {
            $0.payload = "{\"notificationType\":\"TEST\",\"data\":\"x\",\"signedDate\":\(Token.signedDate)}"
        },
        .token("a second object in the place of data, of another app", .bundleID, "summary") {
            $0.payload = Token.notification(extra: ",\"summary\":{\"bundleId\":\"com.example.other\"}")
        },
        .token("another appAppleId", .appAppleID, "data") { $0.payload = Token.notification(appAppleID: 5) },
        .token("no appAppleId", .appAppleID, "data") { $0.payload = Token.notification(appAppleID: nil) },
        .token("sandbox for production", .environment, "data") {
            $0.payload = Token.notification(environment: "Sandbox")
        },
        .token("production for sandbox", .environment, "data") { _ in }
            .expecting(ExpectedApp(bundleIDs: ["com.example.app"], appAppleIDs: nil, environment: .sandbox)),
        .token("Xcode where only the app is expected", .localEnvironment, "data") {
            $0.payload = Token.notification(environment: "Xcode")
        }
        .expecting(ExpectedApp(bundleIDs: nil, appAppleIDs: nil, environment: nil)),
        .token("sandbox token of an external purchase", .environment, "externalPurchaseToken") { token in
            token.payload = """
                {"notificationType":"EXTERNAL_PURCHASE_TOKEN","subtype":"UNREPORTED","signedDate":\(Token.signedDate),\
                "externalPurchaseToken":{"externalPurchaseId":"SANDBOX_1","appAppleId":41234,\
                "bundleId":"com.example.app"}}
                """
        },
        .token("a transaction for a notification", .notANotification) { $0.payload = Token.transaction() },
        .token("no app is expected", .bundleID, "data") { _ in }
            .expecting(ExpectedApp(bundleIDs: [], appAppleIDs: nil, environment: nil)),
    ]

    /// The parts signed inside a notification.
    static let parts: [NegativeCase] = [
        .part("part forged", .certificateSignature, "data.signedTransactionInfo.x5c[1]") { _ in
            (try Token(try ForgedChain(), payload: Token.transaction()).text(), nil)
        },
        .part("part tampered with", .signature, "data.signedTransactionInfo") { trusted in
            (try Token(trusted, payload: Token.transaction()).text(withPayload: Token.transaction(id: "1")), nil)
        },
        .part("renewal tampered with", .signature, "data.signedRenewalInfo") { trusted in
            (nil, try Token(trusted, payload: Token.renewal()).text { [$0[0] ^ 1] + $0.dropFirst() })
        },
        .part("part without algorithm", .algorithm, "data.signedTransactionInfo.alg") { trusted in
            var token = Token(trusted, payload: Token.transaction())
            token.algorithm = "\"none\""
            return (try token.text(), nil)
        },
        .part("part empty", .malformed, "data.signedTransactionInfo") { _ in ("", nil) },
        .part(
            "transaction of another app", .bundleID, "data.signedTransactionInfo",
            transaction: Token.transaction(bundleID: "com.example.wrong")),
        .part(
            "transaction of another app than its notification", .partBundleID, "data.signedTransactionInfo.bundleId",
            transaction: Token.transaction(bundleID: "com.example.second")
        ).expecting(
            ExpectedApp(
                bundleIDs: ["com.example.app", "com.example.second"], appAppleIDs: nil, environment: .production)),
        .part(
            "transaction of the sandbox", .environment, "data.signedTransactionInfo",
            transaction: Token.transaction(environment: "Sandbox")),
        .part(
            "renewal of the sandbox", .environment, "data.signedRenewalInfo",
            renewal: Token.renewal(environment: "Sandbox")),
        .part(
            "part of another environment than its notification", .partEnvironment,
            "data.signedRenewalInfo.environment", renewal: Token.renewal(environment: "Sandbox")
        ).expecting(.any),
        .part(
            "parts of two subscriptions", .partTransaction, "data.signedRenewalInfo.originalTransactionId",
            transaction: Token.transaction(id: "1"), renewal: Token.renewal(id: "2")),
        .part(
            "part signed in the future", .signedInFuture, "data.signedTransactionInfo.signedDate",
            transaction: Token.transaction(signedDate: Token.now + 300_001)),
        .part(
            "part signed before its certificates", .notYetValid, "data.signedRenewalInfo.x5c[2]",
            renewal: Token.renewal(signedDate: 1_500_000_000_000)),
        .token("part as an object", .badField, "data.signedTransactionInfo") { token in
            token.payload = token.payload.replacing(
                "\"bundleId\":", with: "\"signedTransactionInfo\":{\"bundleId\":\"x\"},\"bundleId\":")
        },
    ]

    /// The app transaction signed inside a notification about consent.
    static let appTransactions: [NegativeCase] = [
        .consent("app transaction forged", .certificateSignature, "x5c[1]") { _ in
            try Token(try ForgedChain(), payload: Token.appTransaction()).text()
        },
        .consent("app transaction tampered with", .signature) {
            try Token($0, payload: Token.appTransaction()).text(withPayload: Token.appTransaction(appAppleID: 5))
        },
        .consent("app transaction of another app", .bundleID, Token.appTransaction(bundleID: "com.example.wrong")),
        .consent("app transaction of another appAppleId", .appAppleID, Token.appTransaction(appAppleID: 5)),
        .consent("app transaction of the sandbox", .environment, Token.appTransaction(environment: "Sandbox")),
        .consent(
            "app transaction of another environment than its notification", .partEnvironment,
            Token.appTransaction(environment: "Sandbox"), at: "environment"
        ).expecting(.any),
        .consent(
            "app transaction created in the future", .signedInFuture,
            Token.appTransaction(created: Token.now + 300_001), at: "receiptCreationDate"),
        .consent(
            "app transaction created before its certificates", .notYetValid,
            Token.appTransaction(created: 1_500_000_000_000), at: "x5c[2]"),
        .consent("app transaction as no JWS", .malformed) { _ in "x" },
    ]

    /// A notification about consent, with this app transaction inside.
    private static func consent(_ name: String, _ reason: Reason, _ payload: String, at path: String = "") -> Self {
        consent(name, reason, path) { try Token($0, payload: payload).text() }
    }

    private static func consent(_ name: String, _ reason: Reason, _ path: String = "", _ make: @escaping Make) -> Self {
        Self(name, reason, "appData.signedAppTransactionInfo" + (path.isEmpty ? "" : "." + path)) { trusted in
            try Token(trusted, payload: Token.consent(appTransaction: try make(trusted))).text()
        }
    }

    /// A notification that is right, with these parts inside, signed like it.
    private static func part(
        _ name: String, _ reason: Reason, _ path: String, transaction: String? = nil, renewal: String? = nil
    ) -> Self {
        part(name, reason, path) { trusted in
            func signed(_ payload: String) throws -> String { try Token(trusted, payload: payload).text() }
            return (try transaction.map(signed), try renewal.map(signed))
        }
    }

    private static func part(
        _ name: String, _ reason: Reason, _ path: String,
        _ make: @escaping @Sendable (ForgedChain) throws -> (transaction: String?, renewal: String?)
    ) -> Self {
        Self(name, reason, path) { trusted in
            let (transaction, renewal) = try make(trusted)
            let payload = Token.notification(transaction: transaction, renewal: renewal)
            return try Token(trusted, payload: payload).text()
        }
    }
}
