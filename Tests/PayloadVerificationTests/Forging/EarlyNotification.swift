import NotificationTranslation

/// A notification in the shape of late 2021 and early 2022.
///
/// It has no `signedDate` of its own, and what is signed inside it has no `environment`. Its leaf has expired long
/// before ``Token/now``.
struct EarlyNotification {
    /// 2022-03-01, when it was made.
    static let made: Int64 = 1_646_092_800_000
    /// 2026-08-01, long after its leaf expired and before ``Token/now``.
    static let late: Int64 = 1_785_542_400_000

    var environment = "Production"
    /// The root it is made below.
    let trusted: ForgedChain
    /// Signs the notification itself.
    var chain: ForgedChain
    /// The parts, as JWS.
    var transaction: String?
    var renewal: String?

    /// The notification without any part.
    ///
    /// - Parameter trusted: The root it is made below.
    /// - Throws: Whatever keeps a key from being made.
    init(below trusted: ForgedChain) throws {
        self.trusted = trusted
        chain = try Self.chain(below: trusted)
    }

    /// A chain whose leaf is valid from the autumn of 2021 to that of 2023.
    static func chain(
        below trusted: ForgedChain,
        from notBefore: String = "20211001000000Z",
        to notAfter: String = "20231001000000Z"
    ) throws -> ForgedChain {
        var wish = ForgedChain.Wish()
        wish.leaf.notBefore = notBefore
        wish.leaf.notAfter = notAfter
        return try ForgedChain(below: trusted, wish)
    }

    /// A transaction of this time, signed with the chain of the notification.
    func transaction(signedDate: Int64? = made, id: String = "1000", environment: String? = nil) throws -> String {
        try Token(chain, payload: Token.transaction(environment: environment, id: id, signedDate: signedDate)).text()
    }

    /// Renewal info of this time, signed with the chain of the notification.
    func renewal(signedDate: Int64? = made, id: String = "1000", environment: String? = nil) throws -> String {
        try Token(chain, payload: Token.renewal(environment: environment, id: id, signedDate: signedDate)).text()
    }

    /// The notification, to be changed before it is signed.
    var token: Token {
        let payload = Token.notification(
            appAppleID: environment == "Production" ? 41234 : nil,
            environment: environment,
            signedDate: nil,
            transaction: transaction,
            renewal: renewal
        )
        return Token(chain, payload: payload)
    }

    /// The notification as received.
    func text() throws -> String { try token.text() }
}
