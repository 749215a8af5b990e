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
    private static let names: [StaticString] = {
        var names: [StaticString] = ["translation", "error", "companion"]
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
    /// Where the values are that a shape may call quiet.
    private var values: [(key: String, range: Range<Int>)] = []

    /// Whether no key is one of those.
    var isEmpty: Bool { found == 0 }

    /// Whether it is a translation of version 1 in version 2's shape, and so not Apple's word, whoever signed it.
    var isTranslation: Bool { has(nil) }

    /// Whether it is a request for the history, if nothing else is in it.
    var mayBeHistoryRequest: Bool { has(.historyRequest) }

    private func has(_ reason: SkipReason?) -> Bool {
        zip(Self.shapes, Self.masks).contains { $0.reason == reason && found & $1 == $1 }
    }

    /// What an object is recognized as.
    func explained(_ object: Range<Int>) -> [ExplainedSkip] {
        zip(Self.shapes, Self.masks).compactMap { shape, mask in
            guard let reason = shape.reason, reason != .historyRequest, found & mask == mask else { return nil }
            let quiet = "\(shape.quiet)"
            // A table may hold an event, or a reject, beside the body that it was made of.
            let range = quiet == "*" ? object : values.first { $0.key == quiet }?.range
            return ExplainedSkip(reason: reason, range: range, quiet: range == nil ? nil : .all)
        }
    }

    /// Takes in a member; `walker` is before its value, and afterwards may be in it.
    mutating func take(_ member: JSONWalker.Member, _ walker: inout JSONWalker) throws(JSONFault) {
        let slot = NotificationDecoder.slot(of: member.key, in: Self.keys, walker.memory)
        // The schema of events has the same keys.
        guard slot >= 0, !(3...5 ~= slot) || member.value.kind.isScalar else { return }
        found |= 1 << UInt64(slot)
        let (name, text) = ("\(Self.names[slot])", member.value.text)
        if member.value.kind == .string {
            values.append((name, text.start..<text.end))
            let bytes = TextView(memory: walker.memory).bytes(text)
            if slot == 0, bytes.holds("signed"), bytes.holds("sourceVersion") || bytes.holds("source_version") {
                mark("translation.signed")
                mark("translation.sourceVersion")
            }
        } else if member.value.kind == .object, slot < 3 {
            let start = walker.at
            var object = try walker.enterObject()
            while let member = try walker.nextMember(of: &object, known: JSONTree.noKeys) {
                mark(name + "." + String(decoding: KeyLog.characters(member.key, walker.memory), as: UTF8.self))
                try walker.skip(member.value)
            }
            values.append((name, start..<walker.at))
        }
    }

    private mutating func mark(_ name: String) {
        if let slot = Self.names.firstIndex(where: { "\($0)" == name }) { found |= 1 << UInt64(slot) }
    }
}
