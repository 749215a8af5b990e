/// The transaction, the renewal and the app transaction of a payload, wherever they are.
extension NotificationDecoder {
    /// The objects of a decoded payload that are where a JWS was.
    struct Nested {
        var transaction: JSONWalker.Place?
        var renewal: JSONWalker.Place?
        var appTransaction: JSONWalker.Place?
        /// The same under names of others; see ``PartName``.
        var named: [NamedPart] = []

        var isEmpty: Bool { transaction == nil && renewal == nil && appTransaction == nil }

        /// Takes in the place of an object that is under one of their keys in the outermost object.
        mutating func take(_ slot: Int, _ place: JSONWalker.Place) {
            switch V1Keys.Root(rawValue: slot) {
            case .v2TransactionInfo?, .v2SignedTransactionInfo?: transaction = transaction ?? place
            case .v2RenewalInfo?, .v2SignedRenewalInfo?: renewal = renewal ?? place
            case .v2AppTransactionInfo?, .v2SignedAppTransactionInfo?: appTransaction = appTransaction ?? place
            default: break
            }
        }
    }

    /// Which part is read.
    enum Kind {
        case transaction, renewal, appTransaction
    }

    /// A value under a name that somebody else gave to a part.
    struct NamedPart {
        var kind: Kind
        var key: String
        var value: JSONWalker.Value
        var place: JSONWalker.Place

        /// Words that are put around the names of the parts.
        private static let words = ["signed", "decoded", "info", "payload", "jws"]

        /// A member of an object; `nil` if its key, but for case, underscores and those words, is not a part's.
        init?(_ key: JSONText, _ value: JSONWalker.Value, _ walker: JSONWalker) {
            guard value.kind == .object || value.kind == .string, key.count >= 7 else { return nil }
            self.key = String(decoding: KeyLog.characters(key, walker.memory), as: UTF8.self)
            guard let kind = Self.kind(self.key) else { return nil }
            self.kind = kind
            self.value = value
            place = walker.place
        }

        static func kind(_ key: String) -> Kind? {
            let name = words.reduce(key.lowercased().filter { $0 != "_" }) { $0.replacing($1, with: "") }
            return ["transaction": .transaction, "renewal": .renewal, "apptransaction": .appTransaction][name]
        }
    }

    /// Where one part may be: texts first, as they may be signed, then objects; only then what others named so.
    private struct Places {
        var texts: [JSONText]
        var objects: [JSONWalker.Place?]
        var named: [NamedPart] = []
    }

    /// What was read of one part.
    private struct Part {
        var table: TextTable
        var memory: UnsafeRawPointer
        /// The JSON text of the whole object, for ``V2Details``; empty where nobody asks for it.
        var text: [UInt8] = []
        /// The name that another gave to it.
        var key: String?
    }

