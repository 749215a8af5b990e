/// How far a notification's sender was checked.
@nonexhaustive
public enum Authenticity: String, Hashable, Sendable, Codable, CaseIterable {
    /// The V2 signature and its certificate chain were checked here.
    case verified
    /// The V1 body carried an accepted shared secret.
    case sharedSecret = "shared-secret"
    /// Nothing was checked.
    case unverified
}

/// How sure a translation is.
public enum Certainty: String, Hashable, Sendable, Codable, CaseIterable {
    /// The payload (and, in a timeline, its known neighbours) proves the pair; every V2 event.
    case exact
    /// The facts point to one pair.
    case inferred
    /// More than one pair remains; the likeliest leads.
    case ambiguous
    /// A type this build does not know.
    case unknown

    /// The less sure of two.
    func atMost(_ other: Certainty) -> Certainty { Self.allCases.last { $0 == self || $0 == other } ?? self }
}

/// What became of a notification.
@nonexhaustive
public enum Disposition: String, Hashable, Sendable, Codable, CaseIterable {
    /// An event of its own.
    case event
    /// Part of another event; V2 sends nothing of its own for it.
    case companion
    /// The same notification, delivered again; or a V1 record of what V2 reports too.
    case duplicate
    /// Never sent by V1; deduced from later evidence.
    case inferred
    /// A type this build does not know, passed through.
    case unmapped
}

/// What a backend should do about the access that the event's subscription gives; for a one-time purchase, about the
/// access that the transaction gives.
///
/// Everything is judged by what is known to have happened until the event was reported. A backend that stores the end
/// of access and follows these words, in the order of ``UnifiedEvent/occurredAt``, never takes access away wrongly.
public enum Entitlement: String, Hashable, Sendable, Codable, CaseIterable {
    /// Give access until ``UnifiedEvent/accessUntil``; without one Apple sets no end.
    case grant
    /// Access continues, no less than until ``UnifiedEvent/accessUntil``.
    case keep
    /// End access.
    case withdraw
    /// The event says nothing about access; in a line `none`.
    case unaffected = "none"
    /// The pairs that are still possible differ in it, or what it depends on is not known; a flag says which.
    case undecided
}

/// The version of the notification an event was made of.
@nonexhaustive
public enum NotificationVersion: String, Hashable, Sendable, Codable, CaseIterable {
    /// `notification_type`, unsigned, deprecated.
    case v1
    /// `notificationType` and `subtype`, signed.
    case v2
}

/// A name or number to which somebody may add more, so that any value is kept.
protocol OpenName: RawRepresentable, CustomStringConvertible where RawValue: CustomStringConvertible {
    init(rawValue: RawValue)
}

extension OpenName {
    /// The value as it is written.
    public var description: String { rawValue.description }
}

/// A name that a literal is, too.
protocol OpenLiteral: OpenName, ExpressibleByStringLiteral where RawValue == String {}

extension OpenLiteral {
    /// The value of this name, known or not.
    public init(stringLiteral name: String) { self.init(rawValue: name) }
}

/// A value that is coded as one text.
protocol TextCoded: Codable {
    /// The value of a text; `nil` if it is none.
    static func decoded(_ text: String) -> Self?
    var text: String { get }
}

extension TextCoded {
    /// Reads the text.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let value = Self.decoded(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "no \(Self.self) of this version")
        }
        self = value
    }

    /// Writes the text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

/// A closed list of words for codes, each with what it means: the raw value is both, with a colon between them.
///
///     case tooLong = "jws.too-long: longer than a signed payload may be"
package protocol ExplainedWord: RawRepresentable<String>, CaseIterable {}

extension ExplainedWord {
    /// The word as it is in outputs.
    package var code: String { String(rawValue.prefix { $0 != ":" }) }

    /// What it means, without a full stop.
    package var sentence: String { String(rawValue.drop { $0 != ":" }.dropFirst(2)) }

    /// The one whose word this is; `nil` if there is none.
    package init?(code: String) {
        guard let known = Self.allCases.first(where: { $0.code == code }) else { return nil }
        self = known
    }
}
