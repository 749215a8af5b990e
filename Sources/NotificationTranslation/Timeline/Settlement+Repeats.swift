extension Settlement {
    /// Finds the deliveries of one notification: the same `notificationUUID`, or the same canonical text.
    ///
    /// A canonical text with a time in it represents one happening. One without may represent several: the customer
    /// changes a preference, changes it back, and changes it again. Such texts are distinguished by when they were
    /// received and by what came between.
    func findRepeats() {
        guard statements.count > 1 else { return }
        var known = Known()
        known.firsts.reserveCapacity(statements.count)
        let choices = judgeChoices()
        for place in story {
            let statement = statements[place]
            if let verdict = choices[place] {
                take(verdict, place, &known)
                continue
            }
            guard let any = known.firsts[statement.id.number] else {
                known.firsts[statement.id.number] = place
                continue
            }
            let key = isSame(any, place) ? statement.id.number : statement.id.number ^ content(statement)
            if key != statement.id.number, statement.isV2 {
                outcomes[any].addedFlags.formUnion(.uuidShared)
                outcomes[place].addedFlags.formUnion(.uuidShared)
            }
            guard var first = known.firsts[key], isSame(first, place) else {
                outcomes[place].number = known.add(place, key, statement.id.number)
                continue
            }
            if isAskedAgain(statement) || isUnnamedRefund(place),
                let likelier = firstAtAttempt(place, known.events[key] ?? [])
            {
                first = likelier
            }
            if isAboutAnother(place, than: first) {
                outcomes[place].number = known.add(place, key, statement.id.number)
                doubtPurchase(place)
            } else if statement.isV2 || !isWeak(place) {
                let isOnlyShown = statement.says(.refundedRows, FactValue.RefundedRows.only)
                repeats(place, first, isCertain: !isOnlyShown)
                if isOnlyShown { outcomes[place].addedFlags.formUnion(.transactionUncertain) }
            } else {
                judgeAgain(place, first, key, &known)
            }
        }
    }

    /// Takes over what became of a choice that was judged with the others of its period.
    private func take(_ verdict: ChoiceVerdict, _ place: Int, _ known: inout Known) {
        let id = statements[place].id.number
        if let first = verdict.first {
            repeats(place, first, isCertain: verdict.isCertain && isPlain(first, place))
            return
        }
        guard let any = known.firsts[id] else {
            known.firsts[id] = place
            return
        }
        let key = isSame(any, place) ? id : id ^ content(statements[place])
        outcomes[place].number = known.add(place, key, id)
        if !verdict.isCertain { doubt(place) }
    }

    /// Whether no other choice is near two deliveries of one, so that nothing else explains the second.
    private func isPlain(_ first: Int, _ place: Int) -> Bool {
        let between = between(first, place)
        return !between.isContrary && !between.isThere
    }

    /// What was reported so far, by ids.
    private struct Known {
        /// The last event reported with an id and a content.
        var firsts: [UInt64: Int] = [:]
        /// All events after the first that were reported with an id and a content.
        var events: [UInt64: [Int]] = [:]
        /// How many events were reported with an id, where it is more than one.
        private var numbers: [UInt64: Int] = [:]

        /// Adds a further happening with an id; returns which one it is, from 2.
        mutating func add(_ place: Int, _ key: UInt64, _ id: UInt64) -> Int {
            events[key, default: firsts[key].map { [$0] } ?? []].append(place)
            firsts[key] = place
            numbers[id, default: 1] += 1
            return numbers[id, default: 1]
        }
    }

    /// Whether two notifications of one id may be one, which they are of one transaction only: payloads, if they say
    /// the same, as an id may have been masked or copied; bodies that name no purchase, if they come from one receipt
    /// of one app, or show the same rows and were received as far apart as two attempts to deliver.
    private func isSame(_ one: Int, _ other: Int) -> Bool {
        let (left, right) = (statements[one], statements[other])
        // The id of a body is made of the body alone, also where its receipt says which transaction it is about.
        guard left.isV2 == right.isV2, left.transaction == right.transaction else { return false }
        if left.fingerprint != right.fingerprint {
            // Two purchases that are refunded in one act show the same rows, within seconds.
            guard left.fingerprintOfRows == right.fingerprintOfRows, !right.isSandbox, let first = left.receivedAt,
                let again = right.receivedAt, table.parameters.isAttempt(again - first)
            else { return false }
        }
        return !left.isV2 || left.typeText.hasSameBytes(as: right.typeText)
    }

    /// A number that notifications of one id share if they may be one.
    private func content(_ statement: Statement) -> UInt64 {
        let mixed =
            statement.isV2
            ? TimelineID.of(statement.typeText) &* 0x9E37_79B9_7F4A_7C15 ^ statement.transaction
            : statement.fingerprintOfRows &* 0x9E37_79B9_7F4A_7C15 ^ statement.transaction
        return mixed | 1
    }

    /// Whether its canonical text says nothing of when it happened.
    func isWeak(_ place: Int) -> Bool {
        statements[place].ownTime == nil || outcomes[place].alone?.rule.isTimeless ?? true
    }

    /// Whether a refund notification whose body does not name the purchase is a new one: it was received when Apple
    /// does not deliver the first one again.
    ///
    /// The event names the cancelled purchase that the body shows all the same, with `TRANSACTION_UNCERTAIN`: it may be
    /// the one, where the time of receipt is that of an import.
    private func isAboutAnother(_ place: Int, than first: Int) -> Bool {
        isUnnamedRefund(place) && (isAfterLastRetry(place, of: first) || !mayBeDelivered(place, after: first))
    }

    private func isUnnamedRefund(_ place: Int) -> Bool {
        statements[place].says(.refundedRows, FactValue.RefundedRows.late)
            || statements[place].says(.refundedRows, FactValue.RefundedRows.only)
    }

    /// Lets a refund notification that names no purchase be uncertain in it, after another one of the same refund: it
    /// may be about a purchase that the receipt lacks.
    private func doubtPurchase(_ place: Int) {
        guard statements[place].says(.refundedRows, FactValue.RefundedRows.only) else { return }
        statements[place].facts.set(.refundedRows, FactValue.RefundedRows.late)
        outcomes[place].facts = statements[place].facts
        outcomes[place].take(cache.decision(type: statements[place].type, facts: statements[place].facts))
    }

    /// Whether Apple may deliver a notification again when another one was received.
    private func mayBeDelivered(_ place: Int, after first: Int) -> Bool {
        guard let again = statements[place].receivedAt, let received = statements[first].receivedAt else { return true }
        let distance = again - received
        if statements[place].isSandbox { return distance <= tolerance(statements[place]) }
        return distance <= table.parameters.attemptSlack || table.parameters.isAttempt(distance)
    }

    /// Two records of one reception, which two logs kept, have times closer together than this.
    static let keptTwice: Int64 = 1000

    /// Whether a notification was received when Apple no longer tries to deliver another one; the sandbox delivers
    /// once.
    func isAfterLastRetry(_ place: Int, of first: Int) -> Bool {
        guard let receivedAt = statements[place].receivedAt, let firstReceivedAt = statements[first].receivedAt else {
            return false
        }
        let isSandbox = statements[place].isSandbox
        return receivedAt - firstReceivedAt
            > (isSandbox ? table.parameters.lateDelivery : table.parameters.deliveryHorizon)
    }

    private func repeats(_ place: Int, _ first: Int, isCertain: Bool = true) {
        outcomes[place].disposition = .duplicate
        outcomes[place].leader = first
        outcomes[place].number = outcomes[first].number
        if !isCertain { doubt(place) }
    }

    /// Says that a notification cannot be distinguished with certainty from another one that says the same.
    func doubt(_ place: Int) {
        outcomes[place].limit = .inferred
        if !statements[place].isV2 { outcomes[place].addedFlags.formUnion(.identityWeak) }
    }

    /// Gives duplicates that share an id and an event the least certainty that one of them has.
    ///
    /// Their lines have one id, so a reader that keeps the last line of each id would depend on the order otherwise.
    func levelDuplicates() {
        let duplicates = story.filter { outcomes[$0].disposition == .duplicate && statements[$0].type >= 0 }
        guard duplicates.count > 1 else { return }
        let groups = Dictionary(grouping: duplicates) { place in
            statements[place].id.number ^ UInt64(truncatingIfNeeded: outcomes[place].leader) &* 0x9E37_79B9_7F4A_7C15
        }
        for group in groups.values where group.count > 1 {
            let limits = group.compactMap { outcomes[$0].limit }
            guard let first = limits.first else { continue }
            let limit = limits.reduce(first) { $0.atMost($1) }
            let isWeak = group.contains { !outcomes[$0].addedFlags.isDisjoint(with: .identityWeak) }
            for place in group {
                outcomes[place].limit = limit
                if isWeak { outcomes[place].addedFlags.formUnion(.identityWeak) }
            }
        }
    }

    private func judgeAgain(_ place: Int, _ first: Int, _ key: UInt64, _ known: inout Known) {
        let (before, after) = (statements[first], statements[place])
        let between = between(first, place)
        let isAskedAgain = isAskedAgain(after)
        // The text says nothing of offers and of consent; where they differ it is not the same body again.
        let isOther =
            before.nextOffer != after.nextOffer || before.consent != after.consent
            || showsOtherPeriod(place, than: first)
        var isNew = between.isContrary || isOther
        var isUncertain = between.isContrary && (before.receivedAt == nil || after.receivedAt == nil)
        var isAgain = false
        if let one = before.receivedAt, let other = after.receivedAt {
            // The sandbox delivers once.
            let isAttempt = !after.isSandbox && table.parameters.isAttempt(other - one)
            let isAtOnce = !after.isSandbox && other - one <= table.parameters.attemptSlack
            isAgain = isAttempt || isAtOnce
            let horizon = after.isSandbox ? table.parameters.sameTimeSandbox : table.parameters.deliveryHorizon
            isNew =
                other - one > horizon || isOther || between.isContrary && !isAttempt
                || isAskedAgain && !isAttempt && !isAtOnce
            isUncertain = between.isContrary && !isOther && other - one <= horizon
        }
        if isNew {
            outcomes[place].number = known.add(place, key, after.id.number)
            if isUncertain { doubt(place) }
        } else {
            // Bodies of two happenings may be alike where they name no transaction and no time.
            let isNamed =
                after.transaction != TimelineID.none || after.ownTime != nil || after.latestKnown != nil || isAgain
            let isPlain =
                !between.isContrary && !between.isThere && !isAskedAgain && isNamed
                && !mayBeBetween(first, place)
            repeats(place, first, isCertain: isPlain)
        }
    }

    /// Whether two bodies that lack the period which began end with different ones.
    private func showsOtherPeriod(_ place: Int, than first: Int) -> Bool {
        statements[place].transaction == TimelineID.none && role(place) == .begins
            && statements[place].latestKnown != statements[first].latestKnown
    }

    /// Whether each text like another may be of its own: a question that the store asks again and again, or a refund of
    /// a purchase that nothing names.
    private func isAskedAgain(_ statement: Statement) -> Bool {
        table.timeline.askedAgain.contains(statement.type)
            || statement.transaction == TimelineID.none && table.timeline.severalUnnamed.contains(statement.type)
    }

    /// The last of some events that would be delivered again when a notification was received.
    private func firstAtAttempt(_ place: Int, _ events: [Int]) -> Int? {
        guard let received = statements[place].receivedAt, !statements[place].isSandbox else { return nil }
        return events.suffix(Self.reach).last { event in
            guard let before = statements[event].receivedAt, isSame(event, place) else { return false }
            return table.parameters.isAttempt(received - before)
        }
    }

    /// What is between two notifications of the same text.
    struct Between {
        /// Whether anything does.
        var isThere = false
        /// Whether a notification names another product for the next period.
        var isContrary = false
    }

    func between(_ first: Int, _ last: Int) -> Between {
        let after = statements[last]
        var found = Between()
        var looked = 0
        for other in story[(rank[first] + 1)..<rank[last]] {
            looked += 1
            if looked > Self.reach {
                found.isThere = true
                break
            }
            if isToldBefore(other, first) { continue }
            let isContrary = isContrary(statements[other], after) && isOfPeriod(other, after)
            if outcomes[other].disposition == .duplicate {
                // It may be something new that looks like what was received before.
                if isContrary { found.isThere = true }
                continue
            }
            found.isThere = true
            if isContrary { found.isContrary = true }
        }
        return found
    }

    /// Whether what one says is chosen was chosen for the period after that of another one: what another transaction
    /// leads to, says nothing of it, and a store that no longer renews goes back to the product that runs.
    private func isOfPeriod(_ other: Int, _ after: Statement) -> Bool {
        let statement = statements[other]
        let newest = newest(other)
        if newest != TimelineID.none, after.transaction != TimelineID.none, newest != after.transaction { return false }
        return role(other) == .plans || statement.autoRenewStatus != false || statement.nextProduct != statement.product
    }

    /// The transaction that a notification shows as the newest.
    func newest(_ place: Int) -> UInt64 {
        let statement = statements[place]
        return shownRows[statement.rows].first?.transaction ?? statement.transaction
    }

    /// Whether something else may have happened between two notifications of one text, where their times of reception
    /// do not say; the order of the input proves nothing.
    func mayBeBetween(_ first: Int, _ place: Int) -> Bool {
        let statement = statements[place]
        guard statements[first].receivedAt == nil || statement.receivedAt == nil else { return false }
        let earliest = statement.latestKnown ?? .min
        return statements.contains { $0.id.number != statement.id.number && $0.ownTime ?? .max > earliest }
    }

    /// Whether one was received before another one, though it follows that in the story: a renewal that was charged
    /// ahead has the date at which its period begins.
    private func isToldBefore(_ one: Int, _ other: Int) -> Bool {
        guard let told = statements[one].receivedAt, let since = statements[other].receivedAt else { return false }
        return told < since
    }

    func isContrary(_ statement: Statement, _ after: Statement) -> Bool {
        statement.nextProduct != TimelineID.none && after.nextProduct != TimelineID.none
            && statement.nextProduct != after.nextProduct
    }
}
