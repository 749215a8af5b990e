#if arch(x86_64) && canImport(_Builtin_intrinsics)
import _Builtin_intrinsics.intel
#endif

/// 64 bytes and the questions a scanner asks of them, each answered by one bit a byte.
///
/// Only constructs that compile to vector instructions on this toolchain are used: `vector .== vector`, signed
/// `.<`, mask `.|`. (`.== scalar`, `any()`, `min()` and friends become loops, 50 times slower.)
struct ByteBlock {
    typealias Vector = SIMD16<UInt8>
    typealias Mask = SIMDMask<SIMD16<Int8>>

    let a, b, c, d: Vector

    init(at pointer: UnsafeRawPointer) {
        a = pointer.loadUnaligned(as: Vector.self)
        b = pointer.loadUnaligned(fromByteOffset: 16, as: Vector.self)
        c = pointer.loadUnaligned(fromByteOffset: 32, as: Vector.self)
        d = pointer.loadUnaligned(fromByteOffset: 48, as: Vector.self)
    }

    /// Not 0 if a byte below `"`+1 (quote, space, control character), above 127, or a backslash is in it.
    @inline(__always)
    var interestingBits: UInt64 { bitsOfBackslashes(orBelow: 0x23) }

    /// Not 0 if a control character, a byte above 127 or a backslash is in it.
    @inline(__always)
    var unusualBits: UInt64 { bitsOfBackslashes(orBelow: 0x20) }

    /// Bits for backslashes and for what is below a limit.
    ///
    /// One signed comparison finds control characters and what is above 127 at once, as the latter are negative.
    @inline(__always)
    private func bitsOfBackslashes(orBelow limit: Int8) -> UInt64 {
        let limit = SIMD16<Int8>(repeating: limit)
        let backslash = Vector(repeating: 0x5C)
        let hit =
            (signed(a) .< limit .| (a .== backslash)) .| (signed(b) .< limit .| (b .== backslash))
            .| ((signed(c) .< limit .| (c .== backslash)) .| (signed(d) .< limit .| (d .== backslash)))
        return Self.bits(hit)
    }

    /// Whether a byte below a limit is in it, or one above 127.
    func has(below limit: Int8) -> Bool {
        let limit = SIMD16<Int8>(repeating: limit)
        let hit = (signed(a) .< limit .| signed(b) .< limit) .| (signed(c) .< limit .| signed(d) .< limit)
        return Self.bits(hit) != 0
    }

    /// One bit for each byte equal to `byte`, the first byte lowest.
    @inline(__always)
    func positions(of byte: UInt8) -> UInt64 {
        let wanted = Vector(repeating: byte)
        return Self.bits(a .== wanted, b .== wanted, c .== wanted, d .== wanted)
    }

    /// Each bit becomes the parity of the bits up to and including it.
    static func prefixXor(_ bits: UInt64) -> UInt64 {
        var bits = bits
        for step: UInt64 in 0..<6 { bits ^= bits &<< (1 &<< step) }
        return bits
    }

    /// One bit for each byte below 0x20.
    var controlPositions: UInt64 {
        let low = SIMD16<Int8>(repeating: 0x20)
        let zero = SIMD16<Int8>(repeating: -1)
        return Self.bits(
            (signed(a) .< low) .& (zero .< signed(a)), (signed(b) .< low) .& (zero .< signed(b)),
            (signed(c) .< low) .& (zero .< signed(c)), (signed(d) .< low) .& (zero .< signed(d)))
    }

    private func signed(_ vector: Vector) -> SIMD16<Int8> {
        unsafeBitCast(vector, to: SIMD16<Int8>.self)
    }

    private static func bits(_ a: Mask, _ b: Mask, _ c: Mask, _ d: Mask) -> UInt64 {
        bits(a) | bits(b) << 16 | bits(c) << 32 | bits(d) << 48
    }

    private static func bits(_ mask: Mask) -> UInt64 {
        #if arch(x86_64) && canImport(_Builtin_intrinsics)
        UInt64(UInt32(bitPattern: _mm_movemask_epi8(unsafeBitCast(mask, to: SIMD2<Int64>.self))))
        #else
        let words = unsafeBitCast(mask, to: SIMD2<UInt64>.self)
        let low = ((words[0] & 0x0101_0101_0101_0101) &* 0x0102_0408_1020_4080) &>> 56
        let high = ((words[1] & 0x0101_0101_0101_0101) &* 0x0102_0408_1020_4080) &>> 56
        return low | high << 8
        #endif
    }
}
