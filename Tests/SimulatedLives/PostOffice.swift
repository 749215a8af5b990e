/// Carries notices to the server: mostly at once, sometimes late, sometimes twice, never in a promised order.
///
/// Retries come after 6, 24 and 48 hours in version 1 and after 1, 12, 24, 48 and 72 hours in version 2, in production
/// only ("Responding to App Store Server Notifications"). Notifications of one act overtake each other by minutes
/// (Apple's staff in the developer forums, thread 745515; a first one was 66 minutes late).
struct PostOffice: Sendable {
    let setting: Setting
    /// When the server answered nobody.
    let outage: ClosedRange<Instant>?
    /// When the server took nothing of version 2, and when it fetched that from Apple's history.
    let fetched: (sent: ClosedRange<Instant>, at: Instant)?
    private(set) var letters: [Letter] = []

    struct Letter: Sendable {
        let notice: Int
        let type: String
        let body: [UInt8]
        let receivedAt: Instant
        let isRepeat: Bool
    }

    /// A post office for notices of these times.
    init(setting: Setting, times: [Instant], random: inout SeededGenerator) {
        self.setting = setting
        if !setting.isPunctual, !times.isEmpty {
            let begin = random.pick(times) - random.number(0...90) * .minute
            let end = begin + random.number(1...20) * .day
            fetched = (begin...end, end + random.number(1...20) * .day)
        } else {
            fetched = nil
        }
        guard setting.environment == .production, !times.isEmpty, random.chance(12) else {
            outage = nil
            return
        }
        let begin = random.pick(times) - random.number(0...90) * .minute
        outage = begin...begin + random.number(1...38) * .hour
    }

    mutating func carry(_ notice: Notice, number: Int, account: Account, random: inout SeededGenerator) {
        let layout = random.fork()
        var arrivals = arrivals(of: notice, random: &random)
        var notice = notice
        if !setting.isPunctual, setting.environment == .production {
            arrivals = delayed(notice, arrivals, random: &random)
            if notice.type == "DID_RECOVER", arrivals[0] > notice.at + .hour, random.chance(50) {
                notice = rewritten(notice, account, at: arrivals[0])
            }
        }
        for (index, arrival) in arrivals.enumerated() {
            letters.append(
                Letter(
                    notice: number,
                    type: notice.type,
                    body: body(of: notice, account, layout, blobs: random.fork()),
                    receivedAt: arrival - setting.clockDelay,
                    isRepeat: index > 0
                )
            )
        }
    }

    /// All letters as they came in.
    var arrivals: [Letter] {
        letters.indices.sorted { (letters[$0].receivedAt, $0) < (letters[$1].receivedAt, $1) }.map { letters[$0] }
    }

    private func body(
        of notice: Notice, _ account: Account, _ layout: SeededGenerator, blobs: SeededGenerator
    ) -> [UInt8] {
        if let signed = notice.signed {
            var writer = SignedBody(notice: notice, signed: signed, setting: setting, random: blobs)
            return writer.bytes()
        }
        var writer = NotificationBody(notice: notice, account: account, setting: setting, layout: layout, blobs: blobs)
        return writer.bytes()
    }

    /// A third at a later attempt than the first and a quarter again at one that follows: Apple sends a notification
    /// again at the hours of its schedule only.
    private func stormy(_ attempts: [Instant], random: inout SeededGenerator) -> [Instant] {
        var left = attempts.dropFirst(random.chance(33) ? random.number(1...attempts.count - 1) : 0)
        var arrivals: [Instant] = []
        repeat {
            arrivals.append(left.removeFirst())
            if !left.isEmpty { left = left.dropFirst(random.number(0...left.count - 1)) }
        } while !left.isEmpty && random.chance(25)
        return arrivals
    }

    /// The same at any hour up to 78, as version 2 tells by its own ids and times what comes again.
    private func scattered(_ sent: Instant, random: inout SeededGenerator) -> [Instant] {
        var arrivals = [sent + (random.chance(33) ? random.number(0...78 * 60) * .minute : 0)]
        while random.chance(25), arrivals.count < 4 {
            arrivals.append(arrivals[0] + random.number(1...78 * 60) * .minute)
        }
        return arrivals.sorted()
    }

    /// A third of what begins a period at a later attempt, and what was fetched weeks later, in the order it was sent.
    private func delayed(_ notice: Notice, _ arrivals: [Instant], random: inout SeededGenerator) -> [Instant] {
        if notice.signed != nil, let fetched, fetched.sent.contains(notice.at) {
            return [fetched.at + (notice.at - fetched.sent.lowerBound) / 1_000_000]
        }
        let begins = ["INITIAL_BUY", "INTERACTIVE_RENEWAL", "DID_RENEW", "DID_RECOVER", "SUBSCRIBED"]
        guard begins.contains(notice.type), arrivals[0] < notice.at + .hour, random.chance(33) else { return arrivals }
        let hours: [Instant] =
            notice.signed != nil ? [1, 13, 37, 85, 157] : setting.retriesCountFromFirst ? [6, 24, 48] : [6, 30, 78]
        return [arrivals[0] + random.pick(hours) * .hour]
    }

    /// The same notice with the books of its late attempt.
    private func rewritten(_ notice: Notice, _ account: Account, at instant: Instant) -> Notice {
        var notice = notice
        let books = account.books.first {
            $0.first?.state.originalTransactionId == notice.state.originalTransactionId
        }
        if let state = books?.last(where: { $0.since <= instant })?.state {
            notice.state = state
            notice.at = instant
        }
        return notice
    }

    /// When the deliveries of a notice reach the archive: those that the server took, well answered or not.
    private func arrivals(of notice: Notice, random: inout SeededGenerator) -> [Instant] {
        var sent = notice.at + random.number(800...20_000)
        if random.chance(8) { sent += random.number(1...12) * .minute }
        if random.chance(2) { sent += random.number(1...66) * .minute }
        guard setting.environment == .production else { return [sent] }

        // Counted from the attempt before, an attempt that was late makes those after it late: "6, 24, and 48 hours
        // after the previous attempt" ("Responding to App Store Server Notifications"). A loose store strays from its
        // hours, and keeps the end of its schedule all the same.
        let waits: [Instant] = notice.signed == nil ? [0, 6, 24, 48] : [0, 1, 12, 24, 48, 72]
        let countsFromFirst = notice.signed == nil && setting.retriesCountFromFirst
        var hours: Instant = 0
        var attempts: [Instant] = []
        for wait in waits {
            hours = countsFromFirst ? wait : hours + wait
            let late = wait == 0 ? 0 : random.number(0...240 + setting.spread(0, loose: 7200).upperBound) * .second
            let isOfSchedule = countsFromFirst || setting.manner == .loose
            attempts.append((isOfSchedule ? sent + hours * .hour : (attempts.last ?? sent) + wait * .hour) + late)
        }
        if setting.carriage == .stormy {
            return notice.signed == nil ? stormy(attempts, random: &random) : scattered(sent, random: &random)
        }
        if random.chance(3.5) { attempts.removeFirst(random.number(1...3)) }
        if let outage { attempts.removeAll { outage.contains($0) } }
        guard let first = attempts.first else { return [sent] }

        guard random.chance(4) else { return [first] }
        if setting.manner == .loose { return [first, first + random.number(1...78 * 60) * .minute] }
        if random.chance(40) { return [first, first + random.number(1...90) * .second] }
        return Array(attempts.prefix(random.chance(20) ? 3 : 2))
    }
}
