#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// An event line without its keys, for where many lines are kept for a while: a third of the bytes.
///
/// The keys of an event are always there and always in the same order, so each is one byte before its value, and a
/// value that is null takes none. Raw control characters stand in no line of JSON, so they are free for that, and for a
/// time or an id of our own, which follows in bytes of seven bits:
///
///     {"schema_version":"1","id":"a-b","type":"unknown",…,"transaction":null,"renewal":{"auto_renew_product_id":null,…
///     ␁"1"␁"a-b"␁"unknown"…␂␁␁…
package enum CompactLine {
    /// In place of a key.
    static let key: UInt8 = 1
    /// In place of the key of an object, the `null` behind it and the keys of its members.
    static let absentObject: UInt8 = 2
    /// Before an instant: milliseconds in seven bytes.
    private static let time: UInt8 = 3
    /// Before a UUID: its halves in ten bytes each.
    private static let uuid: UInt8 = 4

    /// What stands between the values, in the order of ``EventWriter``.
    private static let keys: [StaticString] = [
        "{\"schema_version\":", ",\"id\":", ",\"type\":", ",\"disposition\":", ",\"occurred_at\":",
        ",\"occurred_at_ms\":", ",\"occurred_at_basis\":", ",\"environment\":", ",\"bundle_id\":",
        ",\"bundle_version\":", ",\"app_apple_id\":", ",\"entitlement\":", ",\"access_until\":",
        ",\"subscription_status\":", ",\"v2\":", ",\"certainty\":",
        ",\"candidates\":[", "],\"flags\":[", "],\"companion_of\":", ",\"derived_from\":[", ",\"transaction\":",
        "{\"original_transaction_id\":", ",\"transaction_id\":", ",\"web_order_line_item_id\":", ",\"product_id\":",
        ",\"subscription_group_id\":", ",\"product_type\":", ",\"quantity\":", ",\"purchased_at\":",
        ",\"original_purchased_at\":", ",\"expires_at\":", ",\"revoked_at\":", ",\"revocation_reason\":",
        ",\"is_upgraded\":", ",\"ownership\":", ",\"app_account_token\":", ",\"offer_type\":", ",\"offer_id\":",
        ",\"offer_discount_type\":", ",\"storefront\":", ",\"price\":", ",\"currency\":", ",\"renewal\":",
        "{\"auto_renew_product_id\":", ",\"auto_renew_status\":", ",\"expiration_intent\":", ",\"in_billing_retry\":",
        ",\"grace_period_expires_at\":", ",\"price_increase_status\":", ",\"offer_type\":", ",\"offer_id\":",
        ",\"renews_at\":", ",\"details\":", ",\"source\":", "{\"version\":", ",\"type\":", ",\"subtype\":",
        ",\"authenticity\":",
        ",\"received_at\":", ",\"rule\":", ",\"rules_version\":", ",\"input\":", ",\"line\":", ",\"offset\":",
    ]

    /// A key ready to be copied as a whole.
    private struct Piece {
        var text: SIMD32<UInt8>
        var count: Int
        /// Whether a value follows that can be null.
        var hasValue: Bool
        /// Keys of the object that follows.
        var members: Int
    }

    private static let pieces: [Piece] = keys.enumerated().map { place, key in
        var piece = Piece(text: .zero, count: key.utf8CodeUnitCount, hasValue: true, members: 0)
        precondition(piece.count <= 32, "a key is longer than a piece")
        for index in 0..<piece.count { piece.text[index] = key.utf8Start[index] }
        piece.hasValue = key.utf8Start[piece.count - 1] == UInt8(ascii: ":")
        // The members of an object begin with a brace, and end where the next one is no longer among them.
        let next = place + 1 < keys.count ? keys[place + 1].utf8Start[0] : 0
        if place > 0, next == UInt8(ascii: "{") {
            piece.hasValue = false
            piece.members = keys[place].description == ",\"transaction\":" ? 21 : 9
        }
        return piece
    }

    /// How much longer than its compact form a line is at most.
    private static let growth = pieces.reduce(64 + mostValues * 18) { $0 + $1.count + 4 }
    /// More times and ids than any event has.
    private static let mostValues = 32

    /// Appends the line that a compact one stands for, with its line end.
    ///
    /// - Parameters:
    ///   - lines: Compact lines, each ended by LF.
    ///   - start: Where one of them begins.
    ///   - output: Where the line goes.
    /// - Returns: The index behind its LF; `nil` if it is damaged.
    package static func expand(
        _ lines: UnsafeRawBufferPointer, from start: Int, into output: OutputBuffer
    ) -> Int? {
        guard let memory = lines.baseAddress, start < lines.count,
            let found = memchr(memory + start, 0x0A, lines.count - start)
        else { return nil }
        let end = UnsafeRawPointer(found) - memory
        output.reserve(end - start + growth)
        let place = pieces.withUnsafeBufferPointer { expand(memory + start, memory + end, $0, output.room.start) }
        guard let place else { return nil }
        output.end(at: place)
        return end + 1
    }

    private static func expand(
        _ start: UnsafeRawPointer, _ end: UnsafeRawPointer, _ pieces: UnsafeBufferPointer<Piece>,
        _ target: UnsafeMutableRawPointer
    ) -> UnsafeMutableRawPointer? {
        var from = start
        var to = target
        var key = 0
        var values = 0
        while from < end {
            let byte = from.load(as: UInt8.self)
            guard byte == Self.key || byte == absentObject else {
                if byte >= 0x20 {
                    copyValue(&from, end, &to)
                } else {
                    values += 1
                    guard values <= mostValues, expandValue(byte, &from, end, &to) else { return nil }
                }
                continue
            }
            guard key < pieces.count else { return nil }
            let piece = pieces[key]
            to.storeBytes(of: piece.text, as: SIMD32<UInt8>.self)
            to += piece.count
            key += 1
            from += 1
            if byte == absentObject {
                key += piece.members
            } else {
                let next = from < end ? from.load(as: UInt8.self) : 0
                guard piece.hasValue, next < time || next == 0x7D else { continue }
            }
            to.storeBytes(of: UInt32(0x6C6C_756E).littleEndian, as: UInt32.self)
            to += 4
        }
        guard key == pieces.count else { return nil }
        to.storeBytes(of: 0x0A, as: UInt8.self)
        return to + 1
    }

    // MARK: Times and ids

    /// Writes an instant.
    static func write(time milliseconds: Int64, to target: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
        let limited = min(max(milliseconds, AppleDate.earliest), AppleDate.latest)
        target.storeBytes(of: time, as: UInt8.self)
        spread(UInt64(limited - AppleDate.earliest), 7, to: target + 1)
        return target + 8
    }

    /// Writes a UUID.
    static func write(id: EventID, to target: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
        target.storeBytes(of: uuid, as: UInt8.self)
        spread(id.high, 10, to: target + 1)
        spread(id.low, 10, to: target + 11)
        return target + 21
    }

    private static func expandValue(
        _ mark: UInt8, _ from: inout UnsafeRawPointer, _ end: UnsafeRawPointer, _ to: inout UnsafeMutableRawPointer
    ) -> Bool {
        to.storeBytes(of: 0x22, as: UInt8.self)
        if mark == time, end - from >= 8 {
            let words = AppleDate.words(AppleDate.earliest &+ Int64(gather(from + 1, 7)))
            to.storeBytes(of: words.0.littleEndian, toByteOffset: 1, as: UInt64.self)
            to.storeBytes(of: words.1.littleEndian, toByteOffset: 9, as: UInt64.self)
            to.storeBytes(of: words.2.littleEndian, toByteOffset: 17, as: UInt64.self)
            from += 8
            to += 26
        } else if mark == uuid, end - from >= 21 {
            EventID(high: gather(from + 1, 10), low: gather(from + 11, 10)).write(to: to + 1)
            from += 21
            to += 38
        } else {
            return false
        }
        (to - 1).storeBytes(of: 0x22, as: UInt8.self)
        return true
    }

    /// Writes seven bits a byte, the lowest first.
    @inline(__always)
    private static func spread(_ value: UInt64, _ count: Int, to target: UnsafeMutableRawPointer) {
        for place in 0..<count {
            let bits = UInt8(truncatingIfNeeded: value >> UInt64(7 * place)) | 0x80
            target.storeBytes(of: bits, toByteOffset: place, as: UInt8.self)
        }
    }

    @inline(__always)
    private static func gather(_ start: UnsafeRawPointer, _ count: Int) -> UInt64 {
        var value: UInt64 = 0
        for place in 0..<count {
            value |= UInt64(start.load(fromByteOffset: place, as: UInt8.self) & 0x7F) << UInt64(7 * place)
        }
        return value
    }

    // MARK: Other values

    /// Copies up to the next mark, eight bytes at a time.
    @inline(__always)
    private static func copyValue(
        _ from: inout UnsafeRawPointer, _ end: UnsafeRawPointer, _ to: inout UnsafeMutableRawPointer
    ) {
        while end - from >= 8 {
            let word = UInt64(littleEndian: from.loadUnaligned(as: UInt64.self))
            to.storeBytes(of: word.littleEndian, as: UInt64.self)
            let marks = (word &- 0x2020_2020_2020_2020) & ~word & 0x8080_8080_8080_8080
            if marks != 0 {
                let count = marks.trailingZeroBitCount / 8
                from += count
                to += count
                return
            }
            from += 8
            to += 8
        }
        while from < end {
            let byte = from.load(as: UInt8.self)
            if byte < 0x20 { return }
            to.storeBytes(of: byte, as: UInt8.self)
            from += 1
            to += 1
        }
    }
}
