/// Writes the ``Evidence`` of a notification while its record is in view.
///
/// A transaction is: a byte of ``RowBits``, the number of its product, its id (numeric: the distance from the
/// last numeric one; else a text), its purchase (the first: milliseconds; then the distance from the newer one), its
/// end and its cancellation as distances from the purchase, the cancellation followed by the reason (255: not stated),
/// and an offer as its type and text. Ordinary renewals take ten bytes.
///
/// One for each worker; keeps its memory.
final class EvidenceWriter {
    /// Rows are written until they take this many bytes; then only those that mean something by themselves, and those
    /// from the time when Apple did not send renewals, because no other notification may show them: Apple's hundred
    /// rows fit in.
    private static let plainRoom = 272
    private static let specialRoom = 368
    private static let untoldRoom = 1_200

    // Run-time exclusivity checks on both cost 2 % of a timeline of small bodies, 3 % of typical ones.
    @exclusivity(unchecked) private var places: [(index: Int, purchase: Int64)] = []
    @exclusivity(unchecked) var products: [EventText] = []
    private var more: [(index: Int, purchase: Int64)] = []
    let rowBytes = OutputBuffer(capacity: 1024)
    /// Gets the ``ShownDetails``; `nil` where nobody asks for them.
    private let detailBytes: OutputBuffer?

    private let renewalsToldSince = DecisionTable.current.parameters.renewalsToldSince

    /// The key of the pseudonyms that replace what points to a person; `nil` leaves it as it is.
    private let redactionKey: RedactionKey?
    var pseudonyms = TextArena()

    /// A writer; `keepsDetails` for what `state` and `transactions` are made of.
    init(keepsDetails: Bool = false, redactionKey: RedactionKey? = nil) {
        detailBytes = keepsDetails ? OutputBuffer(capacity: 1024) : nil
        self.redactionKey = redactionKey
    }

    private var extras: EvidenceExtras { detailBytes == nil ? [] : .details }

    // MARK: Version 1

    /// Appends the evidence of a version 1 body.
    ///
    /// - Parameters:
    ///   - event: Its event, judged alone; `inout` so that it is not copied, like the reading.
    ///   - reading: What was read of it on the way.
    ///   - fields: Its fields.
    ///   - view: The memory they are in.
    ///   - type: The name of its type.
    ///   - output: Where the evidence goes.
    func write(
        _ event: inout EventDraft, _ reading: inout V1Reading, _ fields: V1Fields, _ view: TextView, type: EventText,
        to output: OutputBuffer
    ) {
        let list = fields.unifiedRows > 0 || fields.receiptRows > 0
        var bits: EvidenceBits = []
        if reading.ownTime != nil { bits.insert(.ownTime) }
        if reading.latestKnown != nil { bits.insert(.latestKnown) }
        if event.source.receivedAt != nil { bits.insert(.receivedAt) }
        if list { bits.insert(.list) }
        collect(&reading, fields, view)
        let isCapped = reading.facts.says(.capped, FactValue.Plain.yes)
        if redactionKey != nil { pseudonyms = TextArena() }
        detailBytes?.removeAll()
        detailBytes?.append(text: event.appAppleID.text.string ?? event.appAppleID.number.map { String($0) } ?? "")
        let (count, oldest, leftOut) = writeRows(fields, view)
        if leftOut || (list && isCapped) { bits.insert(.leftOut) }
        // Where nothing says what it is about, words alone do not distinguish it from another.
        let possible = possible(&reading, fields, view)
        let fingerprint = isNamed(&event) ? 0 : fields.fingerprint(view.memory) ^ Self.fingerprint(possible)
        if fingerprint != 0 { bits.insert(.fingerprint) }
        let subject = EventText(reading.subject.originalTransactionID, in: view.memory)
        header(&event, bits: bits, subject: subject, output)
        output.append(text: type)
        let words = reading.facts.packed
        withUnsafeBytes(of: (words.0.littleEndian, words.1.littleEndian, words.2.littleEndian)) { output.append($0) }
        if let time = reading.ownTime { append(time, output) }
        if let known = reading.latestKnown { append(known, output) }
        if let received = event.source.receivedAt { output.append(signed: received) }
        if fingerprint != 0 { output.append(varint: fingerprint) }
        state(&event, output)
        if bits.contains(.leftOut) { output.append(signed: oldest) }
        output.append(varint: UInt64(count))
        output.append(rowBytes.bytes)
        if let detailBytes { output.append(detailBytes.bytes) }
        EvidenceAccess(&event).append(to: output)
        let receipt = EvidenceReceipt(&event)
        if !possible.isEmpty || (receipt != nil && !hasKey(&event, subject)) {
            output.append(varint: UInt64(possible.count))
            for one in possible {
                output.append(text: one.id)
                output.append(signed: one.cancelled ?? 0)
            }
        }
        receipt?.append(to: output)
    }

