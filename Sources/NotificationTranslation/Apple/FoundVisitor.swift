/// Receives the notifications that the decoder finds in a record and its envelopes.
///
/// A class, and not a closure that is passed on: the decoder's functions call each other in a ring, and the optimiser
/// would make a copy of all of them for every closure.
class FoundVisitor {
    /// Notifications received so far.
    private(set) final var notifications = 0
    /// Above 0: JSON without a notification is not reported, as the JSON around it may still hold one.
    final var passesOverForeign = 0

    /// What the policy said of the signed payload that is being read, if one is.
    final var signed: Authenticity?
    /// Whether the policy refused something; the search of the record then ends.
    final var wasRefused = false

    /// Whether the signed text that belongs here was blanked or cut, so that the text beside it is read.
    final var lostSignedText = false

    /// Whether a search, not the names of an envelope, led to what is read now.
    final var searches = false
    /// Whether a notification is ignored that a search already found in another member of the same object.
    final var comparesPrints = false
    /// Hashes of what was found in the earlier members, and in the member that is being read.
    final var knownPrints: Set<UInt64> = []
    final var seenPrints: Set<UInt64> = []
    /// Whether a hash was put into them.
    private final var hasPrints = false

    /// Steps of the JSON pointer to the time of receipt; `nil` where the envelope says it.
    final var timeSteps: [String]?
    /// The time of receipt that holds whatever the envelope says; `nil` where the envelope says it.
    final var received: ReceiveTime??
    /// Whether a JSON pointer to the body points to nothing in the record.
    final var missedPointer = false
    /// Texts that were opened in the record: JSON in strings, base64, unwrapped typed values.
    ///
    /// Each is read as a whole, so they are what a search costs; a test counts them.
    final var openedTexts = 0

    /// What was recognized in the record without being a notification.
    final var explained: [ExplainedSkip] = []
    /// The error of a translation of this program's in the record, which is not Apple's word; the first one.
    final var translated: NotificationError?

    /// Whether a part of the record has a known shape that is not a notification.
    final var isExplained: Bool { translated != nil || explained.contains { $0.reason != .notApples } }

    /// When the record was received, as far as its envelope said at what was visited last.
    final var receivedLast: ReceiveTime?

    /// Payloads of version 2 in the record that hold dates without a zone, which were read as UTC.
    final var zonelessPayloads = 0

    /// Takes what was found; nothing does so here.
    func take(_ found: NotificationDecoder.Found) {}

    /// Resets it for the next record.
    final func reset() {
        notifications = 0
        passesOverForeign = 0
        signed = nil
        wasRefused = false
        lostSignedText = false
        searches = false
        comparesPrints = false
        if hasPrints {
            knownPrints = []
            seenPrints = []
            hasPrints = false
        }
        missedPointer = false
        openedTexts = 0
        receivedLast = nil
        zonelessPayloads = 0
        if !explained.isEmpty { explained = [] }
        translated = nil
    }

    /// Takes over what another one counted that was passed on to this one.
    final func count(_ other: FoundVisitor) {
        if other.wasRefused { wasRefused = true }
        openedTexts += other.openedTexts
        zonelessPayloads += other.zonelessPayloads
        explain(as: other)
    }

    /// Takes over the known shapes that another visitor met.
    final func explain(as other: FoundVisitor) {
        explained += other.explained
        translated = translated ?? other.translated
    }

    /// Begins a search, which ignores foreign values; returns what ``endSearch(_:)`` needs.
    final func beginSearch() -> Bool {
        passesOverForeign += 1
        defer { searches = true }
        return searches
    }

    /// Ends a search and restores the state before it.
    final func endSearch(_ searchedBefore: Bool) {
        passesOverForeign -= 1
        searches = searchedBefore
    }

    final func visit(_ found: NotificationDecoder.Found) {
        receivedLast = received ?? found.received
        if found.finding == .foreign {
            guard passesOverForeign == 0, translated == nil else { return }
        } else {
            notifications += 1
        }
        if comparesPrints || received != nil { return visitClosely(found) }
        take(found)
    }

    @inline(never)
    private final func visitClosely(_ found: NotificationDecoder.Found) {
        var found = found
        if let received { found.received = received }
        if comparesPrints, found.finding != .foreign {
            let print = found.print
            if knownPrints.contains(print) { return }
            seenPrints.insert(print)
            hasPrints = true
        }
        take(found)
    }
}

/// Hands what was found to a closure.
final class ClosureVisitor: FoundVisitor {
    private let closure: (NotificationDecoder.Found) -> Void

    init(_ closure: @escaping (NotificationDecoder.Found) -> Void) {
        self.closure = closure
    }

    override func take(_ found: NotificationDecoder.Found) {
        closure(found)
    }
}

extension NotificationDecoder.Found {
    /// A hash of what the notification says of itself: the same for one that was kept in two forms.
    fileprivate var print: UInt64 {
        var hash = StableHash()
        let fields = holder
        func add(_ text: JSONText, _ memory: UnsafeRawPointer) {
            hash.add(TextView(memory: memory).string(text))
        }
        if finding == .v1 {
            let keys: [V1Keys.Root] = [
                .notificationType, .autoRenewStatus, .autoRenewProductID, .statusChangeDateMs, .originalTransactionID,
                .webOrderLineItemID, .cancellationDateMs, .bid, .bvrs,
            ]
            for key in keys { add(fields.v1[key], memory) }
            for row in 0..<fields.v1.rows.count {
                add(fields.v1[row: row, .transactionID], memory)
                add(fields.v1[row: row, .expiresDateMs], memory)
            }
        } else {
            add(fields.v2[.v2Type as V1Keys.Root], memory)
            add(fields.v2[.v2Subtype as V1Keys.Root], memory)
            add(fields.v2[.v2UUID as V1Keys.Root], memory)
            guard fields.v2[.v2UUID as V1Keys.Root].isBlank else { return hash.value }
            add(fields.v2[.v2SignedDate as V1Keys.Root], memory)
            add(fields.v2[.transactionId as V2Keys.Transaction], transactionMemory)
        }
        return hash.value
    }
}

/// Passes on notifications with what makes them doubtful.
final class DoubtVisitor: FoundVisitor {
    private let outer: FoundVisitor
    private let doubts: NotificationDecoder.Found.Doubts

    init(_ outer: FoundVisitor, _ doubts: NotificationDecoder.Found.Doubts) {
        self.outer = outer
        self.doubts = doubts
        super.init()
        signed = outer.signed
        searches = outer.searches
        lostSignedText = outer.lostSignedText
        passesOverForeign = outer.passesOverForeign
    }

    override func take(_ found: NotificationDecoder.Found) {
        var found = found
        if found.finding != .foreign { found.doubts.formUnion(doubts) }
        outer.visit(found)
    }
}
