/// Version 2: a signed payload, a decoded one, and what is signed inside it.
extension NotificationReader {
    /// Reads the object walked last, and what is under `data` or in its place, as a decoded payload.
    ///
    /// Its parts are looked for under `data`, then beside that, then beside the object itself.
    func readPayload(
        _ met: WalkedObject, _ walker: inout JSONWalker, _ around: Surroundings, _ doubts: FoundNotification.Doubts
    ) throws(JSONFault) -> Reading {
        let memory = walker.memory
        v2.removeAll()
        try v2.root.addRow { (row) throws(JSONFault) in
            for slot in 0..<row.count { row[slot] = v1.root[0, slot] }
        }
        var nested = PartPlaces()
        var parts = V2Details.Parts()
        let data = met.candidates.filter { $0.rank.isPayload && $0.value.kind == .object }.min { $0.rank < $1.rank }
        var (key, place) = (data?.payloadName, data?.place)
        if met.hasUnknownMember || met.candidates.count > 1 {
            walker.go(to: met.start)
            let unknown = try UnknownMembers(besides: key, isSigned: around.signed != nil, &walker)
            if place == nil, let instead = unknown.data { (key, place) = instead }
            parts.unknown = unknown.keys.subtracting([key ?? ""])
        }
        if let place {
            v2.hasDataObject = true
            walker.go(to: place)
            nested = try takeData(&walker)
            if let key { parts.key = key }
            parts.data = PartReader.text(from: place, to: walker.at, memory)
        } else {
            walker.go(to: met.start)
            nested = try takeData(&walker)
            clearForeignStatus(memory)
        }
        v2.clearZeros(TextView(memory: memory))
        v2.clearMasks(TextView(memory: memory))
        var found = FoundNotification(.v2, memory, self, met.times.time)
        found.doubts = doubts
        found.signedTexts = around.signedTexts
        do throws(NotificationError) {
            if let signed = around.signed {
                found.authenticity = signed
            } else {
                found.authenticity = try authenticityOfUnsigned(memory)
                v2.hasLostSignedText = around.lostSignedText
            }
        } catch {
            return .failed(error, isRefused: true)
        }
        if data == nil, met.candidates.contains(where: \.rank.isPayload) { v1.oddities.insert(.misplaced) }
        try takeParts(nested, beside: around.parts, met, &walker, &found, &parts)
        if let casing = casingInside(around) { return .reshaped(casing, isDoubtful: doubts == .version) }
        if v1.oddities.contains(.misplaced) { v2.hasUnreadablePart = true }
        parts.unknown.subtract(parts.names)
        found.hasZonelessDates = around.signed == nil && v2.hasZonelessDate(found)
        if keepsPayload || !parts.unknown.isEmpty {
            walker.go(to: met.start)
            var object = try walker.enterObject()
            while let member = try walker.nextMember(of: &object, known: JSONTree.noKeys) {
                try walker.skip(member.value)
            }
            parts.whole = PartReader.text(from: met.start, to: walker.at, memory)
        }
        v2.details = V2Details.text(of: parts) { v2.held($0, found) }
        if keepsPayload { v2.original = V2Details.payload(parts) }
        return .notification(found)
    }

    /// Of an object without `data` a row of a table may have a `status` of its own; Apple's is a number from 1 to 5.
    private func clearForeignStatus(_ memory: UnsafeRawPointer) {
        let status = v2[.status]
        guard !status.isBlank else { return }
        let isAppleType = TextView(memory: memory).integer(status).map { 1...5 ~= $0 } ?? false
        if isString(status, memory) || !isAppleType { v2.data[0, V2Keys.Data.status.rawValue] = .absent }
    }

    /// Reads the object that takes the place of `data`.
    private func takeData(_ walker: inout JSONWalker) throws(JSONFault) -> PartPlaces {
        var nested = PartPlaces()
        try v2.data.addRow { (_: UnsafeMutableBufferPointer<JSONText>) throws(JSONFault) in }
        var object = try walker.enterObject()
        while let member = try walker.nextMember(of: &object, known: V2Keys.data) {
            switch (V2Keys.Data(rawValue: member.slot), member.value.kind) {
            case (.signedTransactionInfo?, .object), (.transactionInfo?, .object): nested.transaction = walker.place
            case (.signedRenewalInfo?, .object), (.renewalInfo?, .object): nested.renewal = walker.place
            case (.signedAppTransactionInfo?, .object), (.appTransactionInfo?, .object):
                nested.appTransaction = walker.place
            case (let key?, let kind) where kind.isScalar:
                if kind != .null { v2.data[0, key.rawValue] = try walker.read(member.value) }
            case (_?, _):
                // Without `data`, the members are those of a row that may have its own.
                let found = try BodyOddities.inPlaceOfScalar(member.value, &walker)
                v1.oddities.formUnion(v2.hasDataObject ? found : found.intersection(.typedValues))
            case (nil, _): try noteUnknown(member, &walker, &nested)
            }
            try walker.skip(member.value)
        }
        return nested
    }