    /// So many of the purchases that may be meant are kept, the newest.
    private static let mostPossible = 8

    /// A purchase that a notification may be about.
    private struct Possible {
        var id: EventText
        var purchase: Int64
        var cancelled: Int64?
    }

    /// The purchases that a notification may be about which names none: shared ones, or those made once; of a refund
    /// those that were refunded.
    private func possible(_ reading: inout V1Reading, _ fields: V1Fields, _ view: TextView) -> [Possible] {
        guard reading.subject.isNone, let type = reading.type else { return [] }
        let shape = DecisionTable.current.shape(ofType: type)
        var found: [Possible] = []
        var known: [String: Int] = [:]
        for index in 0..<fields.rows.count {
            let id = EventText(fields[row: index, .originalTransactionID], in: view.memory)
            let cancelled = fields.date(.cancellation, row: index, view).date?.milliseconds
            let isMeant =
                shape.subject == .shared
                ? fields.isShared(index, view)
                : fields.date(.expires, row: index, view).date == nil
            guard isMeant, !id.isAbsent, !id.bytes.isEmpty, cancelled != nil || shape.transaction != .cancelled
            else { continue }
            let name = view.string(fields[row: index, .originalTransactionID])
            if let place = known[name] {
                found[place].cancelled = [found[place].cancelled, cancelled].compactMap { $0 }.max()
            } else {
                known[name] = found.count
                let purchase = fields.date(.purchase, row: index, view).date?.milliseconds ?? .min
                found.append(Possible(id: id, purchase: purchase, cancelled: cancelled))
            }
        }
        found.sort {
            $0.purchase != $1.purchase ? $0.purchase > $1.purchase : TimelineID.of($0.id) < TimelineID.of($1.id)
        }
        return Array(found.prefix(Self.mostPossible))
    }

    /// A number that distinguishes refunds which name no purchase: what they show as refunded; 0 for nothing.
    ///
    /// The lowest 32 bits stay free for what distinguishes apps and receipts.
    private static func fingerprint(_ possible: [Possible]) -> UInt64 {
        var hash: UInt64 = 0
        for one in possible {
            guard let cancelled = one.cancelled else { continue }
            hash = (hash ^ TimelineID.of(one.id) ^ UInt64(bitPattern: cancelled) << 20) &* 0x9E37_79B9_7F4A_7C15
            hash ^= hash >> 29
        }
        return hash << 32
    }

    /// Whether an event names the purchase that it is about.
    private func isNamed(_ event: inout EventDraft) -> Bool {
        event.hasTransaction
            && !(event.transactionFields.originalTransactionID.isAbsent
                && event.transactionFields.transactionID.isAbsent)
    }

    private func append(_ date: V1Date, _ output: OutputBuffer) {
        output.append(signed: date.milliseconds)
        output.append(TimeField.number(of: date.field))
    }

    /// The subject's transactions with a purchase date, the newest first.
    private func collect(_ reading: inout V1Reading, _ fields: V1Fields, _ view: TextView) {
        places.removeAll(keepingCapacity: true)
        products.removeAll(keepingCapacity: true)
        guard !reading.subject.isNone else { return }
        for index in 0..<fields.rows.count {
            guard
                reading.rows.isOfSubject(index)
                    ?? fields.isRow(index, of: reading.subject.originalTransactionID, view),
                !fields[row: index, .transactionID].isBlank,
                let purchase = fields.date(.purchase, row: index, view).date
            else { continue }
            places.append((index, purchase.milliseconds))
        }
        places.sort { $0.purchase != $1.purchase ? $0.purchase > $1.purchase : $0.index < $1.index }
    }

