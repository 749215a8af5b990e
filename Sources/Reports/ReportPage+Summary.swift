import NotificationArchives
import NotificationTranslation

/// The first page: what whoever signs has to know, in figures that need no other page.
extension ReportPage {
    /// Notifications of version 1 that became events.
    var version1: Int { number("v1", of: figures.versions) }

    var summary: Section {
        let tally = document.tally
        var rows: [(String, Cell)] = []
        if let subscriptions = document.agreement.subscriptions {
            rows.append(("Subscriptions and one-time purchases", .number(subscriptions)))
            // What the state at the end of the archive says; without a state there is no line.
            let (states, compared) = (document.states, document.comparesStates ? document.states : nil)
            rows += [
                ("– active at the end of the archive", states?.entitled),
                ("– not known whether active: ask Apple", states?.unknown),
                ("– with access, but shut out by the table given", compared?.lost),
                ("– without access, but let in by the table given", compared?.given),
            ].compactMap { name, number in number.map { (name, .number($0)) } }
        }
        rows += [
            ("Records read", .number(tally.records)), ("– converted", .number(tally.converted)),
            ("– answers of Apple's", .number(tally.evidence)), ("– rejected", .number(tally.rejected)),
        ]
        rows += tally.skipReasons.map { ("– skipped: \($0.reason.sentence)", .number($0.count)) }
        let repetitions: [String: String] = [
            "stored_twice": "Stored twice in the archive, with the same time of arrival",
            "delivered_again": "Delivered again by Apple, at another time",
            "both_versions": "Reported by both versions",
            "not_known": "Repeated, the archive does not say when it came",
        ]
        rows += figures.repetitions.filter { $0.count > 0 }.map { (repetitions[$0.name] ?? $0.name, .number($0.count)) }
        if document.agreement.subscriptions != nil {
            let days = figures.gaps.reduce(0) { $0 + $1.days }
            rows.append(("Days without notifications where some were to be expected", .number(days)))
        }
        let missing = document.missing.total
        rows += [
            ("Renewals that lists prove and no notification reports", missing.renewals),
            ("Notifications that only pages of Apple's notification history have", missing.listed),
        ].filter { $0.1 > 0 }.map { ($0, .number($1)) }
        return Section(
            id: "summary", name: "Summary", title: "Summary",
            blocks: [.text(share)] + scores("What Apple's own word says, by year", "year", years)
                + missingNotifications
                + table("The archive in figures", ["what", "number"], rows.map { [.text($0), $1] })
                + inputTable + [.text("The rest of this report has the details: tables for those who check it.")])
    }

    /// What was surely sent and is not in the archive, by month.
    private var missingNotifications: [Block] {
        table(
            "Notifications that are missing",
            [
                "month", "renewals that lists prove", "only in pages of Apple's history", "attempts to send these",
                "sent with success",
            ],
            document.missing.byMonth.map { month, missing in
                [.text(ReportTally.name(ofMonth: month))]
                    + [missing.renewals, missing.listed, missing.attempts, missing.sent].map { .number($0) }
            })
    }

    /// Of which share, and of which months, Apple's own word is known.
    private var share: String {
        let score = document.agreement.total
        let confirmed = document.agreement.confirmed
        let months = document.agreement.byMonth.map(\.name)
        let rest = version1 - score.compared
        var text = nothingCompared
        if score.compared > 0 {
            text =
                "Apple's own word, a version 2 notification of the same event, exists for \(grouped(score.compared)) of "
                + "\(count(version1, "version 1 notification")) (\(Self.percent(score.compared, of: version1))), all of "
                + (months.count > 1
                    ? "\(count(months.count, "month")) from \(months[0]) to \(months[months.count - 1])"
                    : months.joined())
                + agreeing(score.same, ": # [agrees|agree], in ") + grouped(score.candidate)
                + agreeing(score.contradicted, " it was among the candidates, and # [is|are] contradicted.")
        }
        if confirmed.compared > 0 {
            text +=
                " Apple's history, where the archive has it, confirms \(grouped(confirmed.same)) of "
                + agreeing(confirmed.compared, "# that [was|were] judged without it. ")
                + "What neither speaks of rests on the rules alone."
        } else if score.compared > 0, rest > 0 {
            text += agreeing(
                rest,
                " The other # [rests|rest] on the rules alone: nothing in the archive confirms or contradicts [it|them]."
            )
        }
        return text
    }

    /// The scores of each year; months without a year are one of their own.
    private var years: AgreementFigures.Scores {
        var years: AgreementFigures.Scores = []
        for (month, score) in document.agreement.byMonth {
            let year = String(month.prefix { $0 != "-" })
            if years.last?.name != year { years.append((year, .init())) }
            years[years.count - 1].score += score
        }
        return years
    }

    /// What became of the records of each input.
    private var inputTable: [Block] {
        let rows = document.inputs.prefix(ReportTally.mostInputs).map { input -> [Cell] in
            let outcome = figures.inputs[input.path] ?? Tally()
            let numbers = [outcome.records, outcome.converted, outcome.evidence, outcome.rejected, outcome.skipped]
            return [.name(input.path), .figure(input.size.map(byteSize) ?? "unknown")] + numbers.map { .number($0) }
        }
        let columns = ["input", "size", "records", "converted", "evidence", "rejected", "skipped"]
        return table("What became of each input", columns, rows, most: 50)
    }
}
