extension Evidence {
    /// The version of the layout, which is its first byte: what the functions below name, in their order.
    static let layout: UInt8 = 6
}

extension Statement.Header {
    mutating func code(_ coder: inout some ByteCoder) {
        var layout = Evidence.layout
        coder.byte(&layout)
        if layout != Evidence.layout { coder.fail() }
        var bits = kind.rawValue
        coder.byte(&bits)
        kind = Statement.Kind(rawValue: bits)
        coder.text(&environment)
        coder.text(&bundleID)
        coder.text(&originalTransactionID)
        coder.id(&id)
    }
}

extension Statement {
    /// All of it; `rows` holds the transactions at ``rows``, or gets them at its end.
    mutating func code(_ coder: inout some ByteCoder, _ shown: inout [TimelineRow], _ details: inout ShownDetails) {
        codeOpening(&coder)
        var known: [EventText] = []
        codeState(&coder, &known)
        codeRows(&coder, &shown, &known)
        if header.kind.contains(.details) { details.code(&coder, shown[rows], &known) }
        access.code(&coder)
        if isV2 {
            coder.time(&signedAt)
            if isInHistory { coder.byte(&attempts) }
            return
        }
        coder.optional(&receipt, of: EvidenceReceipt(createdAt: 0)) { $1.code(&$0) }
        if !hasKey {
            coder.list(&details.possibleSubjects, of: ShownDetails.Subject()) {
                $0.text(&$1.originalTransactionID)
                $0.time(&$1.cancelled)
            }
        }
        if kind.contains(.idText) { coder.text(&idText) }
    }

    /// What is before the transactions.
    mutating func codeOpening(_ coder: inout some ByteCoder) {
        header.code(&coder)
        coder.text(&typeText)
        if !isV2 { facts.code(&coder) }
        coder.time(&ownTime)
        if ownTime != nil { coder.byte(&ownField) }
        coder.time(&receivedAt)
        if isV2 { return }
        coder.time(&latestKnown)
        if latestKnown != nil { coder.byte(&latestField) }
        coder.varint(&fingerprint)
    }

    /// The transaction it is about, and the renewal to come.
    private mutating func codeState(_ coder: inout some ByteCoder, _ known: inout [EventText]) {
        coder.text(&transactionText)
        coder.text(&productText, among: &known)
        coder.text(&nextProductText, among: &known)
        coder.truth(&autoRenewStatus)
        coder.byte(&intent)
        coder.truth(&isInBillingRetry)
        coder.truth(&consent)
        coder.byte(&nextOfferType)
        if nextOfferType != 0 { coder.text(&nextOfferText) }
        coder.time(&graceUntil)
        coder.signed(&leftOutBefore)
        transaction = TimelineID.of(transactionText)
        product = TimelineID.of(productText)
        nextProduct = TimelineID.of(nextProductText)
        if nextOfferType != 0 { nextOffer = TimelineID.of(nextOfferText) | UInt64(nextOfferType) << 1 | 1 }
    }

    /// The transactions, counted, the newest first.
    private mutating func codeRows(
        _ coder: inout some ByteCoder, _ shown: inout [TimelineRow], _ known: inout [EventText]
    ) {
        var count = rows.count
        coder.count(&count)
        var newer = TimelineRow.Newer()
        for index in rows.lowerBound..<rows.lowerBound + count where !coder.failed {
            if index == shown.count { shown.append(TimelineRow()) }
            shown[index].code(&coder, &newer, &known)
        }
        rows = rows.lowerBound..<min(rows.lowerBound + count, shown.count)
    }
}

extension Facts {
    /// Four bits for each fact, in the order of `facts` in Mappings/v1-to-v2.json.
    mutating func code(_ coder: inout some ByteCoder) {
        for index in 0..<3 { coder.word(&words[index]) }
        // Values that do not exist become unknown.
        let list = Fact.list
        for fact in list.values.indices where self[fact] >= list.values[fact].count {
            self[fact] = list.unknowns[fact] ?? 0
        }
    }
}

extension TimelineRow {
    /// Which parts of a transaction are there.
    private struct Parts: OptionSet {
        var rawValue: UInt8

        /// The id is a number, written as the distance from the last one.
        static let numericID = Self(rawValue: 1)
        /// It ends where the newer one begins.
        static let contiguous = Self(rawValue: 2)
        static let expires = Self(rawValue: 4)
        static let cancelled = Self(rawValue: 8)
        static let upgraded = Self(rawValue: 16)
        static let offer = Self(rawValue: 32)
        static let introductory = Self(rawValue: 64)
        static let inPart = Self(rawValue: 128)
    }

    /// What the next transaction, which is older, is told from.
    struct Newer {
        var purchase: Int64?
        /// The last id that was a number.
        var number: Int64 = 0
    }

    private func parts(_ newer: Newer) -> Parts {
        var parts: Parts = []
        if number != nil { parts.insert(.numericID) }
        if expires != nil { parts.insert(expires == newer.purchase ? .contiguous : .expires) }
        if cancellation != nil { parts.insert(.cancelled) }
        if isUpgraded { parts.insert(.upgraded) }
        if isInPart { parts.insert(.inPart) }
        switch offerType {
        case 0: break
        case UInt8(.introductory): parts.insert(.introductory)
        default: parts.insert(.offer)
        }
        return parts
    }

