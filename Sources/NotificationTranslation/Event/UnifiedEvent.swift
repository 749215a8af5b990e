/// One thing that happened to a subscription or purchase, the same whether V1 or V2 told of it.
///
/// Codable in the form of the contract: snake_case, every key present, times in RFC 3339. Decoding a line of the
/// command gives the value, and ``line()`` gives the line back byte for byte.
public struct UnifiedEvent: Hashable, Sendable, Codable, Identifiable {
    /// The version of this shape.
    public var schemaVersion: String
    /// The `notificationUUID` of V2; of V1 a UUID made of what the notification says, the same at every run.
    public var id: String
    /// What happened.
    public var type: EventKind
    /// Whether it is an event of its own.
    public var disposition: Disposition
    /// When it happened; none only where the body has no date at all.
    public var occurredAt: EventTime?
    /// The field the time was taken from.
    public var occurredAtBasis: String?
    /// `Production`, `Sandbox`, or as given.
    public var environment: String?
    /// The app's bundle id.
    public var bundleID: String?
    /// The app's version.
    public var bundleVersion: String?
    /// The app's number in the App Store.
    public var appAppleID: String?
    /// What a backend should do about access.
    public var entitlement: Entitlement
    /// The end of the access that is known after this event: the expiry or, later, the end of the grace period.
    ///
    /// Given with ``Entitlement/grant`` and ``Entitlement/keep`` only. With a grant, `nil` means that Apple sets no end.
    public var accessUntil: EventTime?
    /// Apple's `data.status`: 1 active, 2 expired, 3 billing retry, 4 grace period, 5 revoked; V2 only.
    public var subscriptionStatus: Int64?
    /// The V2 pair; both parts absent for companions.
    public var v2: NotificationPair
    /// How sure the pair is.
    public var certainty: Certainty
    /// Every pair that is possible, the chosen one first; empty when exact.
    public var candidates: [NotificationPair]
    /// What makes it ambiguous, in the order of `Mappings/flags.json`.
    public var flags: [AmbiguityFlag]
    /// The id of the event this is part of, or a repeat of.
    public var companionOf: String?
    /// The ids of the events an inferred one was deduced from.
    public var derivedFrom: [String]
    /// The transaction it is about.
    public var transaction: Transaction?
    /// What was known about the next renewal.
    public var renewal: Renewal?
    /// What only some V2 types carry, keys in snake_case, values as Apple wrote them.
    public var details: JSONValue?
    /// Where it came from and how it was judged.
    public var source: Source

    enum CodingKeys: String, CodingKey {
        case schemaVersion = "schema_version"
        case id
        case type
        case disposition
        case occurredAt = "occurred_at"
        case occurredAtMilliseconds = "occurred_at_ms"
        case occurredAtBasis = "occurred_at_basis"
        case environment
        case bundleID = "bundle_id"
        case bundleVersion = "bundle_version"
        case appAppleID = "app_apple_id"
        case entitlement
        case accessUntil = "access_until"
        case subscriptionStatus = "subscription_status"
        case v2
        case certainty
        case candidates
        case flags
        case companionOf = "companion_of"
        case derivedFrom = "derived_from"
        case transaction
        case renewal
        case details
        case source
    }

    /// Reads the form of the contract; `occurred_at_ms` leads, `occurred_at` is the same instant for people.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        schemaVersion = try container.decode(String.self, forKey: .schemaVersion)
        id = try container.decode(String.self, forKey: .id)
        type = try container.decode(EventKind.self, forKey: .type)
        disposition = try container.decode(Disposition.self, forKey: .disposition)
        occurredAt = try container.decodeIfPresent(Int64.self, forKey: .occurredAtMilliseconds)
            .map(EventTime.init(milliseconds:))
        occurredAtBasis = try container.decodeIfPresent(String.self, forKey: .occurredAtBasis)
        environment = try container.decodeIfPresent(String.self, forKey: .environment)
        bundleID = try container.decodeIfPresent(String.self, forKey: .bundleID)
        bundleVersion = try container.decodeIfPresent(String.self, forKey: .bundleVersion)
        appAppleID = try container.decodeIfPresent(String.self, forKey: .appAppleID)
        entitlement = try container.decode(Entitlement.self, forKey: .entitlement)
        accessUntil = try container.decodeIfPresent(EventTime.self, forKey: .accessUntil)
        subscriptionStatus = try container.decodeIfPresent(Int64.self, forKey: .subscriptionStatus)
        v2 = try container.decode(NotificationPair.self, forKey: .v2)
        certainty = try container.decode(Certainty.self, forKey: .certainty)
        candidates = try container.decode([NotificationPair].self, forKey: .candidates)
        flags = try container.decode([AmbiguityFlag].self, forKey: .flags)
        companionOf = try container.decodeIfPresent(String.self, forKey: .companionOf)
        derivedFrom = try container.decode([String].self, forKey: .derivedFrom)
        transaction = try container.decodeIfPresent(Transaction.self, forKey: .transaction)
        renewal = try container.decodeIfPresent(Renewal.self, forKey: .renewal)
        details = try container.decodeIfPresent(JSONValue.self, forKey: .details)
        source = try container.decode(Source.self, forKey: .source)
    }

    /// Writes every key in the order of the contract, `null` where nothing is known.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(schemaVersion, forKey: .schemaVersion)
        try container.encode(id, forKey: .id)
        try container.encode(type, forKey: .type)
        try container.encode(disposition, forKey: .disposition)
        try container.encode(occurredAt, forKey: .occurredAt)
        try container.encode(occurredAt?.milliseconds, forKey: .occurredAtMilliseconds)
        try container.encode(occurredAtBasis, forKey: .occurredAtBasis)
        try container.encode(environment, forKey: .environment)
        try container.encode(bundleID, forKey: .bundleID)
        try container.encode(bundleVersion, forKey: .bundleVersion)
        try container.encode(appAppleID, forKey: .appAppleID)
        try container.encode(entitlement, forKey: .entitlement)
        try container.encode(accessUntil, forKey: .accessUntil)
        try container.encode(subscriptionStatus, forKey: .subscriptionStatus)
        try container.encode(v2, forKey: .v2)
        try container.encode(certainty, forKey: .certainty)
        try container.encode(candidates, forKey: .candidates)
        try container.encode(flags, forKey: .flags)
        try container.encode(companionOf, forKey: .companionOf)
        try container.encode(derivedFrom, forKey: .derivedFrom)
        try container.encode(transaction, forKey: .transaction)
        try container.encode(renewal, forKey: .renewal)
        try container.encode(details, forKey: .details)
        try container.encode(source, forKey: .source)
    }
}