    /// Fills in the parts of the payload in `v2`.
    func takeParts(
        _ nested: Nested, _ met: Met, _ walker: inout JSONWalker, _ found: inout Found,
        _ details: inout V2Details.Parts
    ) throws(JSONFault) {
        let hasDataObject = v2.hasDataObject
        let named = nested.named + (hasDataObject ? met.parts.named : []) + partsAround.named
        let transactions = Places(
            texts: [
                v2[.signedTransactionInfo], v2[.transactionInfo],
                hasDataObject ? v2[.v2SignedTransactionInfo] : .absent,
                hasDataObject ? v2[.v2TransactionInfo] : .absent,
            ],
            objects: [nested.transaction, hasDataObject ? met.parts.transaction : nil, partsAround.transaction],
            named: named)
        if let part = try take(transactions, .transaction, orders.transaction, transactionPart, &walker) {
            found.transactionMemory = part.memory
            v2.transaction = part.table
            details.transaction = part.text
            details.names.formUnion(part.key.map { [$0] } ?? [])
        } else if v1.oddities.contains(.flatTransaction) {
            try takeFlatParts(met, &walker)
        }
        let renewals = Places(
            texts: [
                v2[.signedRenewalInfo], v2[.renewalInfo], hasDataObject ? v2[.v2SignedRenewalInfo] : .absent,
                hasDataObject ? v2[.v2RenewalInfo] : .absent,
            ],
            objects: [nested.renewal, hasDataObject ? met.parts.renewal : nil, partsAround.renewal],
            named: named)
        if let part = try take(renewals, .renewal, orders.renewal, renewalPart, &walker) {
            found.renewalMemory = part.memory
            v2.renewal = part.table
            details.renewal = part.text
            details.names.formUnion(part.key.map { [$0] } ?? [])
        }
        let views = (TextView(memory: found.transactionMemory), TextView(memory: found.renewalMemory))
        v2.clearZerosOfParts(views.0, views.1)
        v2.clearMasksOfParts(views.0, views.1)
        // There is one or the other, never a transaction beside an app transaction; if there is, the app's is left.
        guard v2.transaction.count == 0 else { return }
        let apps = Places(
            texts: [
                v2[.signedAppTransactionInfo], v2[.appTransactionInfo],
                hasDataObject ? v2[.v2SignedAppTransactionInfo] : .absent,
            ],
            objects: [nested.appTransaction, hasDataObject ? met.parts.appTransaction : nil], named: named)
        if let part = try take(apps, .appTransaction, orders.appTransaction, transactionPart, &walker) {
            found.appTransactionMemory = part.memory
            v2.appTransaction = part.table
            if v2.appTransaction.clearUnfit(TextView(memory: part.memory)) { v2.hasUnreadablePart = true }
            details.appTransaction = part.text
            details.names.formUnion(part.key.map { [$0] } ?? [])
        }
    }

    /// The first of a part's places that can be read; the others are compared with it.
    private func take(
        _ places: Places, _ kind: Kind, _ keys: KeyOrder, _ buffer: OutputBuffer, _ walker: inout JSONWalker
    ) throws(JSONFault) -> Part? {
        if let part = try takeOwn(places, kind, keys, buffer, &walker) { return part }
        for named in places.named where named.kind == kind {
            if named.value.kind == .object {
                walker.go(to: named.place)
                guard let table = try row(keys, isOwn: false, &walker), namesAnything(table) else { continue }
                let text = Self.text(from: named.place, to: walker.at, walker.memory)
                return Part(table: table, memory: walker.memory, text: text, key: named.key)
            }
            if let part = takeSignedPart(named.value.text, walker.memory, keys, buffer) {
                return Part(table: part.table, memory: part.memory, text: Array(buffer.bytes), key: named.key)
            }
            if TextView(memory: walker.memory).holdsJSON(named.value.text) { v2.hasUnreadablePart = true }
        }
        return nil
    }

    /// The same of the places under Apple's names.
    private func takeOwn(
        _ places: Places, _ kind: Kind, _ keys: KeyOrder, _ buffer: OutputBuffer, _ walker: inout JSONWalker
    ) throws(JSONFault) -> Part? {
        var part: Part?
        var isLost = false
        for text in places.texts where !text.isAbsent {
            if part == nil, let signed = takeSignedPart(text, walker.memory, keys, buffer) {
                part = Part(table: signed.table, memory: signed.memory, text: Array(buffer.bytes))
            } else if part == nil {
                isLost = true
            }
        }
        let isSigned = part != nil
        for case let place? in places.objects {
            walker.go(to: place)
            guard let table = try row(keys, isOwn: true, &walker) else { continue }
            if let part {
                if differ(part, Part(table: table, memory: walker.memory), kind) { v2.placesDisagree = true }
            } else {
                part = Part(
                    table: table, memory: walker.memory, text: Self.text(from: place, to: walker.at, walker.memory))
            }
        }
        if isLost, !isSigned {
            if part == nil {
                v2.hasUnreadablePart = places.texts.contains { !$0.isBlank } || v2.hasUnreadablePart
            } else {
                v2.hasLostSignedText = true
            }
        }
        return part
    }

