/// What a version 1 notification is in version 2, with the evidence.
public struct Translation: Hashable, Sendable {
    /// A fact a rule asked for, with the value it had.
    public struct KnownFact: Hashable, Sendable {
        /// The fact's name in `Mappings/v1-to-v2.json`.
        public var fact: String
        /// Its value.
        public var value: String
        /// What the fact means, in a sentence.
        public var meaning: String
    }

    /// The pair; without a type for a companion, and `nil` for a type this build does not know.
    public var pair: NotificationPair?
    /// Whether the notification is part of another one's event.
    public var isCompanion: Bool
    /// How sure the pair is.
    public var certainty: Certainty
    /// How sure it is which transaction of the receipt is meant; the pair may be certain where this is not.
    public var transactionCertainty: Certainty
    /// Every pair that is possible, the chosen one first; empty when exact.
    public var candidates: [NotificationPair]
    /// What makes it ambiguous.
    public var flags: [AmbiguityFlag]
    /// The id of the rule that decided; `nil` for an unknown type.
    public var rule: String?
    /// Where the rule comes from: Apple's page, a talk, a sample, or our judgement.
    public var source: String?
    /// Remarks that were added to the rule, by id.
    public var adjustments: [String]
    /// The facts the rules of this type ask for.
    public var evidence: [KnownFact]
}
