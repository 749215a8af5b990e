#if arch(x86_64) && canImport(_Builtin_intrinsics)
import _Builtin_intrinsics.intel
#endif

/// Four 32-bit words side by side, with the operations that a hash is made of.
///
/// `^`, `&`, `|` and shifts of `SIMD4<UInt32>` are written lane by lane in the standard library, and the compiler leaves
/// many of them so, and takes every word out of the vector and puts it back. So the processor's own operations are
/// named where they are known; without them a small record costs 25 % more.
struct WordLanes {
    #if arch(x86_64) && canImport(_Builtin_intrinsics)
    private var lanes: SIMD2<Int64>

    private init(lanes: SIMD2<Int64>) {
        self.lanes = lanes
    }

    init(_ words: SIMD4<UInt32>) {
        lanes = unsafeBitCast(words, to: SIMD2<Int64>.self)
    }

    var words: SIMD4<UInt32> { unsafeBitCast(lanes, to: SIMD4<UInt32>.self) }

    static func ^ (left: Self, right: Self) -> Self { Self(lanes: _mm_xor_si128(left.lanes, right.lanes)) }

    static func & (left: Self, right: Self) -> Self { Self(lanes: _mm_and_si128(left.lanes, right.lanes)) }

    static func | (left: Self, right: Self) -> Self { Self(lanes: _mm_or_si128(left.lanes, right.lanes)) }

    static func &+ (left: Self, right: Self) -> Self { Self(lanes: _mm_add_epi32(left.lanes, right.lanes)) }

    /// Every word rotated to the left, towards its highest bit.
    func rotated(_ count: Int32) -> Self {
        Self(lanes: _mm_or_si128(_mm_slli_epi32(lanes, count), _mm_srli_epi32(lanes, 32 - count)))
    }
    #else
    private(set) var words: SIMD4<UInt32>

    init(_ words: SIMD4<UInt32>) {
        self.words = words
    }

    static func ^ (left: Self, right: Self) -> Self { Self(left.words ^ right.words) }

    static func & (left: Self, right: Self) -> Self { Self(left.words & right.words) }

    static func | (left: Self, right: Self) -> Self { Self(left.words | right.words) }

    static func &+ (left: Self, right: Self) -> Self { Self(left.words &+ right.words) }

    /// Every word rotated to the left, towards its highest bit.
    func rotated(_ count: Int32) -> Self {
        let count = UInt32(bitPattern: count)
        return Self(words &<< SIMD4(repeating: count) | words &>> SIMD4(repeating: 32 &- count))
    }
    #endif

    init(repeating word: UInt32) {
        self.init(SIMD4(repeating: word))
    }

    /// The words of bytes with the first one highest.
    var bigEndian: Self {
        #if _endian(little)
        let odd = Self(repeating: 0x00FF_00FF)
        return (rotated(8) & odd) | (self & odd).rotated(24)
        #else
        return self
        #endif
    }
}