    /// Writes the transactions into `rowBytes`.
    ///
    /// - Returns: How many, from which purchase date on none is left out, and whether any is.
    private func writeRows(_ fields: V1Fields, _ view: TextView) -> (count: Int, oldest: Int64, leftOut: Bool) {
        rowBytes.removeAll()
        more.removeAll(keepingCapacity: true)
        var count = 0
        var oldest = Int64.max
        var leftOut = false
        var newer: (purchase: Int64, id: Int64)?
        for place in places {
            let row = Row(fields, view, place)
            let isSpecial = row.cancellation != nil || row.isUpgraded || row.offer.type != 0
            let room =
                place.purchase < renewalsToldSince
                ? Self.untoldRoom : !leftOut ? Self.plainRoom : isSpecial ? Self.specialRoom : 0
            if rowBytes.count > room {
                leftOut = true
                if detailBytes != nil { more.append(place) }
                continue
            }
            if !leftOut { oldest = place.purchase }
            append(row, newer?.purchase, &newer, view, to: rowBytes)
            if let detailBytes { append(details: place, fields, view, to: detailBytes) }
            count += 1
        }
        if let detailBytes { writeMoreRows(fields, view, to: detailBytes) }
        return (count, oldest, leftOut)
    }

    /// Writes the transactions that were left out.
    private func writeMoreRows(_ fields: V1Fields, _ view: TextView, to output: OutputBuffer) {
        var newer: (purchase: Int64, id: Int64)?
        output.append(varint: UInt64(more.count))
        for place in more {
            append(Row(fields, view, place), newer?.purchase, &newer, view, to: output)
            append(details: place, fields, view, to: output)
        }
    }

    private func append(
        details place: (index: Int, purchase: Int64), _ fields: V1Fields, _ view: TextView, to output: OutputBuffer
    ) {
        append(RowDetails(fields, row: place.index, view), purchase: place.purchase, to: output)
    }

    func append(_ details: RowDetails, purchase: Int64, to output: OutputBuffer) {
        var details = details
        if let redactionKey {
            details.appAccountToken = pseudonyms.keep(details.appAccountToken.string.map(redactionKey.pseudonym))
        }
        details.append(to: output, purchase: purchase) { number(of: $0) }
    }

    private func append(
        _ row: Row, _ newerPurchase: Int64?, _ newer: inout (purchase: Int64, id: Int64)?, _ view: TextView,
        to rowBytes: OutputBuffer
    ) {
        let id = TimelineID.number(row.id)
        let isContiguous = row.expires != nil && row.expires == newerPurchase
        var bits: RowBits = []
        if id != nil { bits.insert(.numericID) }
        if isContiguous { bits.insert(.contiguous) }
        if row.expires != nil { bits.insert(.expires) }
        if row.cancellation != nil { bits.insert(.cancelled) }
        if row.isUpgraded { bits.insert(.upgraded) }
        if row.offer.type != 0 { bits.insert(.offer) }
        if row.isTrial { bits.insert(.trial) }
        if row.isIntroductory { bits.insert(.introductory) }
        rowBytes.append(bits.rawValue)
        rowBytes.append(varint: UInt64(number(of: EventText(row.product, in: view.memory))))
        if let id {
            rowBytes.append(signed: id &- (newer?.id ?? 0))
        } else {
            rowBytes.append(text: row.id)
        }
        rowBytes.append(signed: newerPurchase.map { $0 &- row.purchase } ?? row.purchase)
        if let expires = row.expires, !isContiguous { rowBytes.append(signed: expires &- row.purchase) }
        if let cancellation = row.cancellation {
            rowBytes.append(signed: cancellation &- row.purchase)
            rowBytes.append(row.reason)
        }
        if row.offer.type != 0 {
            rowBytes.append(row.offer.type)
            rowBytes.append(text: row.offer.text)
        }
        newer = (row.purchase, id ?? newer?.id ?? 0)
    }

