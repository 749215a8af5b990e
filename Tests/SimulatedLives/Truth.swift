/// A version 2 type with its subtype.
package struct V2Pair: Hashable, Sendable, CustomStringConvertible {
    package let type: String
    package let subtype: String?

    package init(_ type: String, _ subtype: String? = nil) {
        self.type = type
        self.subtype = subtype
    }

    /// `SUBSCRIBED/INITIAL_BUY`, or `REFUND/-` without a subtype.
    package var description: String { "\(type)/\(subtype ?? "-")" }
}

/// A version 2 notification that Apple would have sent for a life, whether or not version 1 told of it.
package struct Happening: Sendable {
    package let pair: V2Pair
    /// The instant the receipt dates it by: purchase, expiry, cancellation or change of status.
    package let dated: Instant
    /// The instant Apple would have sent it.
    package let at: Instant
    package let originalTransactionId: String
    package let transactionId: String
    /// No notification of version 1 carried it.
    package internal(set) var isSilent = true
    /// The version 1 bodies of the life hold what is needed to deduce it; true of all that were told.
    package internal(set) var isShown = false
    /// Apple documents that version 2 sends it; otherwise it is the likeliest reading.
    package let isDocumented: Bool
}

/// The right answer for one delivery.
package struct Truth: Sendable {
    /// Nil for a companion: version 2 sends nothing of its own for it.
    package let pair: V2Pair?
    /// Pairs that Apple's tables allow just as well.
    package let also: [V2Pair]
    /// For a companion the index of the delivery that leads; for a repeat that of the first delivery.
    package internal(set) var leader: Int?
    package let isRepeat: Bool
    package let originalTransactionId: String
    package let transactionId: String
    /// The instant the receipt dates the happening by.
    package let time: Instant
}

/// One version 1 body as a server received it.
package struct Delivery: Sendable {
    package let type: String
    package let body: [UInt8]
    package let receivedAt: Instant
    /// Index into the life's happenings.
    package let happening: Int
    package internal(set) var truth: Truth
}
