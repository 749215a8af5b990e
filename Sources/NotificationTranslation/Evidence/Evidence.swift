/// What a timeline needs to know of one notification, and nothing else: a few hundred bytes in place of the body.
///
/// A server keeps it in one column beside the event, a cluster moves it in place of the body, `convert` spills it. It
/// holds the facts the body gave, its times, the renewal info and the subscription's transactions, and neither the
/// shared secret nor any receipt; of a verified one the creation date and how far it
/// proves the event. Settling from evidence gives what settling from the bodies gives.
///
/// Coded as one string, base64url of these bytes; numbers are LEB128 varints, signed ones zigzag, texts a length and
/// UTF-8, and an empty text is an absent one:
///
///     1   the version of this layout, 4
///     1   bits: V2 · own time · latest known date · receive time · a list of transactions · older ones left out
///         · the id is 16 bytes
///     1   bits: details of transactions follow · an answer of Apple's, which reports no act
///     3   texts: environment, bundle id, original transaction id
///     -   the id: 16 bytes or a text
///     -   the V1 type, or the V2 pair as TYPE/SUBTYPE: a text
///     24  V1 only: the facts, four bits each, in the order of `facts` in Mappings/v1-to-v2.json
///     -   each time that the bits announce: milliseconds since 1970; own time and latest date with the number of
///         their field
///     -   the texts of all products that follow, counted; below, a product is its number among them from 1, 0 for none
///     -   the transaction id, a text; its product; the product of the next period
///     5   auto-renew status, expiration intent, billing retry, price consent (255: not stated), offer type
///     -   with an offer type its text; the end of the grace period, 0 for none
///     -   the purchase date from which on no transaction is left out, if any is
///     -   the transactions, counted, the newest first (see ``EvidenceWriter``)
///     -   where the bits say so, what settling needs not know of them (see ``ShownDetails``)
///     -   what it says about access by itself (see ``EvidenceAccess``)
///     -   V2 only, and only where it is dated by something else: when it was signed
///     -   where no purchase is named and the receipt shows some that may be meant: those, counted, each as its
///       original
///         transaction id, a text, and its cancellation, 0 for none
///     -   V1 only, and only where its receipt was verified: what that says of it (where no purchase is named, the
///         ones that may be meant are before it, even if there are none; see ``EvidenceReceipt``)
///
/// Within one layout, facts and their values are only added at the end, so that stored evidence stays readable;
/// evidence of another layout is refused.
public struct Evidence: Hashable, Sendable {
    /// The layout above.
    let bytes: [UInt8]

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// What brings notifications together: the original transaction id of the subscription or purchase; `nil` for a
    /// notification that names none, which is judged by itself.
    ///
    /// Bodies of 2019 and 2020 may lack the bundle id, so it is not part of the key; a ``SubscriptionTimeline`` keeps
    /// environments and apps apart by itself.
    public var key: String? {
        bytes.withUnsafeBytes { EvidenceReader.header($0)?.originalTransactionID.string }
    }

    /// The keys of the purchases that a notification without a ``key`` may be about, at most eight; empty for others.
    ///
    /// Append it to the timelines of these too: where version 2 reports the same of one of them, it is a duplicate
    /// there. It changes nothing of the others in such a timeline.
    public var possibleKeys: [String] {
        bytes.withUnsafeBytes { memory in
            EvidenceReader.possibleSubjects(memory, .current).compactMap { $0.originalTransactionID.string }
        }
    }

    /// The base64url text of it.
    public var text: String { StrictBase64.encoded(url: bytes) }

    /// The evidence that a text represents; `nil` if it is none, or of a later layout.
    ///
    /// - Parameter text: What ``text`` gave.
    public init?(text: String) {
        guard let bytes = StrictBase64.decoded(url: Array(text.utf8)) else { return nil }
        var rows: [TimelineRow] = []
        guard bytes.withUnsafeBytes({ EvidenceReader.statement($0, .current, &rows) != nil }) else { return nil }
        self.bytes = bytes
    }
}

extension Evidence: Codable {
    /// Reads the base64url text.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let evidence = Evidence(text: try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not evidence of this version")
        }
        self = evidence
    }

    /// Writes the base64url text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
