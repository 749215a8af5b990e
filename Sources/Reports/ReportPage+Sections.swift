import NotificationArchives
import NotificationTranslation

/// What the sections of a report say.
extension ReportPage {
    typealias Count = ReportTally.Count

    var warnings: [String] {
        document.wasDamaged ? ["An input is damaged or cannot be read; this report covers what could be read."] : []
    }

    /// The first is for whoever signs, the others are technical.
    var sections: [Section] {
        [
            summary, input, losses, agreement, receipts, translation, deduced, unknownTypes, months, access, flags,
            arrivals,
        ].compactMap { $0 }
    }

    var figures: ReportTally { document.figures }
    private static let noEvent = "no event of its own"

    func number(_ name: String, of counts: [Count]) -> Int { counts.first { $0.name == name }?.count ?? 0 }

    func table(_ caption: String, _ columns: [String], _ rows: [[Cell]], most: Int? = nil) -> [Block] {
        guard !rows.isEmpty else { return [] }
        return [.table(.init(caption: caption, columns: columns, rows: rows, most: min(limits.rows, most ?? .max)))]
    }

    /// Counts with their shares.
    private func counts(_ caption: String, _ name: String, _ counts: [Count], of noun: String = "events") -> [Block] {
        let total = counts.reduce(0) { $0 + $1.count }
        let rows = counts.map { count -> [Cell] in
            [.name(count.name), .number(count.count), .share(count.count, of: total)]
        }
        return table(caption, [name, noun, "share"], rows, most: 20)
    }

    // MARK: The first lines

    /// The most important finding, without a full stop.
    var headline: String {
        let score = document.agreement.total
        guard score.compared > 0 else {
            guard figures.events > 0 else { return "No notification was converted" }
            let share = Self.percent(number("exact", of: figures.certainty), of: figures.events)
            return agreeing(figures.events, "\(share) of # event[s] [is|are] exact")
        }
        // Mostly a few months of many years: what was compared must not read as everything.
        let compared =
            "the \(count(score.compared, "answer")) it can be compared with ("
            + "\(Self.percent(score.compared, of: version1)) of version 1)"
        if score.contradicted == 0, score.candidate == 0 { return "Apple's version 2 confirms all of \(compared)" }
        let share = Self.percent(score.same, of: score.compared)
        let rest = score.contradicted == 0 ? "none" : grouped(score.contradicted)
        return "Apple's version 2 confirms \(share) of \(compared) and contradicts \(rest)"
    }

    /// What became of the records.
    var outcome: String {
        let tally = document.tally
        var text =
            "\(count(tally.records, "record")): \(grouped(tally.converted)) converted, "
            + (tally.evidence > 0 ? agreeing(tally.evidence, "# answer[s] of Apple's, ") : "")
            + "\(grouped(tally.rejected)) rejected, \(grouped(tally.skipped)) skipped. \(count(figures.events, "event"))"
        let certainties = figures.certainty.map { "\(grouped($0.count)) \($0.name)" }
        text += (certainties.isEmpty ? "" : ": ") + certainties.joined(separator: ", ") + "."
        if document.dropped > 0 {
            text += agreeing(document.dropped, " # companion[s] or duplicate[s] [was|were] left out.")
        }
        return text
    }

    // MARK: Agreement

    var agreement: Section {
        let agreement = document.agreement
        let total = agreement.total
        var blocks: [Block] = total.compared > 0 ? [] : [.text(nothingCompared)]
        if agreement.isJudged, total.compared + agreement.unmatched(isV1: true) + agreement.unmatched(isV1: false) > 0 {
            blocks.append(.text(unmatched))
            blocks += scores("By version 1 type", "V1 type", agreement.byType)
            blocks += scores("By certainty", "certainty", agreement.byCertainty)
            blocks += scores("Compared answers by month", "month", agreement.byMonth.suffix(limits.months))
            blocks += counts("In version 2 only", "V2 pair", agreement.v2OnlyPairs)
            blocks += counts("In version 1 only", "V1 type", agreement.v1OnlyTypes)
            blocks += table(
                "Where we and Apple differ", ["V1 type", "we said", "Apple said", "result", "records"],
                agreement.confusion.filter { $0.key.result != "same" }.map { row, count in
                    [
                        .name(row.type), .name(row.ours ?? Self.noEvent), .name(row.apple ?? "unknown"),
                        .text(row.result), .number(count),
                    ]
                })
            blocks += contradictions
        }
        blocks += answers
        return Section(id: "agreement", name: "Agreement", title: "Agreement with Apple", blocks: blocks)
    }