    /// An ordinary renewal takes ten bytes.
    mutating func code(_ coder: inout some ByteCoder, _ newer: inout Newer, _ known: inout [EventText]) {
        var bits = parts(newer).rawValue
        coder.byte(&bits)
        let parts = Parts(rawValue: bits)
        coder.text(&productText, among: &known)
        product = TimelineID.of(productText)
        if parts.contains(.numericID) {
            var distance = (number ?? 0) &- newer.number
            coder.signed(&distance)
            newer.number = newer.number &+ distance
            number = newer.number
            transaction = TimelineID.of(number: newer.number)
        } else {
            coder.text(&transactionText)
            transaction = TimelineID.of(transactionText)
        }
        codeDates(&coder, parts, newer)
        newer.purchase = purchase
        isUpgraded = parts.contains(.upgraded)
        isInPart = parts.contains(.inPart)
        if parts.contains(.offer) {
            coder.byte(&offerType)
            coder.text(&offerText)
            offer = TimelineID.of(offerText) | 1
        } else if parts.contains(.introductory) {
            offerType = UInt8(.introductory)
        }
    }

    private mutating func codeDates(_ coder: inout some ByteCoder, _ parts: Parts, _ newer: Newer) {
        coder.time(&purchase, since: newer.purchase ?? 0)
        coder.time(&expires, since: purchase, ifThere: parts.contains(.expires))
        if parts.contains(.contiguous) { expires = newer.purchase }
        coder.time(&cancellation, since: purchase, ifThere: parts.contains(.cancelled))
        if parts.contains(.cancelled) { coder.byte(&reason) }
    }
}

extension RowDetails {
    /// - Parameters:
    ///   - coder: Writes them, or fills them in.
    ///   - purchase: Of their transaction.
    ///   - newer: The details before them, from which numbers are told.
    ///   - known: The texts so far.
    mutating func code(
        _ coder: inout some ByteCoder, purchase: Int64, after newer: RowDetails?, _ known: inout [EventText]
    ) {
        webOrderLineItemNumber = webOrderLineItemNumber ?? TimelineID.number(shown.webOrderLineItemID)
        let lineItem = newer?.webOrderLineItemNumber ?? 0
        coder.optional(&webOrderLineItemNumber, of: 0) { coder, number in
            var distance = number &- lineItem
            coder.signed(&distance)
            number = lineItem &+ distance
        }
        if webOrderLineItemNumber == nil { coder.text(&shown.webOrderLineItemID) }
        coder.signed(&shown.quantity)
        coder.time(&shown.originalPurchasedAt, since: newer?.shown.originalPurchasedAt ?? purchase)
        coder.truth(&isTrial)
        coder.text(&shown.ownership, among: &known)
        coder.text(&shown.appAccountToken, among: &known)
        coder.text(&shown.subscriptionGroupID, among: &known)
        var isOfStore =
            shown.price != nil || !shown.currency.isAbsent || !shown.storefront.isAbsent || !shown.productType.isAbsent
            || !shown.offerDiscountType.isAbsent || !reason.isAbsent
        coder.truth(&isOfStore)
        if isOfStore { codeStore(&coder, &known) }
    }

    /// What no body of version 1 says.
    private mutating func codeStore(_ coder: inout some ByteCoder, _ known: inout [EventText]) {
        coder.signed(&shown.price)
        coder.text(&shown.currency, among: &known)
        coder.text(&shown.storefront, among: &known)
        coder.text(&shown.productType, among: &known)
        coder.text(&shown.offerDiscountType, among: &known)
        coder.text(&reason, among: &known)
    }
}

extension ShownDetails {
    /// The details of each of the transactions, then those that are left out of them, counted, each with its details.
    mutating func code(_ coder: inout some ByteCoder, _ shown: ArraySlice<TimelineRow>, _ known: inout [EventText]) {
        coder.text(&appAppleID)
        for (index, row) in shown.enumerated() where !coder.failed {
            if index == rows.count { rows.append(RowDetails()) }
            let newer = index > 0 ? rows[index - 1] : nil
            rows[index].code(&coder, purchase: row.purchase, after: newer, &known)
        }
        var newer = TimelineRow.Newer()
        var before = rows.last
        coder.list(&more, of: (TimelineRow(), RowDetails())) {
            $1.row.code(&$0, &newer, &known)
            $1.details.code(&$0, purchase: $1.row.purchase, after: before, &known)
            before = $1.details
        }
    }
}

extension EvidenceAccess {
    mutating func code(_ coder: inout some ByteCoder) {
        coder.word(&access.entitlement)
        coder.time(&access.until)
        var isEndUnknown = !access.flag.isDisjoint(with: .accessEndUnknown)
        var isPeriodUnknown = !access.flag.isDisjoint(with: .runningPeriodUnknown)
        coder.truth(&isEndUnknown)
        coder.truth(&isPeriodUnknown)
        if isEndUnknown { access.flag.formUnion(.accessEndUnknown) }
        if isPeriodUnknown { access.flag.formUnion(.runningPeriodUnknown) }
        coder.signed(&status)
        coder.time(&renewsAt)
    }
}

extension EvidenceReceipt {
    mutating func code(_ coder: inout some ByteCoder) {
        coder.time(&createdAt)
        coder.word(&covers)
        coder.truth(&isContradicted)
        coder.truth(&isRefused)
    }
}
