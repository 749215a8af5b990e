/// A notification that was found in a record.
///
/// Its ranges are valid as long as the record is, and until ``holder`` reads something else.
package struct FoundNotification {
    /// What the record says beside the notification that makes it doubtful.
    struct Doubts: OptionSet {
        var rawValue: UInt8

        /// A row names another type than the notification beside it has.
        static let otherType = Doubts(rawValue: 1)
        /// Beside the fields of a row is something with signs of a notification that cannot be read.
        static let unreadable = Doubts(rawValue: 2)
        /// Its keys were changed, and fit either version.
        static let version = Doubts(rawValue: 4)
    }

    /// The version whose fields are in ``NotificationReader/v1`` or ``NotificationReader/v2`` of its ``holder``.
    package var kind: NotificationVersion
    /// The memory that the ranges of the body or payload belong to.
    var memory: UnsafeRawPointer
    let holder: NotificationReader
    /// When the server received it, in milliseconds since 1970, as far as the envelope says.
    var receivedAt: Int64? { received?.milliseconds }
    /// The same, with what is known of its zone.
    package var received: ReceiveTime?
    /// How often Apple tried to send it, where it is in a page of Apple's notification history; `nil` elsewhere.
    var attempts: SendAttempts?
    /// How far its sender was checked.
    var authenticity = Authenticity.unverified
    var doubts: Doubts = []
    /// Whether the record may hold more than it and scalars, such as an answer of Apple's.
    package var mayHaveNeighbors = true
    /// How many signed texts it is in.
    var signedTexts = 0
    /// Whether dates in it name no zone, and were read as UTC.
    package var hasZonelessDates = false

    /// Whether it differs from another notification in type, subscription or id.
    func isOther(than other: FoundNotification) -> Bool {
        guard kind == other.kind else { return !doubts.union(other.doubts).contains(.version) }
        let pair = [self, other]
        let texts: [[String?]]
        if kind == .v2 {
            let ids = pair.map { $0.holder.v2[.v2UUID].string ?? "" }
            guard ids.contains("") else { return ids[0] != ids[1] }
            texts = pair.map { found in
                [.v2Type, .v2Subtype].map { found.holder.v2[$0].string }
                    + [found.holder.v2[transaction: .transactionId].string]
            }
        } else {
            let keys: [V1Keys.Root] = [.notificationType, .originalTransactionID, .webOrderLineItemID, .bid]
            texts = pair.map { found in
                let (fields, view) = (found.holder.v1, TextView(memory: found.memory))
                let rows = (0..<fields.rows.count).map { fields[row: $0, .transactionID] }
                return (keys.map { fields[$0] } + rows).map(view.string)
            }
        }
        return zip(texts[0], texts[1]).contains { one, other in
            one != other && one?.isEmpty == false && other?.isEmpty == false
        }
    }

    /// What the notification says of itself: the same for one that was kept in two forms.
    var fingerprint: [String] {
        guard kind == .v1 else {
            let fields = holder.v2
            let id = fields[.v2UUID]
            let names = id.isBlank ? [fields[.v2SignedDate], fields[transaction: .transactionId]] : [id]
            return ([fields[.v2Type], fields[.v2Subtype]] + names).map { $0.string ?? "" }
        }
        let (fields, view) = (holder.v1, TextView(memory: memory))
        let keys: [V1Keys.Root] = [
            .notificationType, .autoRenewStatus, .autoRenewProductID, .statusChangeDateMs, .originalTransactionID,
            .webOrderLineItemID, .cancellationDateMs, .bid, .bvrs,
        ]
        let rows = (0..<fields.rows.count).flatMap { row in
            [fields[row: row, .transactionID], fields[row: row, .expiresDateMs]]
        }
        return (keys.map { fields[$0] } + rows).map(view.string)
    }
}