    /// Notes a member of `data` that is none of Apple's: a part under another name, a key in another case, or what a
    /// database put around all of it.
    private func noteUnknown(
        _ member: JSONWalker.Member, _ walker: inout JSONWalker, _ nested: inout PartPlaces
    ) throws(JSONFault) {
        if let part = NamedPart(member.key, member.value.kind, member.value.text, walker.place, walker.memory) {
            nested.named.append(part)
        }
        let key = KeyLog.characters(member.key, walker.memory)
        if v2.hasDataObject, V2Keys.data.holds(BodyReshaper.camelCase(key)) { v1.oddities.insert(.partsInSnakeCase) }
        if TypedValues.isName(key), member.value.kind == .object { v1.oddities.insert(.typedValues) }
    }

    // MARK: Parts

    /// Fills in the parts of the payload in `v2`: those of `data`, or beside it, or beside the object itself.
    private func takeParts(
        _ inData: PartPlaces, beside: PartPlaces, _ met: WalkedObject, _ walker: inout JSONWalker,
        _ found: inout FoundNotification, _ details: inout V2Details.Parts
    ) throws(JSONFault) {
        let hasData = v2.hasDataObject
        let inRoot = hasData ? met.parts : PartPlaces()
        let named = inData.named + inRoot.named + beside.named
        func texts(_ data: [V2Keys.Data], _ root: [V1Keys.Root]) -> [JSONText] {
            data.map { v2[$0] } + (hasData ? root.map { v2[$0] } : [])
        }
        let transactions = PartReader.Places(
            texts: texts(
                [.signedTransactionInfo, .transactionInfo], [.v2SignedTransactionInfo, .v2TransactionInfo]),
            objects: [inData.transaction, inRoot.transaction, beside.transaction], named: named)
        if let part = try take(.transaction, transactions, &walker, &details) {
            found.transactionMemory = part.memory
            v2.transaction = part.table
            details.transaction = part.text
        } else if v1.oddities.contains(.flatTransaction) {
            try takeFlatParts(met, &walker)
        }
        let renewals = PartReader.Places(
            texts: texts([.signedRenewalInfo, .renewalInfo], [.v2SignedRenewalInfo, .v2RenewalInfo]),
            objects: [inData.renewal, inRoot.renewal, beside.renewal], named: named)
        if let part = try take(.renewal, renewals, &walker, &details) {
            found.renewalMemory = part.memory
            v2.renewal = part.table
            details.renewal = part.text
        }
        let views = (TextView(memory: found.transactionMemory), TextView(memory: found.renewalMemory))
        v2.clearZerosOfParts(views.0, views.1)
        v2.clearMasksOfParts(views.0, views.1)
        // There is one or the other, never a transaction beside an app transaction; if there is, the app's is left.
        guard v2.transaction.count == 0 else { return }
        let apps = PartReader.Places(
            texts: texts([.signedAppTransactionInfo, .appTransactionInfo], [.v2SignedAppTransactionInfo]),
            objects: [inData.appTransaction, inRoot.appTransaction], named: named)
        if let part = try take(.appTransaction, apps, &walker, &details) {
            found.appTransactionMemory = part.memory
            v2.appTransaction = part.table
            if v2.appTransaction.clearUnfit(TextView(memory: part.memory)) { v2.hasUnreadablePart = true }
            details.appTransaction = part.text
        }
    }

    private func take(
        _ kind: PartKind, _ places: PartReader.Places, _ walker: inout JSONWalker, _ details: inout V2Details.Parts
    ) throws(JSONFault) -> PartReader.Part? {
        let reading = try parts.read(kind, places, &walker)
        v1.oddities.formUnion(reading.oddities)
        if reading.isUnreadable { v2.hasUnreadablePart = true }
        if reading.isLost { v2.hasLostSignedText = true }
        if reading.differs { v2.placesDisagree = true }
        if let key = reading.part?.key { details.names.insert(key) }
        return reading.part
    }

    /// Takes a transaction and a renewal whose fields are among those of the outermost object, as in a table's columns.
    private func takeFlatParts(_ met: WalkedObject, _ walker: inout JSONWalker) throws(JSONFault) {
        func row(_ kind: PartKind) throws(JSONFault) -> TextTable? {
            walker.go(to: met.start)
            var reading = PartReader.Reading()
            defer { v1.oddities.formUnion(reading.oddities) }
            return try parts.row(parts.keys(kind), isOwn: false, &walker, &reading)
        }
        guard var transaction = try row(.transaction) else { return }
        // These are other things there: the kind of the row, the date of the notification.
        for key in [V2Keys.Transaction.type, .signedDate] { transaction[0, key.rawValue] = .absent }
        v2.transaction = transaction
        guard v1.oddities.contains(.version1InCamelCase), var renewal = try row(.renewal) else { return }
        for key in [V2Keys.Renewal.signedDate, .offerType, .offerIdentifier] { renewal[0, key.rawValue] = .absent }
        v2.renewal = renewal
    }
}