    /// Why no answer could be compared.
    var nothingCompared: String {
        document.agreement.isJudged
            ? "Nothing to compare: no subscription has a version 1 record and a version 2 notification of the same event "
                + "in view."
            : "Not compared: each record was judged by itself (--context record)."
    }

    /// What rests on answers of Apple's API.
    private var answers: [Block] {
        let (answers, confirmed) = (document.agreement.tally.answers, document.agreement.confirmed)
        guard answers != AnswerCounts() || confirmed.compared > 0 else { return [] }
        let text =
            "Apple's own history confirms \(grouped(confirmed.same)) of "
            + agreeing(confirmed.compared, "# answer[s] that [was|were] made without it. ")
            + agreeing(answers.events, "# event[s] [rests|rest] on what Apple answered, and ")
            + agreeing(answers.prices, "# [has its|have their] ")
            + "price from it. \(count(document.states?.answered ?? 0, "subscription")) would stand otherwise "
            + "without the answers. Answers alone show \(count(answers.transactions, "transaction")), and "
            + "\(count(answers.subscriptions, "subscription")) that no notification names."
        return [.text(text)]
            + scores("Confirmed by Apple's history, by version 1 type", "V1 type", document.agreement.confirmedByType)
            + scores("Confirmed by Apple's history, by era", "era", document.agreement.confirmedByEra)
    }

    /// What only one version reports.
    private var unmatched: String {
        let (agreement, differences) = (document.agreement, document.agreement.tally.differences)
        let alone = agreement.unmatched(isV1: true)
        return "In subscriptions with both versions, \(count(alone, "event")) "
            + "(\(grouped(agreement.unmatched(isV1: true, where: \.isInside))) while both were sent) "
            + "\(agreeing(alone, "[is|are]")) in version 1 only, and \(grouped(agreement.unmatched(isV1: false))) "
            + "(\(grouped(agreement.unmatched(isV1: false, where: \.isInside)))) in version 2 only, of which --infer all "
            + "deduces \(grouped(agreement.unmatched(isV1: false, where: \.isDeduced))) from version 1. "
            + "Where both report the same event, the times differ by more than an hour in \(grouped(differences.time)), "
            + "the product in \(grouped(differences.product)), the transaction in \(grouped(differences.transaction))."
    }

    func scores(
        _ caption: String, _ name: String, _ scores: some Sequence<AgreementFigures.Scores.Element>
    ) -> [Block] {
        table(
            caption, [name, "compared", "same", "candidate", "contradicted"],
            scores.map { name, score in
                let numbers = [score.compared, score.same, score.candidate, score.contradicted]
                return [.name(name)] + numbers.map { .number($0) }
            })
    }

    private var contradictions: [Block] {
        let agreement = document.agreement
        let all = agreement.tally.contradictions
        guard !all.isEmpty, limits.places > 0 else { return [] }
        let rows = all.prefix(20).map { found -> [Cell] in
            [
                .places([agreement.place(found.v1)]), .places([agreement.place(found.v2)]),
                .name(AgreementTally.pair(found.comparison.ours).description),
                .name(AgreementTally.pair(found.comparison.apple).description),
                .text(found.comparison.certainty.rawValue),
            ]
        }
        let columns = ["V1 record", "V2 notification", "we said", "Apple said", "certainty"]
        let number = "\(count(agreement.total.contradicted, "contradiction")) in all, the first \(rows.count):"
        return [.text(number)] + table("Contradictions", columns, rows)
    }