    /// The number of a product, 0 for none.
    private func number(of product: EventText) -> Int {
        if product.isAbsent { return 0 }
        if let known = products.firstIndex(where: { $0.hasSameBytes(as: product) }) { return known + 1 }
        products.append(product)
        return products.count
    }

    /// One transaction as the body gives it.
    private struct Row {
        var id: EventText
        var product: JSONText
        var purchase: Int64
        var expires: Int64?
        var cancellation: Int64?
        var reason: UInt8
        var isUpgraded: Bool
        var offer: (type: UInt8, text: EventText)
        var isTrial: Bool
        var isIntroductory: Bool

        init(_ fields: borrowing V1Fields, _ view: TextView, _ place: (index: Int, purchase: Int64)) {
            let index = place.index
            id = EventText(fields[row: index, .transactionID], in: view.memory)
            product = fields[row: index, .productID]
            purchase = place.purchase
            expires = fields.date(.expires, row: index, view).date?.milliseconds
            cancellation = fields.date(.cancellation, row: index, view).date?.milliseconds
            let reason = cancellation == nil ? nil : view.integer(fields[row: index, .cancellationReason])
            self.reason = reason.flatMap { UInt8(exactly: $0) } ?? .notStated
            isUpgraded = view.truth(fields[row: index, .isUpgraded]) ?? false
            let code = fields[row: index, .offerCodeRefName]
            let promotional = fields[row: index, .promotionalOfferID]
            offer =
                !code.isBlank
                ? (UInt8(.code), EventText(code, in: view.memory))
                : !promotional.isBlank ? (UInt8(.promotional), EventText(promotional, in: view.memory)) : (0, .absent)
            isTrial = view.truth(fields[row: index, .isTrialPeriod]) ?? false
            isIntroductory = view.truth(fields[row: index, .isInIntroOfferPeriod]) ?? false
        }
    }

    // MARK: Version 2

    /// Appends the evidence of a version 2 payload; its transaction is the only one it shows.
    func write(_ event: inout EventDraft, to output: OutputBuffer) {
        var bits: EvidenceBits = .isV2
        let basis = event.occurredAtBasis
        // An end or an original purchase does not say when it happened.
        let isDistant =
            event.flags.known.contains(.timeFromEnd) || basis.hasSameBytes(as: EventText("originalPurchaseDate"))
        let ownTime = isDistant || basis.hasSameBytes(as: EventText(.receivedAt)) ? nil : event.occurredAt
        if ownTime != nil { bits.insert(.ownTime) }
        if event.source.receivedAt != nil { bits.insert(.receivedAt) }
        let transaction = event.transaction
        header(&event, bits: bits, subject: transaction?.originalTransactionID ?? .absent, output)
        var pair = event.v2.type.string ?? ""
        pair += "/" + (event.v2.subtype.string ?? "")
        output.append(text: pair)
        if let ownTime {
            output.append(signed: ownTime)
            output.append(TimeField.number(of: basis.string ?? ""))
        }
        if let received = event.source.receivedAt { output.append(signed: received) }
        products.removeAll(keepingCapacity: true)
        rowBytes.removeAll()
        if redactionKey != nil { pseudonyms = TextArena() }
        detailBytes?.removeAll()
        detailBytes?.append(text: event.appAppleID.text.string ?? event.appAppleID.number.map { String($0) } ?? "")
        rowBytes.append(varint: 0)
        if let transaction, let purchase = transaction.purchasedAt, !transaction.transactionID.isAbsent {
            rowBytes.removeAll()
            rowBytes.append(varint: 1)
            append(transaction, purchase, isInPart: event.flags.known.contains(.refundPartial))
            if let detailBytes {
                append(RowDetails(transaction), purchase: purchase, to: detailBytes)
            }
        }
        detailBytes?.append(varint: 0)
        state(&event, output)
        output.append(rowBytes.bytes)
        if let detailBytes { output.append(detailBytes.bytes) }
        end(&event, output)
    }

    /// What follows the transactions of version 2.
    private func end(_ event: inout EventDraft, _ output: OutputBuffer) {
        EvidenceAccess(&event).append(to: output)
        if let signedAt = event.signedAt { output.append(signed: signedAt) }
    }

