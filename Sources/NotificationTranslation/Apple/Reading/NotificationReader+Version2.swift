/// Version 2: a signed payload, a decoded one, and what is signed inside it.
extension NotificationReader {
    /// Reads the object walked last, and what is under `data` or in its place, as a decoded payload.
    ///
    /// Its parts are looked for under `data`, then beside that, then beside the object itself.
    func readPayload(
        _ met: WalkedObject, _ around: Surroundings, _ doubts: FoundNotification.Doubts
    ) throws(JSONFault) -> Reading {
        let memory = met.memory
        let payload = try met.tree()
        v2 = V2Fields(memory)
        v2.root.table.append(0, of: v1.root)
        var parts = V2Details.Parts()
        parts.whole = payload
        for slot in V1Keys.Root.v2Data.rawValue...V1Keys.Root.v2UnclaimInfo.rawValue where parts.data == nil {
            let key = V1Keys.root.name(slot)
            if let object = payload[key], object.kind == .object { (parts.key, parts.data) = (key, object) }
        }
        let misplacesData = parts.data == nil && met.candidates.contains(where: \.isPayload)
        if met.hasUnknownMember || met.candidates.count > 1 {
            let key = parts.data.map { _ in parts.key }
            let unknown = Self.unknownMembers(of: payload, besides: key, isSigned: around.signed != nil)
            if parts.data == nil, let instead = unknown.data { (parts.key, parts.data) = instead }
            parts.unknown = unknown.keys.subtracting(parts.data == nil ? [] : [parts.key])
        }
        v2.hasDataObject = parts.data != nil
        let nested = try takeData(parts.data ?? payload)
        if parts.data == nil { clearForeignStatus(memory) }
        v2.clearEmpty()
        var found = FoundNotification(kind: .v2, memory: memory, holder: self, received: met.times.time)
        found.doubts = doubts
        found.signedTexts = around.signedTexts
        v2.hasLostSignedText = around.signed == nil && around.lostSignedText
        // Where the payload was signed, its parts were judged with it.
        self.parts.judging = nil
        do throws(AuthenticityError) {
            if let signed = around.signed {
                found.authenticity = signed
            } else if !policy.checksNothing {
                // It came without its signature.
                let said = PayloadClaims.Identity(
                    bundleID: v2[data: .bundleId].string, environment: v2[data: .environment].string,
                    appAppleID: v2[data: .appAppleId].integer)
                found.authenticity = try policy.authenticity(ofUnsigned: said)
                self.parts.judging = (policy, said)
            }
        } catch {
            return .failed(NotificationError(error), isRefused: true)
        }
        if misplacesData { v1.oddities.insert(.misplaced) }
        let inRoot =
            v2.hasDataObject && (met.hasParts || met.hasNamedParts)
            ? PartPlace.all(in: payload, known: V1Keys.root, others: Envelope.mayHoldNotification) : []
        try takeParts([nested, inRoot, around.parts], memory, &parts)
        if let refusal = self.parts.refusal { return .failed(NotificationError(refusal), isRefused: true) }
        if let casing = casingInside(around) { return .reshaped(casing, isDoubtful: doubts == .version) }
        if v1.oddities.contains(.misplaced) { v2.hasUnreadablePart = true }
        parts.unknown.subtract(parts.names)
        found.hasZonelessDates = around.signed == nil && v2.hasZonelessDate
        v2.details = V2Details.text(of: parts) { v2.holds($0, as: $1) }
        if keepsPayload { v2.original = V2Details.payload(parts) }
        return .notification(found)
    }

    /// The keys of members that nothing else reads, as Apple adds objects beside `data`; and the only one that names an
    /// app, where `data` is missing and nothing beside it does: it takes that place.
    ///
    /// What was signed is Apple's as a whole. A decoded payload may be in a document with members of its own, such as
    /// the time of arrival, so of these only objects that name an app are taken.
    private static func unknownMembers(
        of payload: JSONTree, besides data: String?, isSigned: Bool
    ) -> (keys: Set<String>, data: (key: String, object: JSONTree)?) {
        var (keys, isNamed) = (Set<String>(), data != nil)
        var naming: [(key: String, object: JSONTree)] = []
        for (name, value) in payload.pairs {
            let (key, slot) = (name.characters, name.slot(in: V1Keys.root))
            let isOfVersion2 = V1Keys.Root.v2Data.rawValue...V1Keys.Root.v2UnclaimInfo.rawValue ~= slot
            let isOfApp =
                slot < 0 && PartPlace.kind(key) == nil && value.member("bundleId")?.kind == .string
                && ["environment", "appAppleId"].contains { value[$0]?.kind.isScalar == true }
            if ["environment", "appAppleId", "bundleId"].contains(key), value.kind != .null { isNamed = true }
            if isOfApp { naming.append((key, value)) }
            if isOfVersion2 ? value.kind == .object && key != data : slot < 0 && (isSigned || isOfApp) {
                keys.insert(key)
            }
        }
        return (keys, !isNamed && naming.count == 1 ? naming[0] : nil)
    }