    // MARK: Input and translation

    var input: Section {
        var text = "\(count(document.inputs.count, "input")), \(byteSize(document.inputBytes)) unpacked"
        if let days = figures.days {
            text +=
                ", with notifications that \(figures.daysAreArrivals ? "came" : "happened") from \(days.first) to "
                + days.last
        }
        var blocks: [Block] = [.text(text + ".")]
        blocks += counts("Versions", "version", figures.versions, of: "notifications")
        blocks += counts("Environments", "environment", figures.environments, of: "notifications")
        blocks += counts("Apps", "app", figures.apps, of: "notifications")
        if figures.isCapped {
            blocks.append(
                .text("The archive has more names or months than a report lists; the rest is counted as (other)."))
        }
        return Section(id: "input", name: "Input", title: "What came in", blocks: blocks)
    }

    /// What became of the receipts in V1 bodies; `nil` where none was verified or there was none.
    var receipts: Section? {
        let receipts = document.tally.receipts
        guard receipts.present > 0 else { return nil }
        let rows = [
            ("present", receipts.present), ("verified", receipts.verified),
            ("covering the transaction (all)", receipts.covering), ("covering some of it (some)", receipts.partly),
            ("verified, covering nothing (none)", receipts.nothing),
            ("contradicting the event, or of another app", receipts.contradicting),
        ]
        let text =
            "A receipt that covers an event proves its transaction; it proves neither the type of the notification nor its "
            + "sender."
        let table = table(
            "Receipts in version 1 bodies", ["receipts in V1 bodies", "notifications"],
            rows.map { [.text($0.0), .number($0.1)] })
        return Section(
            id: "receipts", name: "Receipts", title: "What the receipts prove", blocks: [.text(text)] + table)
    }

    var translation: Section {
        let flows = table(
            "Version 1 types and version 2 pairs", ["V1 type", "V2 pair", "disposition", "certainty", "events"],
            figures.flows.map { flow, count in
                [
                    .name(flow.type ?? "(inferred)"), .name(flow.pair ?? Self.noEvent),
                    .text(flow.disposition.rawValue), .text(flow.certainty.rawValue), .number(count),
                ]
            })
        return Section(
            id: "translation", name: "Translation", title: "What version 1 types became",
            blocks: flows.isEmpty ? [.text("There are no version 1 notifications.")] : flows)
    }

    var deduced: Section {
        let tally = document.tally
        var text =
            document.agreement.isJudged
            ? "No events were deduced." : "Not looked for: each record was judged by itself (--context record)."
        if tally.deduced + tally.ambiguousDeduced > 0 {
            let number = tally.ambiguousDeduced
            text =
                "--infer added \(count(tally.deduced, "event")) that no notification reports"
                + (number > 0 ? "; --ambiguous reject left out \(count(number, "ambiguous one"))" : "") + "."
        }
        let pairs = ReportTally.largestFirst(figures.flows) { flow in
            flow.disposition == .inferred ? flow.pair ?? Self.noEvent : nil
        }
        return Section(
            id: "deduced", name: "Deduced", title: "Deduced events",
            blocks: [.text(text)] + counts("Deduced events", "deduced pair", pairs))
    }

    var unknownTypes: Section? {
        guard !figures.unknownTypes.isEmpty else { return nil }
        let text =
            "They are passed through as events of the kind unknown; a newer version of this program may know them."
        return Section(
            id: "unknown", name: "Unknown types", title: "Types that this build does not know",
            blocks: [.text(text)] + counts("Types as received", "type as received", figures.unknownTypes))
    }

    // MARK: Months and access

