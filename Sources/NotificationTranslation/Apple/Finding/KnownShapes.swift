/// Tells from the keys of an object whether it has a known shape that is not a notification of Apple's: one that this
/// program writes, or a request.
///
///     {"schema_version":"1","id":…,"disposition":"event",…,"entitlement":"grant",…}        an event
///     {"notificationType":"REFUND",…,"translation":{"signed":false,"sourceVersion":"v1"}}  a translation
///     {"startDate":…,"endDate":…,"notificationType":"REFUND"}                              a request
struct KnownShapes {
    /// The keys of each shape, the rarest first, and the member in which nothing is a sign of a notification: `*` for
    /// all.
    ///
    /// A shape may have several sets of keys. One without a reason is a translation.
    private static let shapes: [(reason: SkipReason?, keys: [StaticString], quiet: StaticString)] = [
        (.ownEvent, ["schema_version", "disposition", "entitlement"], ""),
        (.ownEvent, ["evidence", "event"], "evidence"),
        (nil, ["translation.signed", "translation.sourceVersion"], ""),
        (nil, ["translation.signed", "translation.source_version"], ""),
        (nil, ["translation_signed", "translation_sourceVersion"], ""),
        (nil, ["translation_signed", "translation_source_version"], ""),
        (.ownError, ["error.code", "error.message", "error.line"], "error"),
        (.ownCompanion, ["companion.id", "companion.sourceType"], "companion"),
        (.ownReject, ["length", "input", "line", "offset", "code", "path"], "path"),
        (.ownTable, ["valid_from", "known_from", "original_transaction_id"], "*"),
        (.ownTable, ["end_reason", "reported_by", "original_transaction_id"], "*"),
        (.ownTable, ["ask", "opens", "reasons", "original_transaction_id"], "*"),
        (.ownTable, ["access_lost", "access_given", "original_transaction_id"], "*"),
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
    /// Keys of an event that must be scalars: its schema has the same keys.
    private static let scalars = ["schema_version", "disposition", "entitlement"]
    /// The first key of each shape, or the first part of one that is a path.
    private static let firstKeys = KeyTable(
        shapes.map { $0.keys[0] } + ["translation", "error", "companion", "group"])

    /// Whether the object with a key may have one of the shapes.
    static func mayBeOf(_ key: JSONText, _ memory: UnsafeRawPointer) -> Bool { firstKeys.slot(of: key, memory) >= 0 }

    /// What an object is recognized as.
    private(set) var explained: [ExplainedSkip] = []
    /// Whether it is a translation of version 1 in version 2's shape, and so not Apple's word, whoever signed it.
    private(set) var isTranslation = false
    /// Whether it is a request for the history, if nothing else is in it.
    private(set) var mayBeHistoryRequest = false

    /// What the members of an object say.
    init(_ object: JSONTree) {
        if let text = object.member("translation"), text.kind == .string, text.bytes.holds("signed") {
            isTranslation = text.bytes.holds("sourceVersion") || text.bytes.holds("source_version")
        }
        for shape in Self.shapes where shape.keys.allSatisfy({ Self.holds("\($0)", object) }) {
            switch shape.reason {
            case nil: isTranslation = true
            case .historyRequest?: mayBeHistoryRequest = true
            case let reason?: explained.append(Self.explained(object, reason, "\(shape.quiet)"))
            }
        }
    }

    /// Whether an object has a member, or one whose key is a path.
    private static func holds(_ key: String, _ object: JSONTree) -> Bool {
        if let value = object[key] { return !scalars.contains(key) || value.kind.isScalar }
        let steps = key.split(separator: ".")
        return steps.count == 2 && object[String(steps[0])]?[String(steps[1])] != nil
    }

    private static func explained(_ object: JSONTree, _ reason: SkipReason, _ quiet: String) -> ExplainedSkip {
        // A table may hold an event, or a reject, beside the body that it was made of.
        let member = object[quiet].flatMap { value in
            value.kind == .string || value.kind == .object && reason != .ownReject ? value : nil
        }
        let range = quiet == "*" ? object.range : member?.range
        return ExplainedSkip(reason: reason, range: range.map { $0.start..<$0.end }, quiet: range == nil ? nil : .all)
    }
}
