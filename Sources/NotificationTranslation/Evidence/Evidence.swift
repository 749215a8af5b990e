/// What a timeline needs to know of one notification, and nothing else: a few hundred bytes in place of the body.
///
/// A server keeps it in one column beside the event, a cluster moves it in place of the body, `convert` spills it. It
/// holds the facts the body gave, its times, the renewal info and the subscription's transactions, and neither the
/// shared secret nor any receipt; of a receipt at most the creation date and, if it was verified, how far it proves the
/// event. Settling from evidence gives what settling from the bodies gives.
///
/// Coded as one string, base64url of the bytes that `Statement.code` names part by part: the version of the
/// layout, a byte of what kind it is, whose it is, the facts, the times, the renewal info and the transactions.
///
/// Within one layout, facts and their values are only added at the end, so that stored evidence stays readable;
/// evidence of another layout is refused.
public struct Evidence: Hashable, Sendable {
    let bytes: [UInt8]

    init(bytes: [UInt8]) { self.bytes = bytes }

    /// What brings notifications together: the original transaction id of the subscription or purchase; `nil` for a
    /// notification that names none, which is judged by itself.
    ///
    /// Bodies of 2019 and 2020 may lack the bundle id, so it is not part of the key; a ``SubscriptionTimeline`` keeps
    /// environments and apps apart by itself.
    public var key: String? { bytes.withUnsafeBytes { EvidenceReader.header($0)?.originalTransactionID.string } }

    /// The keys of the purchases that a notification without a ``key`` may be about, at most eight; empty for others.
    ///
    /// Append it to the timelines of these too: where version 2 reports the same of one of them, it is a duplicate
    /// there. It changes nothing of the others in such a timeline.
    public var possibleKeys: [String] {
        bytes.withUnsafeBytes { EvidenceReader.possibleKeys($0).compactMap(\.string) }
    }

    /// The base64url text of it.
    public var text: String { StrictBase64.encoded(url: bytes) }

    /// The evidence that a text represents; `nil` if it is none, or of another layout.
    ///
    /// - Parameter text: What ``text`` gave.
    public init?(text: String) {
        guard let bytes = StrictBase64.decoded(url: Array(text.utf8)),
            bytes.withUnsafeBytes(EvidenceReader.isReadable)
        else { return nil }
        self.bytes = bytes
    }
}

extension Evidence: Codable, TextCoded {
    static func decoded(_ text: String) -> Evidence? { Evidence(text: text) }
}
