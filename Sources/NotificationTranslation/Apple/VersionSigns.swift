/// What the members of a body whose keys were changed say of its version, where the name of its type does not.
///
///     {"notificationType":"REFUND","purchaseDateMs":"1622538000000"}      a name that only version 1 has
///     {"notification_type":"REFUND","revocation_date":1622538000000}      a name that only version 2 has
///     {"notificationType":"REFUND","bid":"com.example.news"}              neither: a server may call a column so
struct VersionSigns {
    /// Whether a member is one that only version 1 has.
    private(set) var ofVersion1 = false
    /// Whether a member is one that only version 2 has.
    private(set) var ofVersion2 = false
    /// Whether the environment is named as version 2 names it; version 1 has `PROD` beside the type.
    private(set) var namesProduction = false

    /// Reads the object that `walker` is before.
    init(_ walker: inout JSONWalker) throws(JSONFault) {
        var object = try walker.enterObject()
        while let member = try walker.nextMember(of: &object, known: JSONTree.noKeys) {
            if member.value.kind != .null, member.value.kind != .string || !member.value.text.isBlank {
                take(KeyLog.characters(member.key, walker.memory), member.value, TextView(memory: walker.memory))
            }
            try walker.skip(member.value)
        }
    }

    private mutating func take(_ key: [UInt8], _ value: JSONWalker.Value, _ view: TextView) {
        let name = String(decoding: BodyReshaper.snakeCase(key), as: UTF8.self)
        if Self.ambiguous.contains(name) {
            guard value.kind == .string else { return }
            let text = view.string(value.text)
            if name == "environment" {
                if text == "PROD" { ofVersion1 = true }
                if text == "Production" { namesProduction = true }
            } else if name == "type", text == "Auto-Renewable Subscription" {
                ofVersion2 = true
            }
            return
        }
        let (isOld, isNew) = (Self.namesOfVersion1.contains(name), Self.namesOfVersion2.contains(name))
        if isOld, isNew {
            // In version 1 these two are texts of a calendar, and the milliseconds have a key of their own.
            if name == "purchase_date" || name == "original_purchase_date", view.milliseconds(value.text) != nil {
                ofVersion2 = true
            }
        } else if isOld || BodyOddities.prefixes.contains(where: { name.hasPrefix("\($0)") }) {
            ofVersion1 = true
        } else if isNew {
            ofVersion2 = true
        }
    }

    /// Names that a table may have of its own, or that servers give to either version's field.
    private static let ambiguous = Set(
        [
            "environment", "type", "status", "version", "price", "currency", "bid", "bvrs", "bundleId", "bundleVersion",
            "appAppleId", "appItemId", "notificationType", "data", "summary",
        ].map(snake))

    private static let namesOfVersion1 = Set(
        (0..<V1Keys.Root.signedPayload.rawValue).map { "\(V1Keys.root.name($0))" } + names(V1Keys.row)
            + names(V1Keys.pending) + ["auto_renew_adam_id"])

    private static let namesOfVersion2 = Set(
        (V1Keys.Root.v2Type.rawValue...V1Keys.Root.v2UnclaimInfo.rawValue).map { snake("\(V1Keys.root.name($0))") }
            + (names(V2Keys.data) + names(V2Keys.transaction) + names(V2Keys.renewal)).map(snake))

    private static func names(_ keys: KeyTable) -> [String] { (0..<keys.count).map { "\(keys.name($0))" } }

    private static func snake(_ name: String) -> String {
        String(decoding: BodyReshaper.snakeCase(Array(name.utf8)), as: UTF8.self)
    }
}
