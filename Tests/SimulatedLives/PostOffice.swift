/// Carries notices to the server: mostly at once, sometimes late, sometimes twice, never in a promised order.
struct PostOffice: Sendable {
    let setting: Setting
    private(set) var letters: [Letter] = []

    struct Letter: Sendable {
        let notice: Int
        let type: String
        let body: [UInt8]
        let receivedAt: Instant
        let isRepeat: Bool
    }

    init(setting: Setting) {
        self.setting = setting
    }

    mutating func carry(_ notice: Notice, number: Int, account: Account, random: inout SeededGenerator) {
        let layout = random.fork()
        var receivedAt = notice.at + random.number(800...20_000)
        if random.chance(2) { receivedAt += random.number(1...40) * .minute }
        let mayRetry = setting.environment == .production
        if mayRetry, random.chance(3.5) { receivedAt += random.pick([6, 30, 78]) * .hour }
        var arrivals = [receivedAt]
        if mayRetry, random.chance(4) {
            arrivals.append(random.chance(40) ? receivedAt + random.number(1...90) * .second : receivedAt + 6 * .hour)
            if random.chance(20) { arrivals.append(receivedAt + 30 * .hour) }
        }
        for (index, arrival) in arrivals.enumerated() {
            var writer = NotificationBody(
                notice: notice,
                account: account,
                setting: setting,
                layout: layout,
                blobs: random.fork()
            )
            let letter = Letter(
                notice: number,
                type: notice.type,
                body: writer.bytes(),
                receivedAt: arrival,
                isRepeat: index > 0
            )
            letters.append(letter)
        }
    }

    /// All letters as they came in.
    var arrivals: [Letter] {
        letters.indices.sorted { (letters[$0].receivedAt, $0) < (letters[$1].receivedAt, $1) }.map { letters[$0] }
    }
}
