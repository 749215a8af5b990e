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
        package var path: StaticString = ""
    }

    /// A JWS inside the payload.
    struct Part {
        var kind: SignedPayloadKind
        var path: String
        var text: JSONText
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

    /// Reads the claims of a payload.
    ///
    /// - Parameters:
    ///   - json: The decoded payload, followed by slack.
    ///   - kind: What it is expected to be.
    /// - Throws: `payload.malformed`, `payload.duplicate-key`, `payload.bad-field`, `payload.bad-signed-date`.
    init(_ json: UnsafeRawBufferPointer, as kind: SignedPayloadKind) throws(AuthenticityError) {
        guard let memory = json.baseAddress else { throw AuthenticityError(.badPayload) }
        var reader = Reader(memory: memory)
        var own = Identity()
        do throws(JSONFault) {
            try StrictObject.read(json, keys: Keys.root) { (member, walker) throws(JSONFault) in
                if kind == .notification, let carrier = Keys.carrier(member.slot) {
                    if let identity = try reader.carrier(carrier, member.value, &walker) {
                        reader.identities.append(identity)
                    }
                    return
                }
                try reader.take(member, kind, &own)
                try walker.skip(member.value)
            }
        } catch {
            throw AuthenticityError(error.code == .duplicateKey ? .duplicatePayloadKey : .badPayload)
        }
        if let refusal = reader.refusal { throw refusal }
        if kind != .notification { reader.identities = [own] }
        identities = reader.identities
        signedDate = reader.signedDate
        originalTransactionID = reader.originalTransactionID
        isNotification = reader.isNotification
        parts = reader.parts
    }
}

extension PayloadClaims {
    /// The keys that are read.
    private enum Keys {
        /// The slots of the top-level keys, without those of the objects in the place of `data`.
        enum Root: Int {
            case signedDate, notificationType, bundleID, environment, appAppleID, originalTransactionID
            case receiptType, receiptCreationDate
        }

        /// The slots of `data`.
        enum Data: Int {
            case environment, bundleID, appAppleID, externalPurchaseID, transactionInfo, renewalInfo, appTransactionInfo
        }

        static let root = KeyTable([
            "signedDate", "notificationType", "bundleId", "environment", "appAppleId", "originalTransactionId",
            "receiptType", "receiptCreationDate",
            "data", "summary", "externalPurchaseToken", "appData", "unclaimInfo",
        ])
        static let carriers: [StaticString] = ["data", "summary", "externalPurchaseToken", "appData", "unclaimInfo"]
        static let data = KeyTable([
            "environment", "bundleId", "appAppleId", "externalPurchaseId", "signedTransactionInfo",
            "signedRenewalInfo", "signedAppTransactionInfo",
        ])

        /// The name of the object in the place of `data` that a slot of `root` represents.
        static func carrier(_ slot: Int) -> StaticString? {
            let first = root.count - carriers.count
            return slot >= first ? carriers[slot - first] : nil
        }
    }

    /// Collects claims during the walk; a field of the wrong type is remembered and refused when the text is read.
    private struct Reader {
        let memory: UnsafeRawPointer
        var identities: [Identity] = []
        var parts: [Part] = []
        var signedDate: Int64?
        var originalTransactionID: String?
        var isNotification = false
        var refusal: AuthenticityError?

        init(memory: UnsafeRawPointer) {
            self.memory = memory
        }

        mutating func take(
            _ member: JSONWalker.Member, _ kind: SignedPayloadKind, _ own: inout Identity
        ) throws(JSONFault) {
            // App transactions have names of their own for two of them, and those names mean nothing elsewhere.
            let isAppTransaction = kind == .appTransaction
            switch Keys.Root(rawValue: member.slot) {
            case .receiptType where isAppTransaction: own.environment = string(member.value, "receiptType")
            case .receiptCreationDate where isAppTransaction:
                signedDate = integer(member.value, "receiptCreationDate", .badSignedDate)
            case .signedDate where !isAppTransaction:
                signedDate = integer(member.value, "signedDate", .badSignedDate)
            case .environment where !isAppTransaction: own.environment = string(member.value, "environment")
            case .notificationType: isNotification = string(member.value, "notificationType") != nil
            case .bundleID: own.bundleID = string(member.value, "bundleId")
            case .appAppleID: own.appAppleID = integer(member.value, "appAppleId", .badField)
            case .originalTransactionID: originalTransactionID = string(member.value, "originalTransactionId")
            default: break
            }
        }

        /// Reads the object in the place of `data`.
        mutating func carrier(
            _ name: StaticString,
            _ value: JSONWalker.Value,
            _ walker: inout JSONWalker
        ) throws(JSONFault) -> Identity? {
            guard value.kind == .object else {
                if value.kind != .null { refuse(.badField, "\(name)") }
                try walker.skip(value)
                return nil
            }
            var identity = Identity(path: name)
            var token: String?
            var object = try walker.enterObject()
            while let member = try walker.nextMember(of: &object, known: Keys.data) {
                switch Keys.Data(rawValue: member.slot) {
                case .environment: identity.environment = string(member.value, "\(name).environment")
                case .bundleID: identity.bundleID = string(member.value, "\(name).bundleId")
                case .appAppleID: identity.appAppleID = integer(member.value, "\(name).appAppleId", .badField)
                case .externalPurchaseID: token = string(member.value, "\(name).externalPurchaseId")
                case .transactionInfo: part(.transaction, member.value, "\(name).signedTransactionInfo")
                case .renewalInfo: part(.renewal, member.value, "\(name).signedRenewalInfo")
                case .appTransactionInfo: part(.appTransaction, member.value, "\(name).signedAppTransactionInfo")
                default: break
                }
                try walker.skip(member.value)
            }
            if let token, identity.environment == nil {
                identity.environment = token.utf8.starts(with: "SANDBOX".utf8) ? "Sandbox" : "Production"
            }
            return identity
        }

        private mutating func part(
            _ kind: SignedPayloadKind,
            _ value: JSONWalker.Value,
            _ path: @autoclosure () -> String
        ) {
            switch value.kind {
            case .null: break
            case .string: parts.append(Part(kind: kind, path: path(), text: value.text))
            default: refuse(.badField, path())
            }
        }

        private mutating func string(_ value: JSONWalker.Value, _ path: @autoclosure () -> String) -> String? {
            switch value.kind {
            case .string: return StrictObject.string(value.text, memory)
            case .null: return nil
            default:
                refuse(.badField, path())
                return nil
            }
        }

        private mutating func integer(
            _ value: JSONWalker.Value,
            _ path: @autoclosure () -> String,
            _ reason: AuthenticityError.Reason
        ) -> Int64? {
            if value.kind == .null { return nil }
            guard value.kind == .number, let number = JSONNumber.integer(StrictObject.bytes(value.text, memory)) else {
                refuse(reason, path())
                return nil
            }
            return number
        }

        private mutating func refuse(_ reason: AuthenticityError.Reason, _ path: String) {
            if refusal == nil { refusal = AuthenticityError(reason, path: path) }
        }
    }
}
