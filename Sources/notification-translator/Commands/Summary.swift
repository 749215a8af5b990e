import NotificationArchives
import NotificationTranslation

/// What a run says at its end.
struct Summary {
    let outcome: ConversionOutcome

    /// Several lines, the last without its end.
    ///
    /// ```
    /// notification-translator: 40,000 records from 1 file, 1.9 GB in 0.5 s (3.8 GB/s)
    ///     converted   39,996   exact 39,000 · inferred 500 · ambiguous 490 · unmapped 6
    ///       companion  3,100
    ///       duplicate    250
    ///       flag         490   HISTORY_MISSING
    ///       receipt   31,000   verified 30,990 · covering all 30,100 · some 880 · none 10 · contradicting 20
    ///     rejected         2   json.syntax 2
    ///     skipped          2   no-notification 1 · own-event 1
    ///     deduced        800
    ///     missing         12   renewals that lists prove and no notification reports, 2021-03 to 2021-09
    ///     missing          3   only in pages of Apple's notification history, 2024-03; 9 attempts to send, 1 sent with success
    /// ```
    var text: String {
        let tally = outcome.tally
        let seconds = max(outcome.seconds, 1e-6)
        let rate = byteSize(Int64(Double(outcome.inputBytes) / seconds))
        let width = grouped(max(tally.records, tally.deduced)).count
        func line(_ name: String, _ number: Int, _ details: String) -> String {
            let digits = grouped(number)
            let gap = String(repeating: " ", count: max(0, width - digits.count))
            return "    " + name + String(repeating: " ", count: max(1, 12 - name.count)) + gap + digits
                + (details.isEmpty ? "" : "   " + details)
        }
        var lines = [
            "notification-translator: \(count(tally.records, "record")) from \(count(outcome.files, "file")), "
                + "\(byteSize(outcome.inputBytes)) in \(oneDecimal(outcome.seconds)) s (\(rate)/s)"
        ]
        let certainties = [
            ("exact", tally.exact), ("inferred", tally.inferred), ("ambiguous", tally.ambiguous),
            ("unmapped", tally.unmapped),
        ]
        // Of a table no event is written: its rows say how sure they are.
        if outcome.table != nil {
            lines.append(line("converted", tally.converted, ""))
        } else {
            lines.append(line("converted", tally.converted, parts(certainties)))
            if tally.companions > 0 { lines.append(line("  companion", tally.companions, "")) }
            if tally.duplicates > 0 { lines.append(line("  duplicate", tally.duplicates, "")) }
            lines += flags(line)
        }
        let receipts = tally.receipts
        if receipts.present > 0 {
            let details = [
                ("verified", receipts.verified), ("covering all", receipts.covering), ("some", receipts.partly),
                ("none", receipts.nothing), ("contradicting", receipts.contradicting),
            ]
            lines.append(line("  receipt", receipts.present, parts(details)))
        }
        if tally.evidence > 0 { lines.append(line("evidence", tally.evidence, "")) }
        let codes = outcome.rejectCodes.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        lines.append(line("rejected", tally.rejected, parts(codes.map { ($0.key, $0.value) })))
        let reasons = tally.skipReasons.map { ($0.reason.code, $0.count) }
        lines.append(line("skipped", tally.skipped, parts(reasons)))
        if tally.deduced + tally.ambiguousDeduced > 0 {
            lines.append(line("deduced", tally.deduced, parts([("ambiguous and left out", tally.ambiguousDeduced)])))
        }
        lines += missing.map { line("missing", $0, $1) }
        if outcome.hiddenRejects > 0 {
            lines.append("    \(count(outcome.hiddenRejects, "reject")) not shown; --verbose shows all")
        }
        return lines.joined(separator: "\n")
    }

    /// The flags that count most.
    private func flags(_ line: (String, Int, String) -> String) -> [String] {
        let flags = outcome.tally.namedFlags.sorted { (weight($0.flag), $1.count) < (weight($1.flag), $0.count) }
        guard let first = flags.first?.flag.rawValue else { return [] }
        let more = flags.count > 5 ? "; a report has \(flags.count - 5) more" : ""
        return flags.prefix(5).map { line("  flag", $0.count, $0.flag.rawValue) }
            + ["    ('notification-translator explain \(first)' says what it means\(more))"]
    }

    /// What was surely sent and is not in the archive.
    private var missing: [(Int, String)] {
        func span(_ has: (MissingNotifications.Month) -> Int) -> String {
            let months = outcome.missing.byMonth.filter { has($0.missing) > 0 }.map(\.month)
            let names = [months.first, months.last].compactMap { $0.map(ReportTally.name(ofMonth:)) }
            return months.count > 1 ? names.joined(separator: " to ") : names.first ?? ""
        }
        let total = outcome.missing.total
        return [
            (total.renewals, "renewals that lists prove and no notification reports, \(span { $0.renewals })"),
            (
                total.listed,
                "only in pages of Apple's notification history, \(span { $0.listed }); "
                    + "\(count(total.attempts, "attempt")) to send, \(grouped(total.sent)) sent with success"
            ),
        ].filter { $0.0 > 0 }
    }

    /// What makes answers ambiguous comes first.
    private func weight(_ flag: AmbiguityFlag) -> Int {
        AmbiguityFlag.Severity.allCases.firstIndex { $0 == flag.severity } ?? 0
    }

    private func parts(_ counts: [(String, Int)]) -> String {
        counts.filter { $0.1 > 0 }.map { "\($0.0) \(grouped($0.1))" }.joined(separator: " · ")
    }
}