    func append(
        _ transaction: EventDraft.Transaction, _ purchase: Int64, after newer: (purchase: Int64, id: Int64)? = nil,
        isInPart: Bool
    ) {
        let id = TimelineID.number(transaction.transactionID)
        let offer = transaction.offerType ?? 0
        let hasOffer = offer >= 2 && offer <= 254
        var bits: RowBits = id == nil ? [] : .numericID
        if transaction.expiresAt != nil { bits.insert(.expires) }
        if transaction.revokedAt != nil { bits.insert(.cancelled) }
        if transaction.isUpgraded == true { bits.insert(.upgraded) }
        if hasOffer { bits.insert(.offer) }
        if offer == 1 { bits.insert(.introductory) }
        rowBytes.append(bits.rawValue)
        rowBytes.append(varint: UInt64(number(of: transaction.productID)))
        if let id {
            rowBytes.append(signed: id &- (newer?.id ?? 0))
        } else {
            rowBytes.append(text: transaction.transactionID)
        }
        rowBytes.append(signed: newer.map { $0.purchase &- purchase } ?? purchase)
        if let expires = transaction.expiresAt { rowBytes.append(signed: expires &- purchase) }
        if let revoked = transaction.revokedAt {
            rowBytes.append(signed: revoked &- purchase)
            let reason = transaction.revocationReason.flatMap { UInt8(exactly: $0) } ?? .notStated
            rowBytes.append(isInPart ? .inPart | min(reason, 126) : reason)
        }
        if hasOffer {
            rowBytes.append(UInt8(truncatingIfNeeded: offer))
            rowBytes.append(text: transaction.offerID)
        }
    }

    // MARK: Both

    func header(
        _ event: inout EventDraft, bits: EvidenceBits, subject: EventText, extras: EvidenceExtras? = nil,
        _ output: OutputBuffer
    ) {
        output.append(Evidence.layout)
        switch event.id {
        case .uuid: output.append(bits.union(.idIsBytes).rawValue)
        case .text: output.append(bits.rawValue)
        }
        output.append((extras ?? self.extras).rawValue)
        output.append(text: event.environment)
        output.append(text: event.bundleID)
        output.append(text: key(&event, subject))
        switch event.id {
        case .uuid(let id): withUnsafeBytes(of: (id.high.bigEndian, id.low.bigEndian)) { output.append($0) }
        case .text(let text): output.append(text: text)
        }
    }

    /// The original transaction id of the subscription or purchase that an event belongs to.
    private func key(_ event: inout EventDraft, _ subject: EventText) -> EventText {
        let original = event.hasTransaction ? event.transactionFields.originalTransactionID : .absent
        return original.isAbsent ? subject : original
    }

    private func hasKey(_ event: inout EventDraft, _ subject: EventText) -> Bool { !key(&event, subject).isAbsent }

    /// The products, the transaction it is about, and the renewal to come.
    func state(_ event: inout EventDraft, _ output: OutputBuffer) {
        // The id of a V1 record is made of these whether its event shows them or not.
        let renewal = event.source.version == .v1 ? event.renewalFields : event.renewal
        let product = number(of: event.hasTransaction ? event.transactionFields.productID : .absent)
        let next = number(of: renewal?.autoRenewProductID ?? .absent)
        output.append(varint: UInt64(products.count))
        for product in products { output.append(text: product) }
        output.append(text: event.hasTransaction ? event.transactionFields.transactionID : .absent)
        output.append(varint: UInt64(product))
        output.append(varint: UInt64(next))
        output.append(Self.byte(renewal?.autoRenewStatus))
        output.append(Self.byte(renewal?.expirationIntent))
        output.append(renewal?.inBillingRetry.map { $0 ? 1 : 0 } ?? .notStated)
        output.append(Self.byte(renewal?.priceIncreaseStatus))
        let offer = Self.byte(renewal?.offerType ?? 0)
        output.append(offer)
        if offer != 0 { output.append(text: renewal?.offerID ?? .absent) }
        output.append(signed: renewal?.gracePeriodExpiresAt ?? 0)
    }

    private static func byte(_ value: Int64?) -> UInt8 {
        value.flatMap { UInt8(exactly: $0) } ?? .notStated
    }
}
