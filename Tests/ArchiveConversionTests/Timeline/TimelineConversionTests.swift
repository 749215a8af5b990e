import NotificationTranslation
import Testing

@testable import NotificationArchives

@Suite("An archive converted with whole subscriptions in view")
struct TimelineConversionTests {
    /// One archive for all tests, and what it becomes with everything in memory.
    private static let archive = LivesArchive.text(lives: 12)

    @Test(
        "A conversion in timeline context gives the same bytes with any memory, workers and chunk size",
        arguments: [1, 2, 8], [700, 30_000])
    func spills(jobs: Int, chunkSize: Int) throws {
        let workspace = try Workspace(["a": Self.archive])
        let whole = try Trial(["a"], in: workspace, output: "whole", settle(.all, in: TimelineRequest()))
        let spilled = try Trial(["a"], in: workspace) {
            settle(.all)(&$0)
            asking(chunkSize, jobs: jobs)(&$0)
        }
        #expect(spilled.events == whole.events && spilled.rejects == whole.rejects)
        #expect(spilled.tally == whole.tally)
        #expect(whole.tally.records > 200 && whole.tally.rejected > 3)
        #expect(workspace.names == ["a", "out", "out.rejects", "whole", "whole.rejects"])
    }

    @Test(
        "A conversion says of every notification what the library says, and counts what it writes",
        arguments: SilentInference.allCases)
    func equalsTheLibrary(inference: SilentInference) throws {
        let asOf = EventTime("2026-01-01T00:00:00Z")
        let trial = try Trial(of: Self.archive, settle(inference, asOf: asOf?.milliseconds))
        let written = try trial.decoded.map(Self.withoutPlace)
        let expected = try Self.settled(inference, asOf)
        #expect(written.count == expected.count)
        for (event, wanted) in zip(written, expected) where event != wanted {
            Issue.record("\(event) is not \(wanted)")
            break
        }
        let tally = trial.tally
        #expect(tally.companions == written.count { $0.disposition == .companion })
        #expect(tally.duplicates == written.count { $0.disposition == .duplicate })
        #expect(tally.deduced == written.count { $0.disposition == .inferred })
        #expect(tally.converted == written.count - tally.deduced)
        let told = written.filter { $0.disposition != .inferred }
        #expect(tally.exact == told.count { $0.certainty == .exact })
        #expect(tally.inferred == told.count { $0.certainty == .inferred })
        #expect(tally.ambiguous == told.count { $0.certainty == .ambiguous })
        for (flag, count) in tally.namedFlags { #expect(told.count { $0.flags.contains(flag) } == count) }
        #expect((tally.deduced > 0) == (inference != .off))
    }

    private static func withoutPlace(_ event: UnifiedEvent) -> UnifiedEvent {
        var event = event
        event.source.input = nil
        event.source.line = nil
        event.source.offset = nil
        return event
    }

    /// The events of the archive by way of the library's timelines, in the order of the archive.
    private static func settled(_ inference: SilentInference, _ asOf: EventTime?) throws -> [UnifiedEvent] {
        let normalizer = NotificationNormalizer(policy: .trustingTheSource)
        var timelines: [String: SubscriptionTimeline] = [:]
        var places: [String: [Int]] = [:]
        var isGuest: [Bool] = []
        var count = 0
        for line in archive.split(separator: "\n") where line != "broken" {
            for entry in try normalizer.timelineEntries(from: Array(line.utf8)) {
                for key in [entry.evidence.key ?? "without a key \(count)"] + entry.evidence.possibleKeys {
                    timelines[key, default: SubscriptionTimeline(inferring: inference, asOf: asOf)].append(entry)
                    places[key, default: []].append(count)
                }
                isGuest.append(entry.evidence.key == nil)
                count += 1
            }
        }
        var events = [[UnifiedEvent]](repeating: [], count: count)
        for (key, timeline) in timelines {
            guard let own = places[key] else { continue }
            var place = -1
            for event in timeline.settled() {
                if event.disposition != .inferred { place += 1 }
                // A guest says something new only where version 2 tells the same.
                if isGuest[own[place]], !events[own[place]].isEmpty {
                    if event.disposition == .duplicate { events[own[place]] = [withoutPlace(event)] }
                } else {
                    events[own[place]].append(withoutPlace(event))
                }
            }
        }
        return events.flatMap { $0 }
    }

    @Test("Companions are left out where that is asked for, but counted")
    func dropsCompanions() throws {
        let kept = try Trial(of: Self.archive, settle())
        let dropped = try kept.again {
            $0.timeline = .frugal
            $0.timeline?.dropped = [.companion]
        }
        let lines = kept.lines.filter { !$0.contains(#""disposition":"companion""#) }
        #expect(dropped.lines == lines)
        #expect(dropped.tally == kept.tally)
        let alone = try kept.again { $0.records.dropsCompanions = true }
        #expect(!alone.events.contains(#""disposition":"companion""#))
        #expect(alone.lines.count == alone.tally.converted - alone.tally.companions)
        #expect(alone.tally.companions > 3)
    }

    @Test("A conversion takes the latest time of the input as now where nothing else is said")
    func asOfTheEnd() throws {
        let plain = try Trial(of: Self.archive, settle())
        func deduced(_ asOf: Int64?) throws -> Trial { try plain.again(settle(.all, asOf: asOf)) }
        let atEnd = try deduced(nil)
        let times = atEnd.lines.compactMap { line -> Int64? in
            guard !line.contains(#""disposition":"inferred""#) else { return nil }
            return line.text(between: #""occurred_at_ms":"#, and: ",").flatMap { Int64($0) }
        }
        let latest = try #require(times.max())
        #expect(try deduced(latest).events == atEnd.events)
        #expect(try deduced(latest - 2000 * 86_400_000).tally.deduced < atEnd.tally.deduced)
    }

    @Test("A conversion counts the same where nothing is written")
    func dryRun() throws {
        let workspace = try Workspace(["a": Self.archive])
        let trial = try Trial(["a"], in: workspace, settle())
        var request = ConversionRequest(records: .init())
        request.inputs = [workspace.path("a")]
        request.output = workspace.path("dry")
        request.timeline = .frugal
        request.dryRun = true
        let outcome = try Conversion(request, messages: Messages(isQuiet: true)).run()
        #expect(outcome.tally == trial.tally)
        #expect(workspace.names == ["a", "out", "out.rejects"])
    }

    @Test("A conversion escapes what JSON wants escaped wherever a text comes back from evidence")
    func escapes() throws {
        let odd = #"x\"\r\n\u0001\\"#
        let data =
            #"{"bundleId":"\#(odd)","environment":"Sandbox","transactionInfo":{"originalTransactionId":"\#(odd)"}}"#
        let twice =
            #"{"notificationType":"TEST","notificationUUID":"\#(odd)","signedDate":1,"data":\#(data)}"# + "\n"
        let rows = [(1, 1_600_000_000_000), (2, 1_602_592_000_000), (3, 1_605_184_000_000)].map { number, at in
            #"{"transaction_id":"\#(odd)\#(number)","original_transaction_id":"\#(odd)","product_id":"\#(odd)","#
                + #""purchase_date_ms":"\#(at)","expires_date_ms":"\#(at + 2_592_000_000)","#
                + #""promotional_offer_id":"\#(odd)"}"#
        }
        let body =
            #"{"notification_type":"DID_CHANGE_RENEWAL_STATUS","bid":"\#(odd)","auto_renew_status":"false","#
            + #""auto_renew_status_change_date_ms":"1606000000000","environment":"PROD","#
            + #""unified_receipt":{"latest_receipt_info":[\#(rows.joined(separator: ","))]}}"# + "\n"
        let now = Int64(1_700_000_000_000)
        let trial = try Trial(of: twice + twice + body, settle(.all, asOf: now, in: TimelineRequest()))
        let events = try trial.decoded
        let text = "x\"\r\n\u{1}\\"
        #expect(events.filter { $0.disposition == .duplicate }.map(\.companionOf) == [text])
        let deduced = events.filter { $0.disposition == .inferred }
        #expect(!deduced.isEmpty)
        for event in deduced {
            #expect(event.bundleID == text)
            #expect(event.transaction?.productID == text)
            #expect(event.transaction?.originalTransactionID == text)
        }
    }

    @Test("A refund that names no purchase is joined to the nearest one that version 2 reports", arguments: [1, 2, 8])
    func guests(jobs: Int) throws {
        func row(_ id: Int, _ cancelled: Int) -> String {
            #"{"transaction_id":"\#(id)","original_transaction_id":"\#(id)","product_id":"boost","#
                + #""purchase_date_ms":"1650000000000","cancellation_date_ms":"\#(cancelled)"}"#
        }
        func signed(_ id: Int, _ revoked: Int) -> String {
            #"{"notificationType":"REFUND","notificationUUID":"of \#(id)","signedDate":\#(revoked + 4000),"#
                + #""data":{"bundleId":"com.example.news","environment":"Production","transactionInfo":"#
                + #"{"transactionId":"\#(id)","originalTransactionId":"\#(id)","productId":"boost","#
                + #""purchaseDate":1650000000000,"revocationDate":\#(revoked),"type":"Consumable"}}}"#
        }
        func told(_ rows: [String]) -> String {
            #"{"notification_type":"REFUND","bid":"com.example.news","environment":"PROD","#
                + #""unified_receipt":{"latest_receipt_info":[\#(rows.joined(separator: ","))]}}"#
        }
        let times = (1...4).map { 1_655_000_000_000 + $0 * 600_000 }
        // The third and the fourth show the refunds before them too; nobody tells of the fourth a second time.
        let lines = [
            told([row(71, times[0])]), told([row(71, times[0]), row(72, times[1])]), signed(72, times[1]),
            signed(71, times[0]), told([row(71, times[0]), row(72, times[1]), row(73, times[2])]), signed(73, times[2]),
            told([row(71, times[0]), row(72, times[1]), row(73, times[2]), row(74, times[3])]),
        ]
        let trial = try Trial(of: lines.asLines) {
            settle()(&$0)
            $0.jobs = jobs
        }
        let events = try trial.decoded
        #expect(
            events.map(\.disposition.rawValue) == [
                "duplicate", "duplicate", "event", "event", "duplicate", "event", "event",
            ])
        #expect(events.map(\.companionOf) == ["of 71", "of 72", nil, nil, "of 73", nil, nil])
        #expect(trial.tally.duplicates == 3)
    }
}
