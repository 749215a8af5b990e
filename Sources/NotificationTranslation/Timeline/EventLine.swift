#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// An event as a line of the contract, of which some fields are replaced without reading the others.
///
/// A line is written by this package: its keys stand in the order of the contract, and a quote inside a value has a
/// backslash before it. So the bytes `,"entitlement":` stand in it once, at the key.
struct EventLine {
    private let bytes: UnsafeRawBufferPointer
    /// Of each key its value's range; the value ends where the next key begins.
    private var values: [Range<Int>] = []

    /// The keys that settling may change, and those that follow them.
    private enum Key: Int, CaseIterable {
        case id, type, disposition, occurredAt, occurredAtMilliseconds, basis, environment, entitlement, accessUntil
        case subscriptionStatus, v2, certainty, candidates, flags, companionOf, derivedFrom, transaction, source, rule,
            rulesVersion, input, line, offset

        var text: StaticString {
            switch self {
            case .id: ",\"id\":"
            case .type: ",\"type\":"
            case .disposition: ",\"disposition\":"
            case .occurredAt: ",\"occurred_at\":"
            case .occurredAtMilliseconds: ",\"occurred_at_ms\":"
            case .basis: ",\"occurred_at_basis\":"
            case .environment: ",\"environment\":"
            case .entitlement: ",\"entitlement\":"
            case .accessUntil: ",\"access_until\":"
            case .subscriptionStatus: ",\"subscription_status\":"
            case .v2: ",\"v2\":"
            case .certainty: ",\"certainty\":"
            case .candidates: ",\"candidates\":"
            case .flags: ",\"flags\":"
            case .companionOf: ",\"companion_of\":"
            case .derivedFrom: ",\"derived_from\":"
            case .transaction: ",\"transaction\":"
            case .source: ",\"source\":{\"version\":"
            case .rule: ",\"rule\":"
            case .rulesVersion: ",\"rules_version\":"
            case .input: ",\"input\":"
            case .line: ",\"line\":"
            case .offset: ",\"offset\":"
            }
        }
    }

    /// Finds the keys; `nil` if the bytes are no such line.
    init?(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
        values.reserveCapacity(Key.allCases.count)
        var at = 0
        for key in Key.allCases {
            // What `details` holds is Apple's, and may be named like any key; nothing after it is.
            let found =
                key == .source
                ? Self.findLast(key.text, in: bytes, from: at) : Self.find(key.text, in: bytes, from: at)
            guard let place = found else { return nil }
            if let last = values.indices.last { values[last] = values[last].lowerBound..<place }
            at = place + key.text.utf8CodeUnitCount
            values.append(at..<bytes.count)
        }
    }

    /// Where a key stands, from a place on.
    private static func find(_ text: StaticString, in bytes: UnsafeRawBufferPointer, from first: Int) -> Int? {
        guard let start = bytes.baseAddress else { return nil }
        let count = text.utf8CodeUnitCount
        var at = first
        while at + count <= bytes.count, let comma = memchr(start + at, 0x2C, bytes.count - at - count + 1) {
            let place = UnsafeRawPointer(comma) - start
            if memcmp(comma, text.utf8Start, count) == 0 { return place }
            at = place + 1
        }
        return nil
    }

    /// Where a key stands for the last time, from a place on.
    private static func findLast(_ text: StaticString, in bytes: UnsafeRawBufferPointer, from first: Int) -> Int? {
        guard let start = bytes.baseAddress else { return nil }
        let count = text.utf8CodeUnitCount
        var at = bytes.count - count
        while at >= first {
            if memcmp(start + at, text.utf8Start, count) == 0 { return at }
            at -= 1
        }
        return nil
    }

    /// The inside of the string that stands at a key which the line has once; `nil` where `null` stands there.
    static func text(of key: String, in line: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        // What `details` holds may be named like any key.
        let details = find(",\"details\":", in: line, from: 0) ?? line.count
        let bytes = UnsafeRawBufferPointer(rebasing: line[..<details])
        let name = Array("\"\(key)\":\"".utf8)
        var at = 0
        while at + name.count <= bytes.count {
            guard let quote = bytes[at...].firstIndex(of: 0x22), quote + name.count <= bytes.count else { return nil }
            if bytes[quote..<(quote + name.count)].elementsEqual(name), quote == 0 || bytes[quote - 1] != 0x5C {
                let start = quote + name.count
                var end = start
                while end < bytes.count, bytes[end] != 0x22 { end += bytes[end] == 0x5C ? 2 : 1 }
                return end < bytes.count ? UnsafeRawBufferPointer(rebasing: bytes[start..<end]) : nil
            }
            at = quote + 1
        }
        return nil
    }

