/// How bodies for an endpoint under test are made of events: for which environment, of which app, signed by whom, and
/// with which habits of delivery.
package struct Rehearsal: Sendable {
    /// Signs bytes: r and s, 64 bytes.
    package typealias Signature = @Sendable (UnsafeRawBufferPointer) -> [UInt8]

    let environment: KeptText
    let bundleID: KeptText?
    let expectedEnvironment: String?
    let retries: Retries?
    /// The first part of each JWS, with its full stop.
    let header: [UInt8]
    let sign: Signature?

    /// A rehearsal.
    ///
    /// - Parameters:
    ///   - environment: What each payload says of its environment.
    ///   - bundleID: The app to rehearse; `nil` takes any.
    ///   - expectedEnvironment: The environment of the events to rehearse; `nil` takes any.
    ///   - retries: Chooses Apple's habits of delivery; `nil` posts each body once, in time.
    ///   - certificates: The chain for `x5c`, the leaf first; empty where nothing is signed.
    ///   - sign: Signs with the leaf's key; `nil` writes zeros.
    package init(
        environment: String, bundleID: String?, expectedEnvironment: String?, retries: UInt64?,
        certificates: [[UInt8]] = [], sign: Signature? = nil
    ) {
        self.environment = KeptText(environment)
        self.bundleID = bundleID.map(KeptText.init)
        self.expectedEnvironment = expectedEnvironment
        self.retries = retries.map(Retries.init)
        let chain = certificates.map { "\"\(StrictBase64.encoded(standard: $0))\"" }.joined(separator: ",")
        // Without a chain it is what Apple's libraries decode in environments where they check no signature.
        let text = "{\"alg\":\"ES256\",\"x5c\":[\(chain)]}"
        header = Array((StrictBase64.encoded(url: Array(text.utf8)) + ".").utf8)
        self.sign = sign
    }

    func append(jws payload: UnsafeRawBufferPointer, to output: OutputBuffer) {
        let start = output.count
        header.withUnsafeBytes { output.append($0) }
        output.append(StrictBase64.encoded(url: payload))
        let signature = sign?(UnsafeRawBufferPointer(rebasing: output.bytes[start...]))
        output.append(".")
        output.append(StrictBase64.encoded(url: signature ?? [UInt8](repeating: 0, count: 64)))
    }
}

/// The app and environment that an event names: what a rehearsal, or a table, is of.
package struct RehearsedApp: Hashable, Sendable {
    /// The bundle id; `nil` if the event names none.
    package var bundleID: String?
    /// The environment; `nil` if the event names none.
    package var environment: String?

    /// The app of these names.
    package init(bundleID: String?, environment: String?) {
        self.bundleID = bundleID
        self.environment = environment
    }

    /// Whether another is the same, as far as both are known.
    func includes(_ other: RehearsedApp) -> Bool {
        (bundleID ?? other.bundleID) == (other.bundleID ?? bundleID)
            && (environment ?? other.environment) == (other.environment ?? environment)
    }
}

/// What becomes of an event in a rehearsal.
package struct RehearsalEntry {
    /// Why an event is not posted.
    package enum LeftOut: Sendable {
        /// It is of another app or environment than the one that was chosen.
        case otherApp
        /// It does not say of which app or environment it is.
        case noApp
        /// It has no date.
        case undated
        /// It is about an external purchase, whose id says Sandbox or Production: Apple's libraries take it in no other
        /// environment.
        case externalToken
    }

    /// The app, and the environment in which it happened.
    package let app: RehearsedApp
    /// When it is posted, in milliseconds since 1970; 0 if it is left out.
    package var time: Int64 = 0
    /// Why it is not; `nil` if it is.
    package var leftOut: LeftOut?
    /// Where its line ends in the output; it begins where that of the entry before ends.
    package let end: Int
}

/// Apple's habits of delivery, chosen by a seed: the same seed does the same to the same event.
struct Retries: Sendable {
    let seed: UInt64

    /// How many hours after its first attempt each further one comes; Apple's documentation of version 2: 1, 12, 24, 48
    /// and 72 hours after the one before.
    static let hours: [Int64] = [0, 1, 13, 37, 85, 157]

    private static let hour: Int64 = 3_600_000
    /// Once in as long the App Store holds everything back for some hours.
    private static let outageEvery: Int64 = 20 * 24 * hour

    /// When an event reaches the endpoint, and at which attempt.
    ///
    /// Of a hundred events eight arrive late because earlier attempts failed, and eight come again although they arrived:
    /// by the hours of the schedule. Sixteen are held back for seconds to hours, so that they change places with others.
    func deliveries(of id: UInt64, at time: Int64) -> [(time: Int64, attempt: Int)] {
        let (time, number) = (min(max(time, CivilTime.earliest), CivilTime.latest), Self.mixed(id ^ seed))
        // One in two fails once more.
        let failures = min(1 + (number >> 32 | 1 << 16).trailingZeroBitCount, Self.hours.count - 1)
        func attempts(_ range: ClosedRange<Int>) -> [(time: Int64, attempt: Int)] {
            range.map { (time + Self.hours[$0] * Self.hour, $0 + 1) }
        }
        switch number % 100 {
        case 0..<8: return attempts(failures...failures)
        case 8..<16: return attempts(0...failures)
        case 16..<32: return [(heldBack(time + (1_000 << Int64(number >> 48 & 15)), number), 1)]
        default: return [(heldBack(time, number), 1)]
        }
    }

    /// When something arrives that is sent during an outage: within a minute after it, with all the rest.
    private func heldBack(_ time: Int64, _ number: UInt64) -> Int64 {
        let outage = CivilTime.floorDivide(time, Self.outageEvery)
        let random = Self.mixed(UInt64(bitPattern: outage) &+ seed &* 31)
        let start = outage * Self.outageEvery + Int64(random % 456) * Self.hour
        let end = start + Int64(2 + random >> 32 & 7) * Self.hour
        guard start..<end ~= time else { return time }
        return end + Int64(number >> 16 & 0xFFFF) * 60_000 / 0x10000
    }

    /// Spreads every bit over all others (SplitMix64).
    private static func mixed(_ value: UInt64) -> UInt64 {
        var value = value &+ 0x9E37_79B9_7F4A_7C15
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }
}
