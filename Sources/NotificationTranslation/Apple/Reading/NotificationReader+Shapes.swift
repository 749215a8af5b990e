/// Bodies that were stored in another shape than Apple's.
extension NotificationReader {
    /// How the keys of a body are to be rewritten, `nil` if it is in Apple's shape; and whether it may be of the other
    /// version.
    typealias Shape = (casing: BodyReshaper.Casing?, isDoubtful: Bool)

    /// How the body in `v1`, whose type is under version 1's name, is to be read.
    func shapeOfVersion1(_ met: WalkedObject, _ around: Surroundings) throws(JSONFault) -> Shape {
        if let casing = casingInside(around) { return (casing, false) }
        let mayReshape = around.reshapings < BodyReshaper.mostReshapings
        var isDoubtful = false
        if v1.rows.count == 0, v1.pending.count == 0 {
            let version2 = try isVersion2InSnakeCase(met)
            if version2.isOther { return (mayReshape ? .camel : nil, false) }
            isDoubtful = version2.isDoubtful
            // The type alone is in Apple's case.
            let isMixed = !v1.oddities.isDisjoint(with: [.flatTransaction, .version1InCamelCase])
            if isMixed, mayReshape { return (.snake, isDoubtful) }
        }
        let holdsTexts = !v1.oddities.isDisjoint(with: [.texts, .paths])
        guard holdsTexts || v1.oddities.contains(.flatRow) && v1.rows.count == 0 else { return (nil, isDoubtful) }
        if holdsTexts, !mayReshape { v1.hasMisplacedValue = true }
        return (mayReshape ? .asIs : nil, isDoubtful)
    }

    /// How what is inside the object walked last shows that it is to be rewritten.
    func casingInside(_ around: Surroundings) -> BodyReshaper.Casing? {
        guard around.reshapings < BodyReshaper.mostReshapings else { return nil }
        if v1.oddities.contains(.typedValues) { return .untyped }
        if v1.oddities.contains(.receiptInCamelCase) { return .snake }
        return v1.oddities.contains(.partsInSnakeCase) && v1[.notificationType].isBlank ? .camel : nil
    }

    /// The same of the payload in `v1` whose type is under version 2's name.
    func shapeOfVersion2(_ met: WalkedObject, _ around: Surroundings) throws(JSONFault) -> Shape {
        guard around.reshapings < BodyReshaper.mostReshapings else { return (nil, false) }
        if v1.oddities.contains(.typedValues) { return (.untyped, false) }
        let (isOther, isDoubtful) = try isVersion1InCamelCase(met)
        if isOther { return (.snake, isDoubtful) }
        if v1.oddities.contains(.partsInSnakeCase), !met.hasParts { return (.camel, false) }
        let view = TextView(memory: met.memory)
        let mayHoldJSON = V1Keys.Root.objectsOfVersion2 + V1Keys.Root.partsOfVersion2
        let holdsJSON = mayHoldJSON.contains { view.holdsJSON(v1[$0]) }
        return (holdsJSON ? .asIs : nil, isDoubtful)
    }

    /// Whether a body without rows whose type is under version 1's name is version 2's in snake_case: a name that
    /// version 1 never had, or version 2's fields beside it and none of version 1's.
    private func isVersion2InSnakeCase(_ met: WalkedObject) throws(JSONFault) -> (isOther: Bool, isDoubtful: Bool) {
        if isType(.notificationType, of: Self.typesOnlyOfVersion1, met.memory) { return (false, false) }
        if isType(.notificationType, of: Self.typesOnlyOfVersion2, met.memory) { return (true, false) }
        let subtype = v1[.v2Subtype]
        let hasSubtype = !subtype.isBlank && !TextView(memory: met.memory).isWordForNothing(subtype)
        var hasField = hasSubtype || v1.oddities.contains(.version2InSnakeCase)
        if hasField, v1[.autoRenewStatus].isBlank { return (true, false) }
        hasField = hasField || TextView(memory: met.memory).same(v1[.v2Version], "2.0")
        let hasParts = met.hasNamedParts || met.candidates.contains(where: \.isPayload)
        guard hasField || hasParts || !v1.oddities.isDisjoint(with: [.flatRow, .flatTransaction]) else {
            return (false, false)
        }
        let signs = VersionSigns(try met.tree())
        guard hasField || signs.ofVersion2 else { return (false, false) }
        return (!signs.ofVersion1, signs.ofVersion1)
    }

    /// Whether a type under version 2's name is version 1's all the same: a name that version 2 never had, or version
    /// 1's fields beside it and none of version 2's.
    private func isVersion1InCamelCase(_ met: WalkedObject) throws(JSONFault) -> (isOther: Bool, isDoubtful: Bool) {
        guard !met.candidates.contains(where: \.isPayload), !met.hasParts else { return (false, false) }
        if isType(.v2Type, of: Self.typesOnlyOfVersion1, met.memory) { return (true, false) }
        let hasField = { (key: V1Keys.Root) in !self.v1[key].isBlank }
        let looksLikeVersion1 =
            v1.oddities.contains(.version1InCamelCase) || [.password, .bid, .bvrs].contains(where: hasField)
        let ofVersion2: [V1Keys.Root] = [.v2UUID, .v2Version, .v2SignedDate, .v2Subtype, .v2Data, .v2Summary]
        guard looksLikeVersion1, !ofVersion2.contains(where: hasField),
            !isType(.v2Type, of: Self.typesOnlyOfVersion2, met.memory)
        else { return (false, false) }
        let signs = VersionSigns(try met.tree())
        // With the signs of both versions, or of neither, version 1 is read, as it reports what it leaves open; with those of
        // neither and the environment name of version 2, version 2.
        let isDoubtful = signs.ofVersion1 == signs.ofVersion2
        return (signs.ofVersion1 || isDoubtful && !signs.namesProduction, isDoubtful)
    }

    private static let typesOnlyOfVersion1 = KeyTable(
        keeping: KnownNames.typesOfVersion1.subtracting(KnownNames.typesOfVersion2))
    private static let typesOnlyOfVersion2 = KeyTable(
        keeping: KnownNames.typesOfVersion2.subtracting(KnownNames.typesOfVersion1))

    /// Whether a type is one of a table's names, spaces aside.
    func isType(_ key: V1Keys.Root, of names: KeyTable, _ memory: UnsafeRawPointer) -> Bool {
        let text = v1[key]
        guard text.hasEscapes || TextView(memory: memory).bytes(text).contains(0x20) else {
            return names.slot(of: text, memory) >= 0
        }
        return names.holds(KeyLog.characters(text, memory).filter { $0 != 0x20 })
    }
}