    /// The input's name, as it stands there: the inside of a JSON string, or absent.
    var input: EventText {
        let range = values[Key.input.rawValue]
        guard range.count >= 2, bytes[range.lowerBound] == 0x22 else { return .absent }
        return EventText(
            UnsafeRawBufferPointer(rebasing: bytes[(range.lowerBound + 1)..<(range.upperBound - 1)]), hasEscapes: true)
    }

    /// How sure the line says it is.
    var certainty: Certainty? {
        Certainty(rawValue: String(decoding: word(.certainty), as: UTF8.self))
    }

    /// What the line says became of the notification.
    var disposition: Disposition? {
        Disposition(rawValue: String(decoding: word(.disposition), as: UTF8.self))
    }

    /// The flags it carries; those this build does not know are not in it.
    var flags: FlagSet {
        var set = FlagSet(rawValue: 0)
        for part in bytes[values[Key.flags.rawValue]].split(separator: 0x22) {
            if let number = FlagTable.current.number(String(decoding: part, as: UTF8.self)) {
                set.rawValue |= 1 << UInt64(number)
            }
        }
        return set
    }

    private func word(_ key: Key) -> Slice<UnsafeRawBufferPointer> {
        let range = values[key.rawValue]
        return bytes[(range.lowerBound + 1)..<max(range.lowerBound + 1, range.upperBound - 1)]
    }

    /// Appends the line with what a change replaces.
    func append(_ change: Change, _ names: EventNames, to output: OutputBuffer) {
        var json = JSONWriter(output)
        var copied = 0
        func replace(_ key: Key, _ write: (inout JSONWriter) -> Void) {
            let range = values[key.rawValue]
            json.raw(UnsafeRawBufferPointer(rebasing: bytes[copied..<range.lowerBound]))
            write(&json)
            copied = range.upperBound
        }
        if let id = change.id { replace(.id) { $0.id(id) } }
        if let type = change.type { replace(.type) { $0.text(type) } }
        replace(.disposition) { $0.text(EventNames.name(change.disposition)) }
        if let time = change.time {
            replace(.occurredAt) { $0.time(time.milliseconds) }
            replace(.occurredAtMilliseconds) { $0.number(time.milliseconds) }
            replace(.basis) { $0.text(time.field) }
        }
        if let access = change.access {
            replace(.entitlement) { $0.text(EventNames.name(access.entitlement)) }
            replace(.accessUntil) { $0.time(access.until) }
        }
        if let pair = change.pair { replace(.v2) { $0.pair(pair) } }
        if let certainty = change.certainty { replace(.certainty) { $0.text(EventNames.name(certainty)) } }
        if let candidates = change.candidates { replace(.candidates) { $0.pairs(candidates) } }
        replace(.flags) { $0.flags(flags.subtracting(change.removedFlags).union(change.addedFlags), names) }
        if let leader = change.companionOf { replace(.companionOf) { $0.id(leader) } }
        if let rule = change.rule { replace(.rule) { $0.text(rule) } }
        json.raw(UnsafeRawBufferPointer(rebasing: bytes[copied...]))
        json.finish()
    }
}

extension JSONWriter {
    /// Writes an id as a string.
    mutating func id(_ id: EventDraft.ID) {
        switch id {
        case .uuid(let id): uuid(id)
        case .text(let id):
            // Evidence holds characters as they are; what a sender calls a UUID may be any text.
            guard id.needsEscapes else { return text(id) }
            literal("\"")
            JSONEscapes.escape(id.bytes) { raw($0) }
            literal("\"")
        }
    }

    /// Writes a pair as an object.
    mutating func pair(_ pair: EventDraft.Pair) {
        literal("{\"type\":")
        text(pair.type)
        literal(",\"subtype\":")
        text(pair.subtype)
        literal("}")
    }

    /// Writes pairs as an array.
    mutating func pairs(_ pairs: [EventDraft.Pair]) {
        literal("[")
        for (place, pair) in pairs.enumerated() {
            if place > 0 { literal(",") }
            self.pair(pair)
        }
        literal("]")
    }

    /// Writes flags as an array of names.
    mutating func flags(_ flags: FlagSet, _ names: EventNames) {
        literal("[")
        for (place, number) in flags.numbers.enumerated() {
            if place > 0 { literal(",") }
            text(names.flags[number].text)
        }
        literal("]")
    }
}
