/// SHA-1 (FIPS 180-4) of four messages at once, for name-based UUIDs only: nothing here relies on it for security.
///
/// An id is hashed for every record, four or five blocks each. The rounds of a block are a chain of additions that
/// nothing can shorten, but blocks of four different messages can go through them side by side, one in each lane of
/// ``WordLanes``. One message after the other costs 11 % of a small record, 3 % of a typical one.
struct SHA1 {
    private var a = WordLanes(repeating: 0x6745_2301)
    private var b = WordLanes(repeating: 0xEFCD_AB89)
    private var c = WordLanes(repeating: 0x98BA_DCFE)
    private var d = WordLanes(repeating: 0x1032_5476)
    private var e = WordLanes(repeating: 0xC3D2_E1F0)

    /// Hashes four messages; the same one may be given several times.
    init(_ first: HashMessage, _ second: HashMessage, _ third: HashMessage, _ fourth: HashMessage) {
        let most = max(max(first.blocks, second.blocks), max(third.blocks, fourth.blocks))
        let counts = SIMD4<Int32>(truncatingIfNeeded: SIMD4(first.blocks, second.blocks, third.blocks, fourth.blocks))
        withUnsafeTemporaryAllocation(of: WordLanes.self, capacity: Schedule.count) { room in
            guard let start = room.baseAddress else { return }
            let schedule = Schedule(words: start)
            for number in 0..<most {
                schedule.load(first.block(number), second.block(number), third.block(number), fourth.block(number))
                let going = SIMD4(repeating: Int32(truncatingIfNeeded: number)) .< counts
                take(start, into: WordLanes(unsafeBitCast(going, to: SIMD4<UInt32>.self)))
            }
        }
    }

    /// The first 16 of the 20 bytes of the digest in a lane.
    func prefix(_ lane: Int) -> (UInt64, UInt64) {
        (UInt64(a.words[lane]) << 32 | UInt64(b.words[lane]), UInt64(c.words[lane]) << 32 | UInt64(d.words[lane]))
    }

    /// Takes in a block of each message whose lane has all bits set: the eighty words of the rounds.
    @inline(__always)
    private mutating func take(_ words: UnsafePointer<WordLanes>, into lanes: WordLanes) {
        let before = self
        for place in stride(from: 0, to: 20, by: 5) {
            fiveRounds(words + place, 0x5A82_7999) { $2 ^ ($0 & ($1 ^ $2)) }
        }
        for place in stride(from: 20, to: 40, by: 5) {
            fiveRounds(words + place, 0x6ED9_EBA1) { $0 ^ $1 ^ $2 }
        }
        for place in stride(from: 40, to: 60, by: 5) {
            fiveRounds(words + place, 0x8F1B_BCDC) { ($0 & $1) | ($2 & ($0 ^ $1)) }
        }
        for place in stride(from: 60, to: 80, by: 5) {
            fiveRounds(words + place, 0xCA62_C1D6) { $0 ^ $1 ^ $2 }
        }
        a = before.a &+ (a & lanes)
        b = before.b &+ (b & lanes)
        c = before.c &+ (c & lanes)
        d = before.d &+ (d & lanes)
        e = before.e &+ (e & lanes)
    }

    /// Five rounds, after which every variable has its own name again.
    @inline(__always)
    private mutating func fiveRounds(
        _ words: UnsafePointer<WordLanes>, _ constant: UInt32, _ mix: (WordLanes, WordLanes, WordLanes) -> WordLanes
    ) {
        let constant = WordLanes(repeating: constant)
        Self.round(a, &b, mix(b, c, d), &e, words[0] &+ constant)
        Self.round(e, &a, mix(a, b, c), &d, words[1] &+ constant)
        Self.round(d, &e, mix(e, a, b), &c, words[2] &+ constant)
        Self.round(c, &d, mix(d, e, a), &b, words[3] &+ constant)
        Self.round(b, &c, mix(c, d, e), &a, words[4] &+ constant)
    }

    @inline(__always)
    private static func round(
        _ a: WordLanes, _ b: inout WordLanes, _ mixed: WordLanes, _ e: inout WordLanes, _ word: WordLanes
    ) {
        e = e &+ word &+ mixed &+ a.rotated(5)
        b = b.rotated(30)
    }
}

/// The words of the rounds of four blocks, one in each lane.
private struct Schedule {
    let words: UnsafeMutablePointer<WordLanes>

    /// How many there are.
    static let count = 80

    @inline(__always)
    func load(
        _ first: UnsafeRawPointer, _ second: UnsafeRawPointer, _ third: UnsafeRawPointer, _ fourth: UnsafeRawPointer
    ) {
        for place in 0..<16 {
            let word = SIMD4(
                first.loadUnaligned(fromByteOffset: place * 4, as: UInt32.self),
                second.loadUnaligned(fromByteOffset: place * 4, as: UInt32.self),
                third.loadUnaligned(fromByteOffset: place * 4, as: UInt32.self),
                fourth.loadUnaligned(fromByteOffset: place * 4, as: UInt32.self))
            words[place] = WordLanes(word).bigEndian
        }
        for place in 16..<Self.count {
            words[place] =
                (words[place - 3] ^ words[place - 8] ^ words[place - 14] ^ words[place - 16]).rotated(1)
        }
    }
}
