/// What a notification says about access by itself, at the end of its ``Evidence``.
///
/// A byte (the entitlement by its place in ``Entitlement/allCases`` · 8 and 16 for the flags ACCESS_END_UNKNOWN and
/// RUNNING_PERIOD_UNKNOWN · 32 a renewal date follows · 64 a status follows · 128 an end follows), then what follows:
/// the end of access in milliseconds, the status of Apple's `data.status`, the renewal date in milliseconds.
struct EvidenceAccess: Equatable {
    var access = Access.none
    /// Apple's `data.status` as received.
    var status: Int64?
    /// When it renews, of V2.
    var renewsAt: Int64?

    init(_ event: EventDraft) {
        access = Access(entitlement: event.entitlement, until: event.accessUntil)
        for flag in [FlagSet.accessEndUnknown, .runningPeriodUnknown] where !flag.isDisjoint(with: event.flags.known) {
            access.flag.formUnion(flag)
        }
        status = event.subscriptionStatus
        renewsAt = event.hasRenewal ? event.renewalFields.renewsAt : nil
    }

    init(_ bytes: inout ByteReader) {
        let bits = bytes.byte()
        let place = Int(bits & 7)
        if Entitlement.allCases.indices.contains(place) {
            access.entitlement = Entitlement.allCases[place]
        } else {
            bytes.fail()
        }
        if bits & 8 != 0 { access.flag.formUnion(.accessEndUnknown) }
        if bits & 16 != 0 { access.flag.formUnion(.runningPeriodUnknown) }
        if bits & 128 != 0 { access.until = Self.time(&bytes) }
        if bits & 64 != 0 { status = bytes.signed() }
        if bits & 32 != 0 { renewsAt = Self.time(&bytes) }
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
        var bits = UInt8(truncatingIfNeeded: Entitlement.allCases.firstIndex(of: access.entitlement) ?? 0)
        if !access.flag.isDisjoint(with: .accessEndUnknown) { bits |= 8 }
        if !access.flag.isDisjoint(with: .runningPeriodUnknown) { bits |= 16 }
        if access.until != nil { bits |= 128 }
        if status != nil { bits |= 64 }
        if renewsAt != nil { bits |= 32 }
        output.append(bits)
        if let until = access.until { output.append(signed: until) }
        if let status { output.append(signed: status) }
        if let renewsAt { output.append(signed: renewsAt) }
    }
}
