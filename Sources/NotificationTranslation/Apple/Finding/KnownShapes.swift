/// Tells from the keys of an object whether it has a known shape that is not a notification of Apple's: one that this
/// program writes, or a request.
///
///     {"schema_version":"1","id":…,"disposition":"event",…,"entitlement":"grant",…}        an event
///     {"notificationType":"REFUND",…,"translation":{"signed":false,"sourceVersion":"v1"}}  a translation
///     {"startDate":…,"endDate":…,"notificationType":"REFUND"}                              a request
struct KnownShapes {
    /// The keys of each shape, and the member in which nothing is a sign of a notification: `*` for all.
    ///
    /// A shape may have several sets of keys. One without a reason is a translation.
    private static let shapes: [(reason: SkipReason?, keys: [StaticString], quiet: StaticString)] = [
        (.ownEvent, ["schema_version", "disposition", "entitlement"], ""),
        (nil, ["translation.signed", "translation.sourceVersion"], ""),
        (nil, ["translation.signed", "translation.source_version"], ""),
        (nil, ["translation_signed", "translation_sourceVersion"], ""),
        (nil, ["translation_signed", "translation_source_version"], ""),
        (.ownError, ["error.code", "error.message", "error.line"], "error"),
        (.ownCompanion, ["companion.id", "companion.sourceType"], "companion"),
        (.ownReject, ["input", "line", "offset", "length", "code", "path"], "path"),
        (.ownTable, ["original_transaction_id", "valid_from", "known_from"], "*"),
        (.ownTable, ["original_transaction_id", "end_reason", "reported_by"], "*"),
        (.ownTable, ["original_transaction_id", "ask", "opens", "reasons"], "*"),
        (.ownTable, ["original_transaction_id", "access_lost", "access_given"], "*"),
        (.ownGroup, ["group.key", "group.lines", "group.settle_at"], "*"),
        (.ownReport, ["report_version", "rules_version"], "*"),
        (.ownMapping, ["v1-to-v2", "v2-to-event"], "*"),
        (.retentionRequest, ["userLocale", "requestIdentifier", "appAppleId"], "*"),
        (.retentionRequest, ["user_locale", "request_identifier", "app_apple_id"], "*"),
        (.historyRequest, ["startDate", "endDate"], "*"), (.historyRequest, ["start_date", "end_date"], "*"),
        (.googlePlay, ["packageName", "subscriptionNotification"], ""),
        (.googlePlay, ["packageName", "oneTimeProductNotification"], ""),
        (.googlePlay, ["packageName", "voidedPurchaseNotification"], ""),
        (.googlePlay, ["packageName", "testNotification"], ""),
    ]
    /// Names of members whose own members count, which are the first names.
    private static let nested = 4
    /// The names of an event, which must be scalars, follow: its schema has the same keys.
    private static let scalars = nested..<nested + 3
    private static let names: [StaticString] = {
        var names: [StaticString] = ["translation", "error", "companion", "group"]
        for key in shapes.flatMap(\.keys) where !names.contains(where: { "\($0)" == "\(key)" }) { names.append(key) }
        return names
    }()
    private static let keys = KeyTable(names)
    private static let masks = shapes.map { shape in
        shape.keys.reduce(UInt64(0)) { mask, key in
            mask | 1 << UInt64(names.firstIndex { "\($0)" == "\(key)" } ?? 63)
        }
    }

    private var found: UInt64 = 0

    /// What the keys of no member say.
    init() {}

    /// What all members of an object say.
    init(_ object: JSONTree) {
        for (key, value) in object.pairs {
            let slot = take(key.range, isScalar: value.kind.isScalar, key.memory)
            guard Self.isNested(slot) else { continue }
            if value.kind == .object {
                for name in value.names { mark("\(Self.names[slot]).\(name.characters)") }
            } else if slot == 0, value.kind == .string, value.bytes.holds("signed"),
                value.bytes.holds("sourceVersion") || value.bytes.holds("source_version")
            {
                mark("translation.signed")
                mark("translation.sourceVersion")
            }
        }
    }

    /// Takes in a key; returns its slot among the names of shapes, or -1.
    mutating func take(_ key: JSONText, isScalar: Bool, _ memory: UnsafeRawPointer) -> Int {
        let slot = Self.keys.slot(of: key, memory)
        guard slot >= 0, !(Self.scalars ~= slot) || isScalar else { return -1 }
        found |= 1 << UInt64(slot)
        return slot
    }

    /// Whether what is in the member of a slot counts.
    static func isNested(_ slot: Int) -> Bool { 0..<nested ~= slot }

    private mutating func mark(_ name: String) {
        if let slot = Self.names.firstIndex(where: { "\($0)" == name }) { found |= 1 << UInt64(slot) }
    }

    /// Whether all keys of a shape are there.
    var isAny: Bool { found != 0 && Self.masks.contains { found & $0 == $0 } }

    /// Whether it is a translation of version 1 in version 2's shape, and so not Apple's word, whoever signed it.
    var isTranslation: Bool { has(nil) }

    /// Whether it is a request for the history, if nothing else is in it.
    var mayBeHistoryRequest: Bool { has(.historyRequest) }

    private func has(_ reason: SkipReason?) -> Bool {
        found != 0 && zip(Self.shapes, Self.masks).contains { $0.reason == reason && found & $1 == $1 }
    }

    /// What an object is recognized as.
    func explained(_ object: JSONTree) -> [ExplainedSkip] {
        guard isAny else { return [] }
        return zip(Self.shapes, Self.masks).compactMap { shape, mask in
            guard let reason = shape.reason, reason != .historyRequest, found & mask == mask else { return nil }
            let quiet = object.member(shape.quiet).flatMap { value in
                value.kind == .string || value.kind == .object && reason != .ownReject ? value : nil
            }
            // A table may hold an event, or a reject, beside the body that it was made of.
            let range = "\(shape.quiet)" == "*" ? object.range : quiet?.range
            return ExplainedSkip(
                reason: reason, range: range.map { $0.start..<$0.end }, quiet: range == nil ? nil : .all)
        }
    }
}
