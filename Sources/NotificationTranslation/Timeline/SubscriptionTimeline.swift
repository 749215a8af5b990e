/// The notifications of one subscription, and what each of them means with all the others in view.
///
/// ```swift
/// var timeline = SubscriptionTimeline(inferring: .safe)
/// for body in bodies {
///     for entry in try normalizer.timelineEntries(from: body) { timeline.append(entry) }
/// }
/// let events = timeline.settled()       // companions and repeats marked, ambiguities settled
/// ```
///
/// They may be appended in any order: their events are ordered by their own times, and by when they were received
/// where they have none. All should have the same ``Evidence/key``; environments and apps are kept apart here.
/// Notifications without a key belong in a timeline of their own each, and as guests in those of their
/// ``Evidence/possibleKeys``: what version 2 reports too is a duplicate there, and nothing else changes.
public struct SubscriptionTimeline: Sendable {
    /// What has been appended, in that order.
    public internal(set) var entries: [TimelineEntry]
    /// Apple's answers about the subscription, in any order.
    public internal(set) var answers: [Evidence] = []
    /// Which events that V1 never sent are deduced.
    package var inference: SilentInference
    /// What counts as now; `nil` takes the latest time of any entry.
    package var asOf: EventTime?
    /// When the events may next change without a new notification; `nil` if nothing will change.
    ///
    /// Set by ``receive(_:now:)`` and ``settleAgain(now:)``; `nil` before the first call. Store it with the
    /// subscription and call ``settleAgain(now:)`` then: a partner that never came is given up, a period has ended.
    /// Nothing changes before.
    public internal(set) var settleAgainAt: EventTime?
    /// How many of ``answers`` the last call of ``receive(_:now:)`` or ``settleAgain(now:)`` knew.
    var settledAnswerCount = 0
    /// Whether a partner that is not in view may still be on its way.
    var waitsForPartners = false
    /// Whether nothing is on its way and nothing will follow, as ``receive(_:now:)`` assumes without `now`.
    var isComplete = false

    /// A timeline of no notifications.
    ///
    /// - Parameters:
    ///   - inference: Which events that V1 never sent are deduced.
    ///   - asOf: What counts as now for a subscription that lapsed and never returned, and for a notification that did
    ///     not come until then; `nil` takes the latest time of any entry.
    public init(inferring inference: SilentInference = .off, asOf: EventTime? = nil) {
        entries = []
        self.inference = inference
        self.asOf = asOf
    }

    /// Adds a notification.
    ///
    /// More may follow, so that the view ends with the latest time, whatever ``receive(_:now:)`` assumed before.
    public mutating func append(_ entry: TimelineEntry) {
        entries.append(entry)
        isComplete = false
    }

    /// Adds what Apple answered about the subscription: it is no event, and settles what notifications leave open.
    ///
    /// Append each page by itself, in the order of arrival, and store answers as you store entries. The next
    /// ``settleAgain(now:)`` returns the corrections. It settles once more for each answer since the last call, and in a new
    /// timeline for all of them.
    ///
    /// - Parameter answer: One of ``NotificationNormalizer/answers(from:receivedAt:)`` with the key of the subscription.
    public mutating func append(answer: Evidence) { answers.append(answer) }

    /// The events of all notifications, in the order they were appended, each judged with all the others in view;
    /// deduced ones come directly after the last event they were deduced from.
    public func settled() -> [UnifiedEvent] { state(asOf: asOf?.milliseconds, waiting: waitsForPartners).events }

    /// What the entries mean at an instant, and until when nothing of it changes by itself.
    struct State {
        /// The events one by one, each with those deduced that come directly after it.
        var results: [(event: UnifiedEvent, silent: [UnifiedEvent])]
        /// The first instant at which something may change; the greatest number for never.
        var next = Int64.max

        /// All of them, in that order.
        var events: [UnifiedEvent] { results.flatMap { [$0.event] + $0.silent } }
    }

    /// Settles the entries.
    ///
    /// - Parameters:
    ///   - now: What counts as now; `nil` takes the latest time of any entry.
    ///   - isWaiting: Whether a partner that is not in view may still be on its way; only where now is known.
    /// - Returns: The events, and until when they hold.
    func state(asOf now: Int64?, waiting isWaiting: Bool) -> State {
        var state = State(results: entries.map { ($0.event, []) })
        var options = SubscriptionJudge.Options()
        options.inference = inference
        options.asOf = now
        options.viewEnd = isComplete ? .max : now
        options.waitsForPartners = isWaiting
        let judge = SubscriptionJudge(options)
        let memory = entries.map { $0.evidence.bytes } + answers.map(\.bytes)
        memory.withBuffers { all in
            let guests = Partition.guests(among: Array(all[..<entries.count]))
            let hosts = all.indices.filter { !guests.contains($0) }
            var nearest: [Int: Int64] = [:]
            func take(_ index: Int, _ bytes: UnsafeRawBufferPointer) {
                guard let record = RecordVerdict(bytes) else { return }
                var event = entries[index].event
                if let verdict = record.verdict { event.apply(verdict) }
                state.results[index] = (event, record.silent.map { $0.event(after: event) })
            }
            judge.settle(
                hosts.map { all[$0] }, guests: guests.map { all[$0] },
                reportGuest: { guest, cost, verdict in
                    guard cost < nearest[guest] ?? .max else { return }
                    nearest[guest] = cost
                    take(guests[guest], verdict)
                },
                { take(hosts[$0], $1) })
        }
        state.next = judge.next
        return state
    }

    /// When the newest entry was received; where none says so, when the latest event of any occurred.
    var newestReceipt: Int64? {
        let received = entries.compactMap { entry in
            entry.evidence.bytes.withUnsafeBytes { EvidenceReader.opening($0, .current)?.receivedAt }
        }
        return received.max() ?? entries.compactMap(\.event.occurredAt?.milliseconds).max()
    }
}

extension [[UInt8]] {
    /// Calls `body` with the memory of all elements at once.
    package func withBuffers(_ body: ([UnsafeRawBufferPointer]) -> Void) {
        let size = reduce(0) { $0 + $1.count }
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: Swift.max(1, size), alignment: 8)
        defer { memory.deallocate() }
        var at = 0
        var buffers: [UnsafeRawBufferPointer] = []
        for element in self {
            let room = UnsafeMutableRawBufferPointer(rebasing: memory[at..<at + element.count])
            room.copyBytes(from: element)
            buffers.append(UnsafeRawBufferPointer(room))
            at += element.count
        }
        body(buffers)
    }
}
