import NotificationMappings

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
    /// Whether a member is one that only Apple writes.
    private(set) var ofApple = false
    /// The members that neither Apple nor an envelope has, as far as this build knows.
    private(set) var others: Set<String> = []
    /// Whether the environment is named as version 2 names it; version 1 has `PROD` beside the type.
    private(set) var namesProduction = false

    init(_ object: JSONTree) {
        for (key, value) in object.pairs where value.kind != .null && !(value.kind == .string && value.range.isBlank) {
            let name = BodyReshaper.snakeCase(key.characters)
            take(name, value)
            judge(name, value)
        }
    }

    /// Whose a member is: Apple's, of an envelope, or another's.
    private mutating func judge(_ name: String, _ value: JSONTree) {
        let text = value.bytes
        if BodyOddities.prefixes.contains(where: name.hasPrefix) || Self.namesOfApple.contains(name) {
            // Other markets have bids, in numbers.
            let isText = text.contains { 0x61...0x7A ~= $0 | 0x20 || $0 >= 0x80 }
            if name != "bid" || isText { ofApple = true } else { others.insert(name) }
        } else if value.kind == .object, Self.part.contains(name) || PartPlace.kind(name) != nil {
            let inside = VersionSigns(value)
            if inside.ofVersion2 { ofVersion2 = true }
            if inside.ofApple { ofApple = true } else { others.insert(name) }
        } else if name == "subtype",
            KnownNames.subtypes.contains(String(decoding: text, as: UTF8.self))
        {
            ofApple = true
        } else if Self.part.contains(name), text.holds("bundleId") || text.holds("TransactionId") {
            ofApple = true
        } else if !Self.namesOfEnvelope.contains(name.filter { $0 != "_" }) || !value.kind.isScalar,
            !NotificationSigns.stand(in: text)
        {
            others.insert(name)
        }
    }

    private mutating func take(_ name: String, _ value: JSONTree) {
        if Self.either.contains(name) {
            guard let text = value.string else { return }
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
            if name == "purchase_date" || name == "original_purchase_date",
                TextView(memory: value.memory).milliseconds(value.range) != nil
            {
                ofVersion2 = true
            }
        } else if isOld || BodyOddities.prefixes.contains(where: name.hasPrefix) {
            ofVersion1 = true
        } else if isNew {
            ofVersion2 = true
        }
    }

    // What `fields.json` says of names, in snake_case.
    private static let signs = KnownNames.rows("signs", of: Mappings.fields)
    private static let common = names(ofSign: "common")
    private static let either = names(ofSign: "either")
    fileprivate static let historyRequest = names(ofSign: "history-request")
    private static let part = names(ofSign: "part")

    private static func names(ofSign name: StaticString) -> Set<String> {
        let sign = signs.first { $0.member("sign")?.says(name) ?? false }
        return Set(sign?.member("names")?.parts.map { BodyReshaper.snakeCase($0.characters) } ?? [])
    }

    private static let unreadInVersion1 = KnownNames.names(
        "v1",
        in: KnownNames.rows("fields", of: Mappings.fields).filter { $0.member("conversion")?.says("drop") ?? false }
    ).filter { !$0.contains(".") }

    private static let onlyInVersion2 = KnownNames.rows("losses", of: Mappings.fields).flatMap { loss in
        [loss.member("field")?.characters ?? ""] + (loss.member("members")?.parts.map(\.characters) ?? [])
    }

    private static let namesOfApple = namesOfVersion1.union(namesOfVersion2).union(["bid", "bvrs"])
        .subtracting(part).subtracting(common)

    /// Names of what an envelope has beside a body, without underscores.
    private static let namesOfEnvelope = Set(
        ["notificationtype", "environment", "id", "v", "updatedat"] + Envelope.looseTimeNames
            + Envelope.timeNames.map { $0.lowercased().filter { $0.isLetter || $0.isNumber } })

    private static let namesOfVersion1 = Set(
        V1Keys.root.allNames.prefix(V1Keys.Root.signedPayload.rawValue) + V1Keys.row.allNames + V1Keys.pending.allNames
    ).union(unreadInVersion1)

    private static let namesOfVersion2 = Set(
        (V1Keys.root.allNames[V1Keys.Root.v2Type.rawValue...V1Keys.Root.v2UnclaimInfo.rawValue]
            + V2Keys.data.allNames + V2Keys.transaction.allNames + V2Keys.renewal.allNames + onlyInVersion2).map {
                BodyReshaper.snakeCase($0)
            })
}

extension NotificationReader {
    /// Why the object walked last has a type and is no notification of Apple's; `nil` for any other object.
    ///
    /// Many services write `notification_type` or `notificationType`. Apple writes its types in capitals.
    func reasonNotApples(_ met: WalkedObject, _ around: Surroundings) throws(JSONFault) -> SkipReason? {
        let key = v1[.notificationType].isBlank ? V1Keys.Root.v2Type : .notificationType
        guard !v1[key].isBlank, around.signed != .verified else { return nil }
        let isText = isString(v1[key], met.memory)
        let isKnown = v1.rows.count > 0 || !v1[.autoRenewStatus].isBlank || !v1[.v2UUID].isBlank
        let isWritten = isText && TextView(memory: met.memory).isInCapitals(v1[key])
        if isWritten, !met.mayBeHistoryRequest, isKnown || isType(key, of: Self.namesWithUnderscore, met.memory) {
            return nil
        }
        let name = TextView(memory: met.memory).string(v1[key]).filter { $0 != " " }.uppercased()
        let isNamed = isText && Self.namesWithUnderscore.holds(Array(name.utf8))
        let signs = VersionSigns(try met.tree())
        if met.mayBeHistoryRequest, !signs.ofApple, signs.others.isSubset(of: VersionSigns.historyRequest) {
            return .historyRequest
        }
        if isWritten || !isText && !around.isSearch, isNamed || signs.others.isEmpty { return nil }
        return signs.ofApple && (isWritten || isNamed || !isText) ? nil : .notApples
    }

    private static let namesWithUnderscore = KeyTable(
        keeping: KnownNames.typesOfVersion1.union(KnownNames.typesOfVersion2).filter { $0.contains("_") })
}

extension TextView {
    /// Whether a text is made of capitals and underscores, as Apple writes types: `RENEWAL (DEPRECATED)` is one.
    func isInCapitals(_ text: JSONText) -> Bool {
        guard !text.hasEscapes else { return string(text).utf8.allSatisfy { 0x41...0x5A ~= $0 || $0 == 0x5F } }
        return bytes(text).allSatisfy { 0x41...0x5A ~= $0 || [0x5F, 0x20, 0x28, 0x29].contains($0) }
    }
}
