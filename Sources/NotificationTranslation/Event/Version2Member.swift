/// A member of the version 2 shape that is no field of the event: its key, for the writer and for the schemas.
package struct Version2Member: Sendable {
    /// The kind of its value.
    package enum Kind: Sendable {
        case text, number, truth, texts
        /// One of these words.
        case words([String])
    }

    package let key: StaticString
    package let kind: Kind
    /// What it means, in a sentence.
    package let meaning: StaticString
    /// Whether it is always there.
    package let isRequired: Bool

    private init(_ key: StaticString, _ meaning: StaticString) { self.init(key, .text, meaning) }

    private init(_ key: StaticString, _ kind: Kind, _ meaning: StaticString, isRequired: Bool = false) {
        self.key = key
        self.kind = kind
        self.meaning = meaning
        self.isRequired = isRequired
    }

    // MARK: Beside Apple's data

    static let type = Self("notificationType", "The V2 type.")
    static let subtype = Self("subtype", "The V2 subtype.")
    static let id = Self("notificationUUID", "The id of the event.")
    static let version = Self("version", "2.0.")
    /// The members at the top, before `data` and `translation`.
    package static let top = [type, subtype, id, version]

    // MARK: In Apple's data

    static let environment = Self("environment", "Production or Sandbox.")
    static let appAccountToken = Self("appAccountToken", "A UUID.")
    static let bundleID = Self("bundleId", "The app.")
    /// What `transactionInfo` has besides the fields of ``UnifiedEvent/Transaction``.
    package static let transaction = [appAccountToken, bundleID, environment]

    static let originalTransactionID = Self("originalTransactionId", "The first transaction of the subscription.")
    static let productID = Self("productId", "The current product.")
    /// What `renewalInfo` has besides the fields of ``UnifiedEvent/Renewal``.
    package static let renewal = [originalTransactionID, productID, environment]

    // MARK: How it was translated

    static let signed = Self("signed", .truth, "Never true: nothing here is signed by Apple.", isRequired: true)
    static let sourceVersion = Self(
        "sourceVersion", .words([NotificationVersion.v1.rawValue]), "The version of the notification.", isRequired: true
    )
    static let sourceType = Self("sourceType", "The V1 type.")
    static let rule = Self("rule", "The rule that decided.")
    static let certainty = Self(
        "certainty", .words(Certainty.allCases.map(\.rawValue)), "How sure the pair is.", isRequired: true)
    static let flags = Self("flags", .texts, "What makes it ambiguous.", isRequired: true)
    static let derived = Self("derived", .texts, "The fields that were made here.", isRequired: true)
    static let occurred = Self("occurredDate", .number, "When it happened, in milliseconds since 1970.")
    static let entitlement = Self(
        "entitlement", .words(Entitlement.allCases.map(\.rawValue)), "What to do about access.", isRequired: true)
    static let accessUntil = Self("accessUntil", .number, "The end of that access, in milliseconds since 1970.")
    /// The members of `translation`.
    package static let translation = [
        signed, sourceVersion, sourceType, rule, certainty, flags, derived, occurred, entitlement, accessUntil,
    ]
}
