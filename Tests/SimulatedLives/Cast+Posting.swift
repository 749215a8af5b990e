extension Cast {
    /// Posts every notice before the end of the archive and settles the answers.
    mutating func post(random: inout SeededGenerator) -> (deliveries: [Delivery], happenings: [Happening]) {
        let end = setting.span.upperBound
        notices.removeAll { $0.notice.at > end }
        notices = notices.indices
            .sorted { (notices[$0].notice.at, $0) < (notices[$1].notice.at, $1) }
            .map { notices[$0] }
        for index in notices.indices where notices[index].notice.signed == nil {
            notices[index].notice.shape = shape(of: notices[index].notice, random: &random)
            let isSubscription = notices[index].notice.state.renewal != nil
            let isOmitted = !isSubscription && random.chance(8)
            notices[index].notice.listing = isOmitted ? .none : setting.listing
        }
        let place = settleHappenings(until: end)

        var office = PostOffice(setting: setting, times: notices.map(\.notice.at), random: &random)
        for (number, posted) in notices.enumerated() {
            office.carry(posted.notice, number: number, account: accounts[posted.account], random: &random)
        }
        let letters = office.arrivals
        let deliveries = letters.map { letter in
            let posted = notices[letter.notice]
            return delivery(of: letter, posted.notice, in: accounts[posted.account], place: place)
        }
        return (linked(deliveries), happenings.map(\.happening))
    }

    private func shape(of notice: Notice, random: inout SeededGenerator) -> BodyShape {
        switch setting.era {
        case .legacy: return .legacy
        case .unified: return .unified
        case .transition:
            if notice.state.renewal == nil { return .unified }
            if notice.at < AppleCalendar.lastLegacyOnlyBody, random.chance(8) { return .legacy }
            return random.chance(68) ? .both : .unified
        }
    }

    /// Drops what lies after the archive, sorts by time, and returns where each happening went.
    private mutating func settleHappenings(until end: Instant) -> [Int: Int] {
        let told = Set(notices.filter(\.notice.leads).map(\.notice.happening))
        for index in happenings.indices { happenings[index].happening.isSilent = !told.contains(index) }
        let order = happenings.indices
            .filter { happenings[$0].happening.at <= end }
            .sorted { (happenings[$0].happening.at, $0) < (happenings[$1].happening.at, $1) }
        let place = [Int: Int](uniqueKeysWithValues: order.enumerated().map { ($0.element, $0.offset) })
        happenings = order.map { happenings[$0] }
        for account in accounts.indices {
            let evidence = Evidence(
                notices: notices.filter { $0.account == account }.map(\.notice), account: accounts[account],
                happenings: happenings.filter { $0.account == account }.map(\.happening))
            for index in happenings.indices where happenings[index].account == account {
                let happening = happenings[index].happening
                happenings[index].happening.isShown =
                    !happening.isSilent || (happening.at >= begin && evidence.shows(happening))
            }
        }
        return place
    }

    private func delivery(
        of letter: PostOffice.Letter, _ notice: Notice, in account: Account, place: [Int: Int]
    ) -> Delivery {
        let index = place[notice.happening] ?? 0
        let happening = happenings[index].happening
        return Delivery(
            type: letter.type,
            isVersion2: notice.signed != nil,
            notice: letter.notice,
            body: letter.body,
            receivedAt: letter.receivedAt,
            happening: index,
            truth: Truth(
                pair: notice.leads ? notice.signed?.pair ?? happening.pair : nil,
                also: notice.also,
                isRepeat: letter.isRepeat,
                isPromoted: notice.isPromoted,
                isNameless: isNameless(notice, in: account),
                originalTransactionId: happening.originalTransactionId,
                transactionId: notice.transactionId,
                time: happening.dated
            ),
            shown: Shown(of: notice, in: account)
        )
    }

    /// A receipt keeps no finished consumable, and the top level names a purchase in late bodies only.
    private func isNameless(_ notice: Notice, in account: Account) -> Bool {
        guard notice.signed == nil, notice.state.renewal == nil else { return false }
        let ids = notice.rows(in: account).map(\.originalTransactionId)
        guard !ids.contains(notice.state.originalTransactionId) else { return false }
        return setting.era != .unified || setting.topLevelId == .absent
    }

    /// Marks, of first deliveries that tell one happening in both versions, those that came after the other version's.
    private func linked(_ deliveries: [Delivery]) -> [Delivery] {
        var result = deliveries
        var versions: [Int: Set<Bool>] = [:]
        for index in result.indices where result[index].truth.pair != nil && !result[index].truth.isRepeat {
            let delivery = result[index]
            result[index].truth.isTwin = versions[delivery.happening]?.contains(!delivery.isVersion2) ?? false
            versions[delivery.happening, default: []].insert(delivery.isVersion2)
        }
        return result
    }
}
