/// What a notification says about access by itself, at the end of its ``Evidence``.
///
/// A byte (the entitlement by its place in ``Entitlement/allCases``, and ``Bits``), then what these say follows: the end
/// of access in milliseconds, Apple's `data.status`, the renewal date in milliseconds.
struct EvidenceAccess: Equatable {
    var access = Access.none
    /// The bits above the entitlement.
    private struct Bits: OptionSet {
        let rawValue: UInt8

        static let entitlement = Self(rawValue: 7)
        static let accessEndUnknown = Self(rawValue: 8)
        static let runningPeriodUnknown = Self(rawValue: 16)
        static let renewsAt = Self(rawValue: 32)
        static let status = Self(rawValue: 64)
        static let until = Self(rawValue: 128)
    }

    /// Apple's `data.status` as received.
    var status: Int64?
    /// When it renews, of V2.
    var renewsAt: Int64?

    init(_ event: inout EventDraft) {
        access = Access(entitlement: event.entitlement, until: event.accessUntil)
        for flag in [FlagSet.accessEndUnknown, .runningPeriodUnknown] where !flag.isDisjoint(with: event.flags.known) {
            access.flag.formUnion(flag)
        }
        status = event.subscriptionStatus
        renewsAt = event.hasRenewal ? event.renewalFields.renewsAt : nil
    }

    init(_ bytes: inout ByteReader) {
        let bits = Bits(rawValue: bytes.byte())
        let place = Int(bits.intersection(.entitlement).rawValue)
        if Entitlement.allCases.indices.contains(place) {
            access.entitlement = Entitlement.allCases[place]
        } else {
            bytes.fail()
        }
        if bits.contains(.accessEndUnknown) { access.flag.formUnion(.accessEndUnknown) }
        if bits.contains(.runningPeriodUnknown) { access.flag.formUnion(.runningPeriodUnknown) }
        if bits.contains(.until) { access.until = Self.time(&bytes) }
        if bits.contains(.status) { status = bytes.signed() }
        if bits.contains(.renewsAt) { renewsAt = Self.time(&bytes) }
    }

    /// A time, if four digits of year can write it; calculations with such times never overflow.
    private static func time(_ bytes: inout ByteReader) -> Int64 {
        let time = bytes.signed()
        guard CivilTime.earliest...CivilTime.latest ~= time else {
            bytes.fail()
            return 0
        }
        return time
    }

    func append(to output: OutputBuffer) {
        var bits = Bits(
            rawValue: UInt8(truncatingIfNeeded: Entitlement.allCases.firstIndex(of: access.entitlement) ?? 0))
        if !access.flag.isDisjoint(with: .accessEndUnknown) { bits.insert(.accessEndUnknown) }
        if !access.flag.isDisjoint(with: .runningPeriodUnknown) { bits.insert(.runningPeriodUnknown) }
        if access.until != nil { bits.insert(.until) }
        if status != nil { bits.insert(.status) }
        if renewsAt != nil { bits.insert(.renewsAt) }
        output.append(bits.rawValue)
        if let until = access.until { output.append(signed: until) }
        if let status { output.append(signed: status) }
        if let renewsAt { output.append(signed: renewsAt) }
    }
}
