/// What a signed payload says about whom it is for and when it was signed: the few fields that trust depends on.
package struct PayloadClaims {
    /// Whom an object of the payload is for; what it does not say is `nil`.
    package struct Identity: Sendable {
        /// `bundleId`.
        package var bundleID: String?
        /// `environment`, as received.
        package var environment: String?
        var appAppleID: Int64?
        /// Where it is, in Apple's names; empty for the outermost object.
        package var path = ""
    }

    /// A JWS inside the payload.
    struct Part {
        var kind: SignedPayloadKind
        var path: String
        var text: [UInt8]
    }

    /// Milliseconds since 1970, `nil` if the payload does not say; of an app transaction `receiptCreationDate`, which
    /// is what Apple's libraries judge it at.
    package var signedDate: Int64?
    /// Of a notification: the object in the place of `data` (of each, if there were several); else the payload itself.
    var identities: [Identity] = []
    /// `originalTransactionId` of a transaction or renewal info.
    package var originalTransactionID: String?
    /// Whether it says `notificationType`.
    var isNotification = false
    var parts: [Part] = []

    /// Keys of the objects in the place of `data`.
    private static let carriers = ["data", "summary", "externalPurchaseToken", "appData", "unclaimInfo"]

    /// Reads the claims of a decoded payload.
    ///
    /// - Throws: `payload.malformed`, `payload.duplicate-key`, `payload.bad-field`, `payload.bad-signed-date`.
    init(_ json: [UInt8], as kind: SignedPayloadKind) throws(AuthenticityError) {
        let payload = try JSONTree(object: json, else: .badPayload, twice: .duplicatePayloadKey)
        // App transactions have names of their own for two of them, and those names mean nothing elsewhere.
        let isAppTransaction = kind == .appTransaction
        let environment = isAppTransaction ? "receiptType" : "environment"
        let date = isAppTransaction ? "receiptCreationDate" : "signedDate"
        var own = Identity()
        for (key, value) in payload.members {
            if kind == .notification, Self.carriers.contains(key) {
                try takeCarrier(key, value)
                continue
            }
            switch key {
            case environment: own.environment = try Self.string(value, key)
            case date: signedDate = try Self.integer(value, key, .badSignedDate)
            case "notificationType": isNotification = try Self.string(value, key) != nil
            case "bundleId": own.bundleID = try Self.string(value, key)
            case "appAppleId": own.appAppleID = try Self.integer(value, key, .badField)
            case "originalTransactionId": originalTransactionID = try Self.string(value, key)
            default: break
            }
        }
        if kind != .notification { identities = [own] }
    }

    /// Reads the object in the place of `data`.
    private mutating func takeCarrier(_ name: String, _ object: JSONTree) throws(AuthenticityError) {
        guard object.kind != .null else { return }
        guard object.kind == .object else { throw AuthenticityError(.badField, path: name) }
        var identity = Identity(path: name)
        var token: String?
        for (key, value) in object.members {
            let path = "\(name).\(key)"
            switch key {
            case "environment": identity.environment = try Self.string(value, path)
            case "bundleId": identity.bundleID = try Self.string(value, path)
            case "appAppleId": identity.appAppleID = try Self.integer(value, path, .badField)
            case "externalPurchaseId": token = try Self.string(value, path)
            default:
                let parts = SignedPayloadKind.allCases.filter { $0 != .notification }
                guard let kind = parts.first(where: { $0.key == key }), let text = try Self.string(value, path) else {
                    continue
                }
                self.parts.append(Part(kind: kind, path: path, text: Array(text.utf8)))
            }
        }
        if let token, identity.environment == nil {
            identity.environment = token.utf8.starts(with: "SANDBOX".utf8) ? "Sandbox" : "Production"
        }
        identities.append(identity)
    }

    private static func string(_ value: JSONTree, _ path: String) throws(AuthenticityError) -> String? {
        guard value.kind == .string || value.kind == .null else { throw AuthenticityError(.badField, path: path) }
        return value.string
    }

    private static func integer(
        _ value: JSONTree, _ path: String, _ reason: AuthenticityError.Reason
    ) throws(AuthenticityError) -> Int64? {
        if value.kind == .null { return nil }
        guard value.kind == .number, let number = JSONNumber.integer(value.bytes) else {
            throw AuthenticityError(reason, path: path)
        }
        return number
    }
}
