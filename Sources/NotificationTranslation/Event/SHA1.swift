/// SHA-1 (FIPS 180-4), for name-based UUIDs only: nothing here relies on it for security.
///
/// An id is hashed for every record, four or five blocks each. The words of a block are made four at a time; the rounds
/// then are a chain of additions that nothing can shorten.
struct SHA1: Hashable {
    private var a: UInt32 = 0x6745_2301
    private var b: UInt32 = 0xEFCD_AB89
    private var c: UInt32 = 0x98BA_DCFE
    private var d: UInt32 = 0x1032_5476
    private var e: UInt32 = 0xC3D2_E1F0

    /// The first 16 of the 20 bytes of the digest.
    static func prefix(of message: UnsafeRawBufferPointer) -> (UInt64, UInt64) {
        var hash = SHA1()
        return hash.finish(message, from: 0)
    }

    /// Takes in the blocks of a message from `start`, a multiple of 64, to its end; the first 16 bytes of the digest.
    mutating func finish(_ message: UnsafeRawBufferPointer, from start: Int) -> (UInt64, UInt64) {
        guard let memory = message.baseAddress else { return (0, 0) }
        return withUnsafeTemporaryAllocation(of: SIMD4<UInt32>.self, capacity: 20 + 8) { room in
            guard let words = room.baseAddress else { return (0, 0) }
            var at = start
            while at + 64 <= message.count {
                take(memory + at, words)
                at += 64
            }
            let tail = UnsafeMutableRawPointer(words + 20)
            let rest = message.count - at
            let length = rest < 56 ? 64 : 128
            tail.initializeMemory(as: UInt8.self, repeating: 0, count: length)
            tail.copyMemory(from: memory + at, byteCount: rest)
            tail.storeBytes(of: 0x80, toByteOffset: rest, as: UInt8.self)
            tail.storeBytes(of: UInt64(message.count * 8).bigEndian, toByteOffset: length - 8, as: UInt64.self)
            take(tail, words)
            if length == 128 { take(tail + 64, words) }
            return (UInt64(a) << 32 | UInt64(b), UInt64(c) << 32 | UInt64(d))
        }
    }

    /// Takes in the 64 bytes at `block`; `words` is room for the eighty words of its rounds.
    private mutating func take(_ block: UnsafeRawPointer, _ words: UnsafeMutablePointer<SIMD4<UInt32>>) {
        Self.expand(block, words)
        let word = UnsafeRawPointer(words).assumingMemoryBound(to: UInt32.self)
        let before = self
        for place in stride(from: 0, to: 20, by: 5) {
            fiveRounds(word + place) { $2 ^ $0 & ($1 ^ $2) }
        }
        for place in stride(from: 20, to: 40, by: 5) {
            fiveRounds(word + place) { $0 ^ $1 ^ $2 }
        }
        for place in stride(from: 40, to: 60, by: 5) {
            fiveRounds(word + place) { ($0 & $1) &+ ($2 & ($0 ^ $1)) }
        }
        for place in stride(from: 60, to: 80, by: 5) {
            fiveRounds(word + place) { $0 ^ $1 ^ $2 }
        }
        a = a &+ before.a
        b = b &+ before.b
        c = c &+ before.c
        d = d &+ before.d
        e = e &+ before.e
    }

    /// Five rounds, after which every variable has its own name again.
    @inline(__always)
    private mutating func fiveRounds(
        _ word: UnsafePointer<UInt32>, _ mix: (UInt32, UInt32, UInt32) -> UInt32
    ) {
        Self.round(a, &b, mix(b, c, d), &e, word[0])
        Self.round(e, &a, mix(a, b, c), &d, word[1])
        Self.round(d, &e, mix(e, a, b), &c, word[2])
        Self.round(c, &d, mix(d, e, a), &b, word[3])
        Self.round(b, &c, mix(c, d, e), &a, word[4])
    }

    @inline(__always)
    private static func round(_ a: UInt32, _ b: inout UInt32, _ mixed: UInt32, _ e: inout UInt32, _ word: UInt32) {
        e = e &+ word &+ mixed &+ (a << 5 | a >> 27)
        b = b << 30 | b >> 2
    }

    /// Makes the eighty words of a block, each with the constant of its round added.
    ///
    /// From the 33rd on a word can be made of words that all lie four or more before it, so four of them go together;
    /// of the sixteen before that, the fourth of each four also needs the first.
    private static func expand(_ block: UnsafeRawPointer, _ words: UnsafeMutablePointer<SIMD4<UInt32>>) {
        // Words that were just made are taken from registers: a load that begins in one store and ends in the next has
        // to wait for both to reach the cache, and these loads took twice as long as all the rounds.
        var near = (
            swapped(block.loadUnaligned(as: SIMD4<UInt32>.self)),
            swapped(block.loadUnaligned(fromByteOffset: 16, as: SIMD4<UInt32>.self)),
            swapped(block.loadUnaligned(fromByteOffset: 32, as: SIMD4<UInt32>.self)),
            swapped(block.loadUnaligned(fromByteOffset: 48, as: SIMD4<UInt32>.self))
        )
        (words[0], words[1], words[2], words[3]) = near
        for place in 4..<8 {
            let mixed = rotated(
                SIMD4(near.3[1], near.3[2], near.3[3], 0) ^ near.2
                    ^ SIMD4(lowHalf: near.0.highHalf, highHalf: near.1.lowHalf) ^ near.0, 1)
            let made = mixed ^ rotated(SIMD4(0, 0, 0, mixed[0]), 1)
            words[place] = made
            near = (near.1, near.2, near.3, made)
        }
        var (before, last) = (near.2, near.3)
        for place in 8..<20 {
            let between = SIMD4(lowHalf: before.highHalf, highHalf: last.lowHalf)
            let made = rotated(between ^ words[place - 4] ^ words[place - 7] ^ words[place - 8], 2)
            words[place] = made
            (before, last) = (last, made)
        }
        for place in 0..<5 {
            words[place] &+= SIMD4(repeating: 0x5A82_7999)
            words[place + 5] &+= SIMD4(repeating: 0x6ED9_EBA1)
            words[place + 10] &+= SIMD4(repeating: 0x8F1B_BCDC)
            words[place + 15] &+= SIMD4(repeating: 0xCA62_C1D6)
        }
    }

    /// The words of bytes that stand the first one highest.
    @inline(__always)
    private static func swapped(_ words: SIMD4<UInt32>) -> SIMD4<UInt32> {
        #if _endian(little)
        let odd = SIMD4<UInt32>(repeating: 0x00FF_00FF)
        return (rotated(words, 8) & odd) | rotated(words & odd, 24)
        #else
        return words
        #endif
    }

    @inline(__always)
    private static func rotated(_ words: SIMD4<UInt32>, _ count: UInt32) -> SIMD4<UInt32> {
        words &<< SIMD4(repeating: count) | words &>> SIMD4(repeating: 32 - count)
    }
}