    /// The scalars of the object that `walker` is before; `nil` if there are none.
    private func row(
        _ keys: KeyOrder, isOwn: Bool, _ walker: inout JSONWalker
    ) throws(JSONFault) -> TextTable? {
        let start = walker.place
        var table = TextTable(width: keys.table.count, rows: 1)
        var found: BodyOddities = []
        var empty = true
        try table.addRow { (row) throws(JSONFault) in
            try V1Fields.takeScalars(&walker, keys, into: row, &found, &empty)
        }
        if !namesAnything(table) { try found.formUnion(unnamed(start, keys.table, isLost: isOwn && empty, &walker)) }
        v1.oddities.formUnion(found)
        return empty ? nil : table
    }

    /// Whether a part has an id or a product, as every one of Apple's has, or what it says at once after these.
    private func namesAnything(_ table: TextTable) -> Bool {
        (0..<min(5, table.width)).contains { !table[0, $0].isBlank }
    }

    /// Why an object may name nothing: its keys are in another case, or its values in types of a database.
    @inline(never)
    private func unnamed(
        _ start: JSONWalker.Place, _ keys: KeyTable, isLost: Bool, _ walker: inout JSONWalker
    ) throws(JSONFault) -> BodyOddities {
        let past = walker.place
        defer { walker.go(to: past) }
        walker.go(to: start)
        if try TypedValues.isWrapping(&walker) { return .typedValues }
        walker.go(to: start)
        var found: BodyOddities = []
        var object = try walker.enterObject()
        while let member = try walker.nextMember(of: &object, known: keys) {
            if member.slot < 0, member.value.kind != .null {
                if isLost { found.insert(.misplaced) }
                let key = KeyLog.characters(member.key, walker.memory)
                if keys.holds(BodyReshaper.camelCase(key)) { found.insert(.partsInSnakeCase) }
            }
            try walker.skip(member.value)
        }
        return found
    }

    /// Whether two places state something differently that both state.
    private func differ(_ one: Part, _ other: Part, _ kind: Kind) -> Bool {
        let (view, otherView) = (TextView(memory: one.memory), TextView(memory: other.memory))
        let (left, right) = (stated(one, kind, view), stated(other, kind, otherView))
        return (0..<left.width).contains { slot in
            let (text, otherText) = (left[0, slot], right[0, slot])
            guard !text.isBlank, !otherText.isBlank else { return false }
            if view.string(text) == otherView.string(otherText) { return false }
            if let value = view.instant(text) ?? view.integer(text) {
                return value != otherView.instant(otherText) ?? otherView.integer(otherText)
            }
            if let value = view.truth(text) { return value != otherView.truth(otherText) }
            return true
        }
    }

    /// What a part states, without the zero values that count as absent.
    private func stated(_ part: Part, _ kind: Kind, _ view: TextView) -> TextTable {
        var table = part.table
        switch kind {
        case .transaction: V2Fields.clearZeros(ofTransaction: &table, view)
        case .renewal: V2Fields.clearZeros(ofRenewal: &table, view)
        case .appTransaction: table.clearZeros(0, Array(0..<table.width), view)
        }
        return table
    }

    /// Takes a transaction and a renewal whose fields are among those of the outermost object, as in a table's columns.
    private func takeFlatParts(_ met: Met, _ walker: inout JSONWalker) throws(JSONFault) {
        walker.go(to: met.start)
        guard var transaction = try row(orders.transaction, isOwn: false, &walker) else { return }
        // These are other things there: the kind of the row, the date of the notification.
        for key in [V2Keys.Transaction.type, .signedDate] { transaction[0, key.rawValue] = .absent }
        v2.transaction = transaction
        walker.go(to: met.start)
        guard v1.oddities.contains(.version1InCamelCase),
            var renewal = try row(orders.renewal, isOwn: false, &walker)
        else { return }
        for key in [V2Keys.Renewal.signedDate, .offerType, .offerIdentifier] { renewal[0, key.rawValue] = .absent }
        v2.renewal = renewal
    }
}
