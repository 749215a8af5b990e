// The lines between the markers stand in README.md, word for word; ReadmeTests compares them. They use nothing but the
// public interface.

// begin: snippet
import NotificationTranslation

/// Call it with the body of each request from Apple, V1 or V2, and answer 200 when it returns.
func receive(_ body: [UInt8], with normalizer: NotificationNormalizer, store: inout some EventStore) throws {
    let event = try normalizer.event(from: body)
    guard store.insert(event.line(), id: event.id), event.disposition == .event else { return }
    let subscription = event.transaction?.originalTransactionID
    switch event.entitlement {
    case .grant: store.giveAccess(to: subscription, until: event.transaction?.expiresAt)
    case .withdraw: store.endAccess(to: subscription)
    case .undecided: store.askSomebody(about: event.id, because: event.flags)
    case .keep, .none: break
    }
}
// end: snippet

import Testing

/// What the snippet takes for granted: a database.
protocol EventStore {
    /// Keeps an event unless one with that id is there; says whether it is new.
    mutating func insert(_ line: [UInt8], id: String) -> Bool
    mutating func giveAccess(to subscription: String?, until end: EventTime?)
    mutating func endAccess(to subscription: String?)
    mutating func askSomebody(about id: String, because flags: [AmbiguityFlag])
}

@Suite("The server in the README")
struct ServerSnippetTests {
    private struct Diary: EventStore {
        var ids: Set<String> = []
        var entries: [String] = []

        mutating func insert(_ line: [UInt8], id: String) -> Bool { ids.insert(id).inserted }

        mutating func giveAccess(to subscription: String?, until end: EventTime?) {
            entries.append("give \(subscription ?? "?") until \(end?.description ?? "?")")
        }

        mutating func endAccess(to subscription: String?) {
            entries.append("end \(subscription ?? "?")")
        }

        mutating func askSomebody(about id: String, because flags: [AmbiguityFlag]) {
            entries.append("ask \(flags)")
        }
    }

    @Test("gives, ends and doubts access for V1 and V2 alike, and once for a repeated delivery")
    func mixed() throws {
        let normalizer = NotificationNormalizer(policy: .trustingTheSource)
        var diary = Diary()
        var bodies: [[UInt8]] = []
        for file in ["2020.ndjson", "2023.ndjson"] {
            bodies += try Fixture.bytes("Fixtures/archive/" + file).split(separator: 0x0A).map { Array($0) }
        }
        bodies.append(try Fixture.bytes("Fixtures/archive/cancel.json"))
        for body in bodies + bodies {
            do {
                try receive(body, with: normalizer, store: &diary)
            } catch let error as NotificationError {
                #expect(error.code == .notANotification)
            }
        }
        #expect(
            diary.entries == [
                "give 1000000720000001 until 2020-02-05T09:00:00.000Z",
                "give 1000000720000001 until 2020-02-20T18:30:00.000Z",
                "give 2000000700000001 until 2023-11-24T12:00:00.000Z",
                "end 2000000700000001",
                "ask [CANCEL_REFUND_OR_UPGRADE]",
            ])
        #expect(diary.ids.count == 9)
    }
}
