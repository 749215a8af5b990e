// The lines between the markers stand in README.md, word for word; ReadmeTests compares them. They use nothing but the
// public interface.

// begin: snippet
import NotificationTranslation

/// Call it with the body of each request from Apple, V1 or V2, and answer 200 when it returns.
func receive(
    _ body: [UInt8], at now: EventTime, with normalizer: NotificationNormalizer, store: inout some AccessStore
) throws {
    let event = try normalizer.event(from: body, receivedAt: now)
    // Notifications that name no purchase may share an id: that is no repetition.
    let id = event.flags.contains(.identityWeak) ? "\(event.id) \(now)" : event.id
    guard store.insert(event.line(), id: id), [.event, .unmapped].contains(event.disposition),
        let purchase = event.transaction?.originalTransactionID
    else { return }
    let key = "\(event.environment?.rawValue ?? "unknown") \(purchase)"  // the sandbox apart
    var access = store.access(of: key)
    let time = event.occurredAt ?? now
    let isLate = time < access.decidedAt  // something newer has decided
    switch event.entitlement {
    case .grant where !isLate: access = Access(until: event.accessUntil ?? .distantFuture, decidedAt: time)
    case .keep where !isLate, .grant where event.flags.contains(.timeLowerBound):
        access.until = max(access.until, event.accessUntil ?? access.until)
    case .withdraw where !isLate: access = Access(until: time, decidedAt: time)
    case .undecided: return store.askSomebody(about: event.id, because: event.flags)
    case .grant, .keep, .withdraw, .unaffected: return
    }
    store.set(access, of: key)
}
// end: snippet

import Testing

/// What the snippet takes for granted: a database with a row for each subscription.
protocol AccessStore {
    /// Keeps an event unless one with that id is there; says whether it is new.
    mutating func insert(_ line: [UInt8], id: String) -> Bool
    func access(of subscription: String) -> Access
    mutating func set(_ access: Access, of subscription: String)
    mutating func askSomebody(about id: String, because flags: [AmbiguityFlag])
}

/// Until when a customer has access, and when the last event had happened that decided so.
struct Access: Equatable {
    var until: EventTime
    var decidedAt: EventTime
}

extension EventTime {
    static let distantPast = EventTime(milliseconds: .min)
    static let distantFuture = EventTime(milliseconds: .max)
}

@Suite("The server in the README")
struct ServerSnippetTests {
    private struct Diary: AccessStore {
        var ids: Set<String> = []
        var rows: [String: Access] = [:]
        var entries: [String] = []

        mutating func insert(_ line: [UInt8], id: String) -> Bool { ids.insert(id).inserted }

        func access(of subscription: String) -> Access {
            rows[subscription] ?? Access(until: .distantPast, decidedAt: .distantPast)
        }

        mutating func set(_ access: Access, of subscription: String) {
            guard rows.updateValue(access, forKey: subscription) != access else { return }
            entries.append("\(subscription) until \(access.until)")
        }

        mutating func askSomebody(about id: String, because flags: [AmbiguityFlag]) { entries.append("ask \(flags)") }
    }

    @Test("The server in the README gives and ends access, or asks, once for a repeated delivery")
    func mixed() throws {
        var diary = Diary()
        var bodies: [[UInt8]] = []
        for file in ["2020.ndjson", "2023.ndjson"] {
            bodies += try Fixture.bytes("Fixtures/archive/" + file).split(separator: 0x0A).map { Array($0) }
        }
        bodies.append(try Fixture.bytes("Fixtures/archive/cancel.json"))
        let received = try #require(EventTime("2020-02-20T18:31:00Z"))
        for body in bodies + bodies {
            do {
                try receive(body, at: received, with: trusting, store: &diary)
            } catch let error as NotificationError {
                #expect(error.code == .notANotification)
            }
        }
        #expect(
            diary.entries == [
                "Production 1000000720000001 until 2020-02-05T09:00:00.000Z",
                "Production 1000000720000001 until 2020-02-20T18:30:00.000Z",
                "Production 1000000720000001 until 2020-03-07T18:30:00.000Z",
                "Production 2000000700000001 until 2023-11-24T12:00:00.000Z",
                "ask [CANCEL_REFUND_OR_UPGRADE, LATE_DELIVERY]",
            ])
        #expect(diary.ids.count == 9)
    }
}