    var months: Section? {
        let all = figures.months
        let months = all.suffix(limits.months)
        guard !months.isEmpty else { return nil }
        let certainties = Certainty.allCases.map(\.rawValue)
        let kinds = figures.kinds.prefix(6).map(\.name)
        let others = figures.kinds.count > kinds.count ? ["other kinds"] : []
        let rows = months.map { month, events, monthKinds, monthCertainty -> [Cell] in
            let counts = kinds.map { number($0, of: monthKinds) }
            let numbers = [events] + certainties.map { number($0, of: monthCertainty) } + counts
            return [.text(month)] + (numbers + others.map { _ in events - counts.reduce(0, +) }).map { .number($0) }
        }
        var blocks: [Block] = []
        if months.count < all.count { blocks.append(.text("The last \(months.count) of \(all.count).")) }
        if figures.untimed > 0 { blocks.append(.text("\(count(figures.untimed, "event")) without a time.")) }
        if figures.otherMonths > 0 { blocks.append(.text("\(count(figures.otherMonths, "event")) of other months.")) }
        blocks += table(
            "Events by month", ["month", "events"] + certainties + kinds + others, rows, most: limits.months)
        return Section(id: "months", name: "Months", title: "Months", blocks: blocks)
    }

    var access: Section {
        let text =
            "grant gives access, keep leaves it, withdraw ends it, none says nothing, and undecided names a flag that says "
            + "why."
        return Section(
            id: "access", name: "Access", title: "What the events say about access",
            blocks: [.text(text)] + counts("Entitlement", "entitlement", figures.entitlement)
                + counts("Kinds of events", "kind", figures.kinds))
    }

    // MARK: What deserves a look

    var flags: Section {
        let columns = ["flag", "events", "weight", "meaning", "what would settle it", "for example"]
        let rows = figures.flags.map { flag -> [Cell] in
            [
                .name(flag.flag.rawValue), .number(flag.example.count), .text(flag.flag.severity?.rawValue ?? ""),
                .text(flag.flag.meaning ?? ""), .text(flag.flag.settles ?? ""), examples(flag.example),
            ]
        }
        return Section(
            id: "flags", name: "Flags", title: "Flags",
            blocks: rows.isEmpty
                ? [.text("None was raised.")] : table("Why answers are ambiguous, or on weak footing", columns, rows))
    }

    private func examples(_ example: ReportTally.Example?) -> Cell {
        .places(Array((example?.places ?? []).prefix(limits.places)))
    }

    var arrivals: Section {
        let gaps = figures.gaps
        let duplicates = number("duplicate", of: figures.dispositions)
        let companions = number("companion", of: figures.dispositions)
        var blocks: [Block] = [
            .text("Among the events: \(count(duplicates, "duplicate")) and \(count(companions, "companion")).")
        ]
        let lateness = figures.lateness(\.sentence)
        blocks += counts("Received after it happened", "received", lateness, of: "notifications")
        blocks += table(
            "Days without any notification, and how many came in the four weeks before and after",
            ["no notification from", "to", "days", "in the weeks around"],
            gaps.map { [.text($0.from), .text($0.to), .number($0.days), .number($0.around)] }, most: 20)
        if gaps.isEmpty {
            blocks.append(.text("No day is without a notification where some were to be expected."))
        }
        return Section(id: "arrivals", name: "Arrivals", title: "Arrivals, repeats and gaps", blocks: blocks)
    }

    var losses: Section {
        var blocks: [Block] = [
            .text("\(count(document.tally.rejected, "record")) rejected, \(grouped(document.tally.skipped)) skipped.")
        ]
        blocks += table(
            "Rejects by code", ["code", "records", "for example"],
            document.rejectCodes.map { code in
                [.name(code.name), .number(code.count), examples(figures.rejects[code.name])]
            })
        blocks += table(
            "Skipped records by reason", ["reason", "records", "what it is", "for example"],
            document.tally.skipReasons.map { reason, count in
                [.name(reason.code), .number(count), .text(reason.sentence), examples(figures.skips[reason])]
            })
        return Section(id: "losses", name: "Rejects and skips", title: "Rejects and skips", blocks: blocks)
    }
}
