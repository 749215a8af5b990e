import NotificationTranslation
import PayloadVerification
import Testing

/// `Fixtures/receipts/replay.ndjson`: a refund with a receipt of 10 March, around which two bodies with the receipt of
/// 1 March are sent again, and its reversal with a receipt of 20 March; signed below `replay-root.pem`, whose key is gone.
@Suite("A receipt from before a refund")
struct ReceiptReplayTests {
    /// Of the refund, a status change that somebody dated after it, the renewal of before sent again, and the reversal.
    private static func bodies(_ order: [Int]) throws -> [String] {
        let lines = try ReceiptTests.lines("replay")
        return order.map { lines[$0] }
    }

    /// What `convert` makes of them.
    private static func converted(_ order: [Int], isVerifying: Bool = true) throws -> [UnifiedEvent] {
        let words = ["convert", "--infer", "all", "--as-of", "2027-03-25", "a"]
        let options = isVerifying ? ReceiptTests.verifyReplay : []
        return try Command.run(words + options, over: bodies(order).asLines).events
    }

    /// Whether a backend that follows the events, in the order of time, gives access after all of them.
    private static func givesAccess(_ events: [UnifiedEvent]) -> Bool {
        events.sorted { ($0.occurredAt?.milliseconds ?? 0) < ($1.occurredAt?.milliseconds ?? 0) }.reduce(false) {
            switch $1.entitlement {
            case .grant, .keep: true
            case .withdraw: false
            default: $0
            }
        }
    }

    private static func expectStands(_ all: [UnifiedEvent], _ comment: Comment) {
        // What is deduced of the months before the refund is another matter.
        let refunded = EventTime("2027-03-09T12:00:00Z")?.milliseconds ?? 0
        let events = all.filter { $0.disposition != .inferred || $0.occurredAt?.milliseconds ?? .max >= refunded }
        #expect(events.filter { $0.v2.type == "REFUND_REVERSED" } == [], comment)
        #expect(events.filter { $0.entitlement == .grant || $0.entitlement == .keep } == [], comment)
        #expect(events.contains { $0.entitlement == .withdraw }, comment)
        #expect(!givesAccess(events), comment)
        let outdated = events.filter { $0.flags.contains("RECEIPT_OUTDATED") }
        #expect(outdated.count == events.count - 1, comment)
        #expect(outdated.allSatisfy { $0.source.type != "CANCEL" }, comment)
    }

    private static let replays = [[0, 1], [1, 0], [0, 2], [2, 0], [0, 1, 2], [2, 1, 0], [1, 0, 2]]

    @Test(
        "A receipt from before a refund does not undo it in an archive, whatever the order of the bodies",
        arguments: replays)
    func archive(_ order: [Int]) throws {
        Self.expectStands(try Self.converted(order), "\(order)")
    }

    @Test("A receipt from before a refund would undo it where receipts are not looked at")
    func withoutReceipts() throws {
        let events = try Self.converted([0, 1], isVerifying: false)
        #expect(events.contains { $0.v2.type == "REFUND_REVERSED" && $0.entitlement == .grant })
    }

    @Test("A receipt from before a refund does not undo it after a cluster's sort", arguments: replays)
    func grouped(_ order: [Int]) throws {
        let command = try Command()
        let words = ["evidence"] + ReceiptTests.verifyReplay
        let keyed = try command.run(words, input: .text(Self.bodies(order).asLines))
        let sorted = keyed.lines.sorted { Array($0.utf8).lexicographicallyPrecedes($1.utf8) }
        let run = try command.run("settle", "--infer", "all", input: .text(sorted.asLines))
        Self.expectStands(try run.events, "\(order)")
    }

    @Test(
        "A receipt from before a refund does not undo it in a server that receives one body after the other",
        arguments: replays)
    func received(_ order: [Int]) throws {
        let (update, stored) = try Self.receive(Self.bodies(order))
        Self.expectStands(stored, "\(order)")
        // What arrives after the refund gives nothing even for a moment.
        #expect(order.last == 0 || (update.event.entitlement != .grant && update.event.entitlement != .keep))
    }

    @Test(
        "A newer receipt, which reverses the refund, is not stopped by one from before it",
        arguments: [[0, 1, 2, 3], [3, 2, 1, 0]])
    func reversal(_ order: [Int]) throws {
        for events in [try Self.converted(order), try Self.receive(Self.bodies(order)).stored] {
            #expect(events.count { $0.v2.type == "REFUND_REVERSED" && $0.entitlement == .grant } == 1)
            #expect(Self.givesAccess(events))
            let newest = events.filter { $0.source.type == "DID_CHANGE_RENEWAL_STATUS" }
                .max { ($0.occurredAt?.milliseconds ?? 0) < ($1.occurredAt?.milliseconds ?? 0) }
            #expect(newest?.flags.contains("RECEIPT_OUTDATED") == false)
        }
    }

    /// Receives bodies as ``SubscriptionTimeline`` documents it, the evidence stored as text between them.
    private static func receive(
        _ bodies: [String]
    ) throws -> (last: SubscriptionTimeline.Update, stored: [UnifiedEvent]) {
        let verifier = try ReceiptTests.verifier("replay-root.pem")
        let normalizer = NotificationNormalizer(policy: .trustingTheSource.verifyingReceipts(with: verifier))
        var kept: [TimelineEntry] = []
        var stored: [String: UnifiedEvent] = [:]
        var last: SubscriptionTimeline.Update?
        let now = try #require(EventTime("2027-03-25T00:00:00Z"))
        for body in bodies {
            for entry in try normalizer.timelineEntries(from: Array(body.utf8)) {
                var timeline = SubscriptionTimeline(inferring: .all)
                for entry in kept { timeline.append(entry) }
                let update = timeline.receive(entry, now: now)
                let text = try #require(Evidence(text: entry.evidence.text))
                kept.append(TimelineEntry(event: entry.event, evidence: text))
                stored[update.event.id] = update.event
                for correction in update.corrections {
                    switch correction {
                    case .replace(let event): stored[event.id] = event
                    case .retract(let id): stored[id] = nil
                    }
                }
                last = update
            }
        }
        return (try #require(last), Array(stored.values))
    }
}
