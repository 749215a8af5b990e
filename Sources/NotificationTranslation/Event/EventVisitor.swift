/// One of a closed set of words of our own.
typealias EventWord = CaseIterable & Equatable & RawRepresentable<String>

/// Goes over the fields of a transaction or a renewal in the order of the contract: writes them, or fills them in.
///
/// A key is passed as it stands in a line, with the `{` or `,` before it and the `:` after it: `,"id":`.
/// `apple` is the slot of the field in the list of ``V2Keys`` for the part; `nil` where version 2 has no such field.
protocol FieldVisitor {
    mutating func text(_ key: StaticString, _ value: inout EventText, _ apple: Int?)
    mutating func time(_ key: StaticString, _ value: inout Int64?, _ apple: Int?)
    mutating func number(_ key: StaticString, _ value: inout Int64?, _ apple: Int?)
    mutating func truth(_ key: StaticString, _ value: inout Bool?, _ apple: Int?)
    /// Ends an object.
    mutating func end()
}

/// Goes over all fields of an ``EventDraft``; one method for each kind of value in `Mappings/event.json`.
protocol EventVisitor: FieldVisitor {
    mutating func id(_ key: StaticString, _ value: inout EventDraft.ID)
    mutating func word<Word: EventWord>(_ key: StaticString, _ value: inout Word)
    mutating func appID(_ key: StaticString, _ value: inout EventDraft.AppID)
    mutating func pair(_ key: StaticString, _ value: inout EventDraft.Pair)
    mutating func pairs(_ key: StaticString, _ value: inout EventDraft.Candidates)
    mutating func flags(_ key: StaticString, _ value: inout EventDraft.Flags)
    mutating func texts(_ key: StaticString, _ value: inout [EventText])
    mutating func document(_ key: StaticString, _ value: inout [UInt8])
    /// Begins an object that is always there.
    mutating func begin(_ key: StaticString)
    /// Begins an object that may be absent; its members follow if it returns true.
    mutating func begin(_ key: StaticString, _ isThere: inout Bool) -> Bool
    /// Begins an object whose key is there only on request; its members follow if it returns true.
    mutating func begin(_ key: StaticString, _ isRequested: inout Bool, _ isThere: inout Bool) -> Bool
}

/// Fills in the fields of a transaction or a renewal from a part of a version 2 payload.
private struct PartVisitor: FieldVisitor {
    let part: V2Fields.Part
    /// Whether a number or a time is there that cannot be read.
    var isUnreadable = false

    func text(_ key: StaticString, _ text: inout EventText, _ apple: Int?) {
        if let apple { text = part[apple].eventText }
    }

    mutating func time(_ key: StaticString, _ time: inout Int64?, _ apple: Int?) { take(&time, apple, \.time) }

    mutating func number(_ key: StaticString, _ number: inout Int64?, _ apple: Int?) { take(&number, apple, \.number) }

    func truth(_ key: StaticString, _ truth: inout Bool?, _ apple: Int?) {
        if let apple { truth = part[apple].truth }
    }

    func end() {}

    private mutating func take(_ number: inout Int64?, _ apple: Int?, _ read: (V2Value) -> Int64?) {
        guard let apple, !part[apple].isBlank else { return }
        number = read(part[apple])
        if number == nil { isUnreadable = true }
    }
}

extension EventDraft.Transaction {
    /// What a transaction of version 2 says; `isUnreadable` becomes true if a number or a time of it cannot be read.
    init(_ part: V2Fields.Part, _ isUnreadable: inout Bool) {
        self.init()
        var visitor = PartVisitor(part: part)
        visit(&visitor)
        appAccountToken = part[V2Keys.Transaction.appAccountToken.rawValue].eventText
        if visitor.isUnreadable { isUnreadable = true }
    }
}

extension EventDraft.Renewal {
    /// What a renewal of version 2 says; `isUnreadable` becomes true if a number or a time of it cannot be read.
    init(_ part: V2Fields.Part, _ isUnreadable: inout Bool) {
        self.init()
        var visitor = PartVisitor(part: part)
        visit(&visitor)
        if visitor.isUnreadable { isUnreadable = true }
    }

    /// What an entry of `pending_renewal_info` says.
    init(pending entry: Int, _ fields: V1Fields, _ view: TextView) {
        self.init()
        func value(_ key: V1Keys.Pending) -> JSONText { fields[pending: entry, key] }
        func status(_ key: V1Keys.Pending) -> Int64? { view.truth(value(key)).map { $0 ? 1 : 0 } }
        autoRenewProductID = EventText(value(.autoRenewProductID), in: view.memory)
        autoRenewStatus = status(.autoRenewStatus)
        expirationIntent = view.count(value(.expirationIntent))
        inBillingRetry = view.truth(value(.isInBillingRetryPeriod))
        gracePeriodExpiresAt = fields.date(.gracePeriodExpires, pending: entry, view).date?.milliseconds
        priceIncreaseStatus =
            view.count(value(.priceConsentStatus)) ?? status(.priceConsentStatus)
            ?? view.count(value(.priceIncreaseStatus)) ?? status(.priceIncreaseStatus)
        if let offer = view.offer(value(.offerCodeRefName), value(.promotionalOfferID)) {
            (offerType, offerID) = (offer.type.rawValue, offer.id)
        }
    }
}

extension TextView {
    /// The offer of a code, else a promotional offer; `nil` where neither is named.
    func offer(_ code: JSONText, _ promotional: JSONText) -> (type: UnifiedEvent.OfferType, id: EventText)? {
        if !code.isBlank { return (.code, EventText(code, in: memory)) }
        return promotional.isBlank ? nil : (.promotional, EventText(promotional, in: memory))
    }
}

extension V1Fields {
    /// The offer that a row was bought with; an introductory one has no id.
    func offer(row: Int, _ view: TextView) -> (type: UnifiedEvent.OfferType, id: EventText)? {
        if let offer = view.offer(self[row: row, .offerCodeRefName], self[row: row, .promotionalOfferID]) {
            return offer
        }
        let isIntroductory =
            view.truth(self[row: row, .isTrialPeriod]) ?? false
            || view.truth(self[row: row, .isInIntroOfferPeriod]) ?? false
        return isIntroductory ? (.introductory, .absent) : nil
    }
}
