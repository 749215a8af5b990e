/// SHA-1 (FIPS 180-4), for name-based UUIDs only: nothing here relies on it for security.
///
/// An id is hashed for every record, four or five blocks each. The rounds of a block are a chain of additions that
/// nothing can shorten, but blocks of four different messages can go through them side by side, one in each lane of a
/// ``WordLanes``: that takes some two and a half times as long as one of them alone.
struct SHA1<Word: HashWord> {
    private var a = Word(repeating: 0x6745_2301)
    private var b = Word(repeating: 0xEFCD_AB89)
    private var c = Word(repeating: 0x98BA_DCFE)
    private var d = Word(repeating: 0x1032_5476)
    private var e = Word(repeating: 0xC3D2_E1F0)

    /// Takes in a block.
    ///
    /// - Parameters:
    ///   - words: The eighty words of the rounds.
    ///   - step: How far apart they stand.
    ///   - lanes: All bits set where the block counts.
    @inline(__always)
    private mutating func take(_ words: UnsafePointer<Word>, by step: Int, into lanes: Word) {
        let before = self
        for place in stride(from: 0, to: 20, by: 5) {
            fiveRounds(words + place * step, step, 0x5A82_7999) { $2 ^ ($0 & ($1 ^ $2)) }
        }
        for place in stride(from: 20, to: 40, by: 5) {
            fiveRounds(words + place * step, step, 0x6ED9_EBA1) { $0 ^ $1 ^ $2 }
        }
        for place in stride(from: 40, to: 60, by: 5) {
            fiveRounds(words + place * step, step, 0x8F1B_BCDC) { ($0 & $1) | ($2 & ($0 ^ $1)) }
        }
        for place in stride(from: 60, to: 80, by: 5) {
            fiveRounds(words + place * step, step, 0xCA62_C1D6) { $0 ^ $1 ^ $2 }
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
        _ words: UnsafePointer<Word>, _ step: Int, _ constant: UInt32, _ mix: (Word, Word, Word) -> Word
    ) {
        let constant = Word(repeating: constant)
        Self.round(a, &b, mix(b, c, d), &e, words[0 * step] &+ constant)
        Self.round(e, &a, mix(a, b, c), &d, words[1 * step] &+ constant)
        Self.round(d, &e, mix(e, a, b), &c, words[2 * step] &+ constant)
        Self.round(c, &d, mix(d, e, a), &b, words[3 * step] &+ constant)
        Self.round(b, &c, mix(c, d, e), &a, words[4 * step] &+ constant)
    }

    @inline(__always)
    private static func round(
        _ a: Word, _ b: inout Word, _ mixed: Word, _ e: inout Word, _ word: Word
    ) {
        e = e &+ word &+ mixed &+ a.rotated(5)
        b = b.rotated(30)
    }
}

/// A message with its padding: whole blocks of 64 bytes, and at least one.
struct HashMessage {
    /// The bytes of a block.
    static let blockSize = 64

    var start: UnsafeRawPointer
    var blocks: Int

    /// The message in a buffer from `start` to its end, to which the padding is appended.
    ///
    /// - Returns: The number of its blocks.
    static func pad(_ output: OutputBuffer, from start: Int) -> Int {
        let count = output.count - start
        let blocks = (count + 8) / blockSize + 1
        let padding = blocks * blockSize - count
        output.append(count: padding) { room in
            room.initializeMemory(as: UInt8.self, repeating: 0, count: padding)
            room.storeBytes(of: 0x80, as: UInt8.self)
            room.storeBytes(of: UInt64(count * 8).bigEndian, toByteOffset: padding - 8, as: UInt64.self)
        }
        return blocks
    }

    /// A block; of a message that has ended, its last one.
    @inline(__always)
    fileprivate func block(_ number: Int) -> UnsafeRawPointer {
        start + min(number, blocks - 1) * Self.blockSize
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

extension SHA1 where Word == UInt32 {
    /// Hashes a message: the words of four of its blocks are made side by side, then each goes through its rounds.
    init(_ message: HashMessage) {
        withUnsafeTemporaryAllocation(of: WordLanes.self, capacity: Schedule.count) { room in
            guard let start = room.baseAddress else { return }
            let schedule = Schedule(words: start)
            let words = UnsafeRawPointer(start).assumingMemoryBound(to: UInt32.self)
            for first in stride(from: 0, to: message.blocks, by: 4) {
                schedule.load(
                    message.block(first), message.block(first + 1), message.block(first + 2), message.block(first + 3))
                for lane in 0..<min(4, message.blocks - first) { take(words + lane, by: 4, into: .max) }
            }
        }
    }

    /// The first 16 of the 20 bytes of the digest.
    var prefix: (UInt64, UInt64) { (UInt64(a) << 32 | UInt64(b), UInt64(c) << 32 | UInt64(d)) }
}

extension SHA1 where Word == WordLanes {
    /// Hashes four messages.
    init(_ first: HashMessage, _ second: HashMessage, _ third: HashMessage, _ fourth: HashMessage) {
        let most = max(max(first.blocks, second.blocks), max(third.blocks, fourth.blocks))
        let counts = SIMD4<Int32>(truncatingIfNeeded: SIMD4(first.blocks, second.blocks, third.blocks, fourth.blocks))
        withUnsafeTemporaryAllocation(of: WordLanes.self, capacity: Schedule.count) { room in
            guard let start = room.baseAddress else { return }
            let schedule = Schedule(words: start)
            for number in 0..<most {
                schedule.load(first.block(number), second.block(number), third.block(number), fourth.block(number))
                let going = SIMD4(repeating: Int32(truncatingIfNeeded: number)) .< counts
                take(start, by: 1, into: WordLanes(unsafeBitCast(going, to: SIMD4<UInt32>.self)))
            }
        }
    }

    /// The first 16 of the 20 bytes of the digest in a lane.
    func prefix(_ lane: Int) -> (UInt64, UInt64) {
        (UInt64(a.words[lane]) << 32 | UInt64(b.words[lane]), UInt64(c.words[lane]) << 32 | UInt64(d.words[lane]))
    }
}
