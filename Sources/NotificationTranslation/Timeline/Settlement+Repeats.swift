extension Settlement {
    /// Finds the deliveries of one notification: the same `notificationUUID`, or the same canonical text.
    ///
    /// A canonical text with a time in it stands for one happening. One without may stand for several: the customer
    /// changes a preference, changes it back, and changes it again. Such texts are told apart by when they were
    /// received and by what came between.
    func findRepeats() {
        guard statements.count > 1 else { return }
        var firsts: [UInt64: Int] = [:]
        for place in story {
            let statement = statements[place]
            guard let first = firsts[statement.id.number] else {
                firsts[statement.id.number] = place
                continue
            }
            if statement.isV2, !isSame(first, place) {
                share(place, first, &firsts)
            } else if statement.isV2 || !isWeak(place) {
                repeats(place, first)
            } else {
                judgeAgain(place, first, &firsts)
            }
        }
    }

    /// Whether two payloads with one `notificationUUID` say the same of the same transaction.
    private func isSame(_ one: Int, _ other: Int) -> Bool {
        let (left, right) = (statements[one], statements[other])
        return left.isV2 == right.isV2 && left.transaction == right.transaction
            && left.typeText.hasSameBytes(as: right.typeText)
    }

    /// Takes a payload whose `notificationUUID` another one has that says something else: an id that was masked or copied.
    private func share(_ place: Int, _ first: Int, _ firsts: inout [UInt64: Int]) {
        let statement = statements[place]
        outcomes[first].addedFlags.formUnion(.uuidShared)
        outcomes[place].addedFlags.formUnion(.uuidShared)
        let content = TimelineID.of(statement.typeText) &* 0x9E37_79B9_7F4A_7C15 ^ statement.transaction
        let key = statement.id.number ^ content
        if let same = firsts[key], isSame(same, place) { return repeats(place, same) }
        firsts[key] = place
        outcomes[first].shared += 1
        outcomes[place].number = outcomes[first].shared + 1
    }

    /// Whether its canonical text says nothing of when it happened.
    func isWeak(_ place: Int) -> Bool {
        statements[place].ownTime == nil || outcomes[place].alone?.rule.isTimeless ?? true
    }

    private func repeats(_ place: Int, _ first: Int, limit: Certainty? = nil) {
        outcomes[place].disposition = .duplicate
        outcomes[place].leader = first
        outcomes[place].number = outcomes[first].number
        outcomes[place].limit = limit
    }

    private func judgeAgain(_ place: Int, _ first: Int, _ firsts: inout [UInt64: Int]) {
        let (before, after) = (statements[first], statements[place])
        let between = between(first, place)
        let isAskedAgain = after.type >= 0 && table.timeline.askedAgain >> UInt64(after.type) & 1 == 1
        // The text says nothing of offers and of consent; where they differ it is not the same body again.
        let isOther = before.nextOffer != after.nextOffer || before.consent != after.consent
        var isNew = between.isContrary || isOther
        if let one = before.receivedAt, let other = after.receivedAt {
            let isAttempt = isAttempt(other - one)
            isNew =
                other - one > table.parameters.deliveryHorizon || isOther
                || (between.isContrary || isAskedAgain) && !isAttempt
        }
        if isNew {
            outcomes[place].number = outcomes[first].number + 1
            if between.isContrary, before.receivedAt == nil || after.receivedAt == nil {
                outcomes[place].limit = .inferred
            }
            firsts[after.id.number] = place
        } else {
            let isPlain = !between.isContrary && !between.isThere && !isAskedAgain
            repeats(place, first, limit: isPlain ? nil : .inferred)
        }
    }

    /// Whether two receptions are as far apart as two attempts to deliver one notification.
    func isAttempt(_ distance: Int64) -> Bool {
        let attempts = table.parameters.deliveryAttempts
        for (place, later) in attempts.enumerated() {
            for earlier in attempts[...place]
            where abs(distance - (later - earlier)) <= table.parameters.attemptSlack {
                return true
            }
        }
        return false
    }

    /// Whether another notification stands between two of the same text, and whether one says the contrary.
    private func between(_ first: Int, _ last: Int) -> (isThere: Bool, isContrary: Bool) {
        let after = statements[last]
        var isThere = false
        var looked = 0
        for other in story[(rank[first] + 1)..<rank[last]] {
            looked += 1
            if looked > Self.reach { return (true, false) }
            guard outcomes[other].disposition != .duplicate else { continue }
            isThere = true
            let statement = statements[other]
            let differs =
                statement.nextProduct != TimelineID.none && after.nextProduct != TimelineID.none
                && statement.nextProduct != after.nextProduct
            if differs { return (true, true) }
        }
        return (isThere, false)
    }
}