    /// Of an object without `data` a row of a table may have a `status` of its own; Apple's is a number from 1 to 5.
    private func clearForeignStatus(_ memory: UnsafeRawPointer) {
        let status = v2[data: .status]
        guard !status.isBlank else { return }
        let isAppleType = status.integer.map { 1...5 ~= $0 } ?? false
        if isString(status.text, memory) || !isAppleType { v2.data.table[0, V2Keys.Data.status.rawValue] = .absent }
    }

    /// Reads the object that takes the place of `data`; returns the parts in it.
    private func takeData(_ object: JSONTree) throws(JSONFault) -> [PartPlace] {
        v2.data.table.addRow { _ in }
        for (key, value) in object.pairs {
            let slot = key.slot(in: V2Keys.data)
            if slot < 0 {
                // A key in another case, or what a database put around all of it.
                let name = key.withCharacters { Array($0) }
                let isRecased = v2.hasDataObject && V2Keys.data.holds(BodyReshaper.camelCase(name))
                if isRecased { v1.oddities.insert(.partsInSnakeCase) }
                if TypedValues.isName(name), value.kind == .object { v1.oddities.insert(.typedValues) }
            } else if value.kind.isScalar {
                if value.kind != .null { v2.data.table[0, slot] = try value.read() }
            } else if value.kind != .object || !V2Keys.parts.contains(slot) {
                // Without `data`, the members are those of a row that may have its own.
                let found = BodyOddities.inPlaceOfScalar(value)
                v1.oddities.formUnion(v2.hasDataObject ? found : found.intersection(.typedValues))
            }
        }
        return PartPlace.all(in: object, known: V2Keys.data)
    }

    /// Fills in the parts of the payload in `v2`: those of `data`, or beside it, or beside the object itself.
    private func takeParts(
        _ places: [[PartPlace]], _ memory: UnsafeRawPointer, _ details: inout V2Details.Parts
    ) throws(JSONFault) {
        if let part = try take(
            .transaction, [.signedTransactionInfo, .transactionInfo], [.v2SignedTransactionInfo, .v2TransactionInfo],
            places, memory, &details)
        {
            v2.transaction = part.fields
            details.transaction = part.object
        } else if v1.oddities.contains(.flatTransaction), let payload = details.whole {
            try takeFlatParts(payload)
        }
        if let part = try take(
            .renewal, [.signedRenewalInfo, .renewalInfo], [.v2SignedRenewalInfo, .v2RenewalInfo], places, memory,
            &details)
        {
            v2.renewal = part.fields
            details.renewal = part.object
        }
        v2.clearEmptyParts()
        // There is one or the other, never a transaction beside an app transaction; if there is, the app's is left.
        guard !v2.hasTransaction else { return }
        let ownPlaces = [places[0], places[1], places[2].filter { $0.key != nil }]
        if let part = try take(
            .appTransaction, [.signedAppTransactionInfo, .appTransactionInfo], [.v2SignedAppTransactionInfo], ownPlaces,
            memory, &details)
        {
            v2.appTransaction = part.fields
            if v2.appTransaction.table.clearUnfit(v2.appTransaction.view) { v2.hasUnreadablePart = true }
            details.appTransaction = part.object
        }
    }

    /// Reads a part, whose text may be under keys of `data` or, beside that, of the outermost object.
    private func take(
        _ kind: SignedPayloadKind, _ inData: [V2Keys.Data], _ inRoot: [V1Keys.Root], _ places: [[PartPlace]],
        _ memory: UnsafeRawPointer, _ details: inout V2Details.Parts
    ) throws(JSONFault) -> PartReader.Part? {
        let texts = inData.map { v2[data: $0].text } + (v2.hasDataObject ? inRoot.map { v2[$0].text } : [])
        let part = try parts.read(kind, texts, memory, places, &v2, &v1.oddities)
        if let key = part?.key { details.names.insert(key) }
        return part
    }

    /// Takes a transaction and a renewal whose fields are among those of the outermost object, as in a table's columns.
    private func takeFlatParts(_ payload: JSONTree) throws(JSONFault) {
        guard var transaction = try parts.row(.transaction, payload, isOwn: false, &v1.oddities) else { return }
        // These are other things there: the kind of the row, the date of the notification.
        for key in [V2Keys.Transaction.type, .signedDate] { transaction[0, key.rawValue] = .absent }
        v2.transaction.table = transaction
        guard v1.oddities.contains(.version1InCamelCase),
            var renewal = try parts.row(.renewal, payload, isOwn: false, &v1.oddities)
        else { return }
        for key in [V2Keys.Renewal.signedDate, .offerType, .offerIdentifier] { renewal[0, key.rawValue] = .absent }
        v2.renewal.table = renewal
    }
}