/// What was found in a value of a record: nothing, notifications, a failure, or notifications beside a failure.
package struct Findings {
    /// The notifications, in the order of the record.
    package var found: [FoundNotification] = []
    /// The first failure that must be reported.
    package var failure: NotificationError?
    /// Whether the policy refused something; the search then ends.
    var isRefused = false
    /// Whether signs of a notification are beside those that were found, in what cannot be read.
    package var leavesSigns = false
    /// What was recognized without being a notification.
    package var explained: [ExplainedSkip] = []
    /// The error of a translation of this program's, which is not Apple's word; the first one.
    var translated: NotificationError?
    /// When the value was received, as far as its members say.
    package var receivedAt: ReceiveTime?
    /// Whether a JSON pointer to the body points to nothing.
    package var missedPointer = false
    /// Texts that were opened: JSON in strings, base64, unwrapped typed values.
    ///
    /// Each is read as a whole, so they are what a search costs; a test counts them.
    var openedTexts = 0

    /// Nothing that is a notification.
    package static var nothing: Findings { Findings() }

    /// Something that cannot be read.
    static func failed(_ failure: NotificationError, isRefused: Bool = false) -> Findings {
        Findings(failure: failure, isRefused: isRefused)
    }

    /// The failure of a text that is nested in too many others.
    static var tooManyTexts: Findings {
        let limit = "more than \(Envelope.mostTexts) nested encodings (JSON in strings, base64, signed payloads)"
        return .failed(NotificationError(code: .tooManyEnvelopes, sentence: limit))
    }

    /// Takes back a failure, where nothing was found or refused, unless it has to be reported.
    mutating func forgive(unless isSerious: () -> Bool) {
        if failure != nil, !isRefused, found.isEmpty, !isSerious() { failure = nil }
    }

    /// Whether neither a notification nor a failure is in it.
    var isNothing: Bool { found.isEmpty && failure == nil }

    /// Whether something in it has a known shape that is not a notification.
    var isExplained: Bool { translated != nil || explained.contains { $0.reason != .notApples } }

    /// Fails where more notifications are in it than are taken from one record, and says so.
    mutating func failsAsTooMany(at offset: Int) -> Bool {
        guard found.count > Envelope.mostNotifications else { return false }
        let sentence = "more than \(Envelope.mostNotifications) notifications in one record"
        failure = NotificationError(code: .tooManyNotifications, offset: offset, sentence: sentence)
        return true
    }

    /// Takes over what another value explains, without its notifications.
    mutating func explain(_ other: Findings) {
        explained += other.explained
        translated = translated ?? other.translated
        openedTexts += other.openedTexts
    }

    /// Notes how often Apple tried to send the notifications; what is known of one stays unless it is replaced.
    mutating func take(_ attempts: SendAttempts, replacing: Bool) {
        for place in found.indices where replacing || found[place].attempts == nil { found[place].attempts = attempts }
    }

    /// Appends what was found in another value; the first failure stays.
    mutating func append(_ other: Findings) {
        found += other.found
        failure = failure ?? other.failure
        isRefused = isRefused || other.isRefused
        leavesSigns = leavesSigns || other.leavesSigns
        explain(other)
    }

    /// A copy that fails if the record is output of this program and nothing else failed.
    var failingIfTranslated: Findings {
        var copy = self
        copy.failure = failure ?? translated
        return copy
    }

    /// Places what was found in an opened text where that text is.
    func enclosed(in range: Range<Int>?) -> Findings {
        var copy = self
        copy.explained.enclose(from: 0, in: range)
        return copy
    }

    /// The same with a further doubt.
    func doubted(_ doubts: FoundNotification.Doubts) -> Findings {
        var copy = self
        for place in copy.found.indices { copy.found[place].doubts.formUnion(doubts) }
        return copy
    }
}

/// Leaves out what says the same as a notification found before it in another place.
struct Fingerprints {
    private var known: Set<[String]> = []

    /// The notifications of a value that none before it were; equal ones within it are different notifications.
    mutating func new(_ found: [FoundNotification]) -> [FoundNotification] {
        let prints = found.map(\.fingerprint)
        defer { known.formUnion(prints) }
        return zip(found, prints).filter { !known.contains($0.1) }.map(\.0)
    }
}

/// What is around a value that is searched.
struct Surroundings {
    /// When it was received, as far as is known.
    var receivedAt: ReceiveTime?
    /// Keys followed so far, from the record on.
    var level = 0
    /// Texts opened so far: JSON in strings, base64, signed payloads, rewritten bodies.
    var texts = 0
    /// How often a text that this one is in was rewritten by a ``BodyReshaper``.
    var reshapings = 0
    /// Rows with a type of their own that are around it.
    var rows = 0
    /// What the policy said of the signed payload that it is in, if it is in one.
    var signed: Authenticity?
    /// How many signed texts it is in.
    var signedTexts = 0
    /// Whether the signed text that belongs here was blanked or cut, so that the text beside it is read.
    var lostSignedText = false
    /// Whether the record is the notification, so that it is searched in no envelope.
    var isWithoutEnvelope = false
    /// Whether a search, not the names of an envelope, led to it.
    var isSearch = false
    /// Parts of a payload that are beside the object which holds it, in the same text.
    var parts: [PartPlace] = []

    /// The same one key further down.
    func inside() -> Surroundings {
        var inside = self
        inside.level += 1
        return inside
    }
}
