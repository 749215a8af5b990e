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
    /// No notification carried it.
    package internal(set) var isSilent = true
    /// The version 1 bodies of the same subscription hold what is needed to deduce it; true of all that were told.
    package internal(set) var isShown = false
    /// Apple documents that version 2 sends it; otherwise it is the likeliest reading.
    package let isDocumented: Bool
    /// Other readings of what Apple does not document.
    package internal(set) var also: [V2Pair] = []
}

/// The right answer for one delivery.
package struct Truth: Sendable {
    /// Nil for a companion: version 2 sends nothing of its own for it.
    ///
    /// A version 2 notification's own pair.
    package let pair: V2Pair?
    /// Pairs that Apple's tables allow just as well.
    package let also: [V2Pair]
    package let isRepeat: Bool
    /// Whether the other version told the same happening before.
    package internal(set) var isTwin = false
    /// A companion whose leader was lost: one of such companions is the event, whichever.
    package let isPromoted: Bool
    /// The body neither names the purchase nor shows its row, so that nobody can tell whose it is.
    package let isNameless: Bool
    package let originalTransactionId: String
    package let transactionId: String
    /// The instant the receipt dates the happening by.
    package let time: Instant
}

/// One body as a server received it.
package struct Delivery: Sendable {
    package let type: String
    package let isVersion2: Bool
    /// The same for all deliveries of one notification.
    package let notice: Int
    package let body: [UInt8]
    package let receivedAt: Instant
    /// Index into the life's happenings.
    package let happening: Int
    package internal(set) var truth: Truth
    /// What the body shows of its subscription.
    package let shown: Shown
}

extension Delivery {
    /// The delivery as an archive keeps it: the body inside an object that says when it came.
    package var envelope: [UInt8] {
        Array("{\"receivedAt\":\"\(CivilTime(receivedAt).rfc3339)\",\"body\":".utf8) + body + [UInt8(ascii: "}")]
    }
}
