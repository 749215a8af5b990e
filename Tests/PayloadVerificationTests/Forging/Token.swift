/// A compact JWS to be made, right unless a test asks for something else.
struct Token {
    /// 2023-11-14, inside the validity of every chain that is not made to be outside.
    static let signedDate: Int64 = 1_700_000_000_000
    /// What the clock says in tests: 2027-01-15.
    static let now: Int64 = 1_800_000_000_000

    var algorithm = "\"ES256\""
    /// More members of the header, each with a comma before it.
    var headerExtra = ""
    /// The whole header, instead of one made of the parts above.
    var header: String?
    /// The strings of `x5c`.
    var chain: [String]
    var payload: String
    var key: SigningKey

    init(_ chain: ForgedChain, payload: String = Token.notification()) {
        self.chain = chain.certificates.map(Self.base64)
        self.payload = payload
        key = chain.leafKey
    }

    var headerText: String {
        let list = chain.map { "\"\($0)\"" }.joined(separator: ",")
        return header ?? "{\"alg\":\(algorithm),\"x5c\":[\(list)]\(headerExtra)}"
    }

    /// Header and payload, as they are signed.
    var signingInput: String { Self.base64URL(Array(headerText.utf8)) + "." + Self.base64URL(Array(payload.utf8)) }

    /// The text, with its signature changed where a test asks for that.
    func text(signature change: ([UInt8]) -> [UInt8] = { $0 }) throws -> String {
        let input = signingInput
        return input + "." + Self.base64URL(change(try key.signES256(Array(input.utf8))))
    }

    /// The text with another payload in the place of the one that was signed.
    func text(withPayload other: String) throws -> String {
        let honest = try text().split(separator: ".")
        return "\(honest[0]).\(Self.base64URL(Array(other.utf8))).\(honest[2])"
    }

    static func base64(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

    static func base64URL(_ bytes: [UInt8]) -> String {
        base64(bytes).replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}

extension Token {
    /// The payload of a notification.
    static func notification(
        bundleID: String = "com.example.app",
        appAppleID: Int64? = 41234,
        environment: String = "Production",
        signedDate: String? = "\(Token.signedDate)",
        transaction: String? = nil,
        renewal: String? = nil,
        extra: String = ""
    ) -> String {
        var data = "\"bundleId\":\"\(bundleID)\",\"environment\":\"\(environment)\""
        if let appAppleID { data += ",\"appAppleId\":\(appAppleID)" }
        if let transaction { data += ",\"signedTransactionInfo\":\"\(transaction)\"" }
        if let renewal { data += ",\"signedRenewalInfo\":\"\(renewal)\"" }
        let date = signedDate.map { ",\"signedDate\":\($0)" } ?? ""
        return """
            {"notificationType":"DID_RENEW","notificationUUID":"00000000-0000-4000-8000-000000000001","version":"2.0",\
            "data":{\(data)}\(date)\(extra)}
            """
    }

    /// The payload of a transaction; those of 2021 have no environment.
    static func transaction(
        bundleID: String = "com.example.app",
        environment: String? = "Production",
        id: String = "1000",
        signedDate: Int64? = Token.signedDate
    ) -> String {
        """
        {"transactionId":"1001","originalTransactionId":"\(id)","bundleId":"\(bundleID)",\
        "productId":"com.example.app.month"\(members(environment, signedDate))}
        """
    }

    /// The payload of renewal info; those of 2021 have no environment.
    static func renewal(
        environment: String? = "Production",
        id: String = "1000",
        signedDate: Int64? = Token.signedDate
    ) -> String {
        """
        {"originalTransactionId":"\(id)","autoRenewProductId":"com.example.app.month","autoRenewStatus":1\
        \(members(environment, signedDate))}
        """
    }

    private static func members(_ environment: String?, _ signedDate: Int64?) -> String {
        (environment.map { ",\"environment\":\"\($0)\"" } ?? "") + (signedDate.map { ",\"signedDate\":\($0)" } ?? "")
    }

    /// The payload of an app transaction, which has names of its own for environment and date.
    static func appTransaction(
        bundleID: String = "com.example.app",
        appAppleID: Int64 = 41234,
        environment: String = "Production",
        created: Int64 = Token.signedDate
    ) -> String {
        """
        {"receiptType":"\(environment)","appAppleId":\(appAppleID),"bundleId":"\(bundleID)",\
        "applicationVersion":"41","receiptCreationDate":\(created),"signedDate":1,"environment":"LocalTesting"}
        """
    }

    /// The payload of a notification about consent, which has an app transaction inside.
    static func consent(appTransaction: String, signedDate: Int64? = Token.signedDate) -> String {
        """
        {"notificationType":"RESCIND_CONSENT","notificationUUID":"00000000-0000-4000-8000-000000000002","version":"2.0",\
        "appData":{"bundleId":"com.example.app","appAppleId":41234,"environment":"Production",\
        "signedAppTransactionInfo":"\(appTransaction)"}\(members(nil, signedDate))}
        """
    }
}
