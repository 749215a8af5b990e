import NotificationArchives
import NotificationTranslation

/// A report as JSON: the stable core of the contract, and more beside it, keys in their order.
///
/// A key of an object of counts is there only if there was something to count. Lines are such that two reports can be
/// compared line by line.
enum ReportJSON {
    typealias Members = [(key: String, value: any ReportValue)]
    private typealias Pairs = KeyValuePairs<String, any ReportValue>

    static func text(_ document: ReportDocument) -> String {
        let members = head(document).members + translation(document).members + archive(document).members
        return object(members, hasLines: true).text(depth: 0) + "\n"
    }

    private static func head(_ document: ReportDocument) -> Pairs {
        let (tally, figures) = (document.tally, document.figures)
        return [
            "report_version": "1", "rules_version": document.rulesVersion, "command": document.command,
            "records": tally.records, "converted": tally.converted, "evidence": tally.evidence,
            "rejected": tally.rejected, "skipped": tally.skipped,
            "skip_reasons": object(tally.skipReasons.map { ($0.reason.code, $0.count) }),
            // Event lines; what follows counts these.
            "events": figures.events, "left_out": document.dropped, "inferred": tally.deduced,
            "dispositions": counts(figures.dispositions), "certainty": counts(figures.certainty),
            "entitlement": counts(figures.entitlement), "kinds": counts(figures.kinds),
            "flags": object(figures.flags.map { ($0.flag.rawValue, $0.example.count) }),
            "rejects": counts(document.rejectCodes), "v1_types": counts(figures.types), "pairs": counts(figures.pairs),
            "months": list(figures.months) {
                [
                    "month": $0.month, "events": $0.events, "kinds": counts($0.kinds),
                    "certainty": counts($0.certainty),
                ]
            },
            "untimed": figures.untimed, "other_months": figures.otherMonths,
            "unknown_types": counts(figures.unknownTypes),
        ]
    }

    private static func translation(_ document: ReportDocument) -> Pairs {
        let (tally, receipts) = (document.tally, document.tally.receipts)
        let (states, compared) = (document.states, document.comparesStates ? document.states : nil)
        return [
            "subscriptions": document.agreement.subscriptions.map { count in
                object([
                    "count": count, "active": states?.entitled, "not_known": states?.unknown,
                    "answered": states?.answered, "shut_out": compared?.lost, "let_in": compared?.given,
                ])
            },
            "repetitions": counts(document.figures.repetitions),
            "silent": object(["added": tally.deduced, "ambiguous_left_out": tally.ambiguousDeduced]),
            "missing": list(document.missing.byMonth) { month, missing in
                [
                    "month": ReportTally.name(ofMonth: month), "renewals": missing.renewals, "listed": missing.listed,
                    "attempts": missing.attempts, "sent": missing.sent,
                ]
            },
            "receipts": object(
                [
                    "present": receipts.present, "verified": receipts.verified,
                    "covers": object(["all": receipts.covering, "some": receipts.partly, "none": receipts.nothing]),
                    "contradicting": receipts.contradicting,
                ], hasLines: true),
            "agreement": object(agreement(document.agreement), hasLines: true),
        ]
    }

    private static func agreement(_ figures: AgreementFigures) -> Members {
        let (tally, differences) = (figures.tally, figures.tally.differences)
        let others: Pairs = [
            "v1_only": figures.unmatched(isV1: true), "v2_only": figures.unmatched(isV1: false),
            "contradictions": list(tally.contradictions) { contradiction($0, figures) }, "judged": figures.isJudged,
            "contradicted_exact": tally.contradictedExact,
            "v1_only_inside": figures.unmatched(isV1: true, where: \.isInside),
            "v2_only_inside": figures.unmatched(isV1: false, where: \.isInside),
            "v2_only_deduced": figures.unmatched(isV1: false, where: \.isDeduced),
            "v1_only_types": counts(figures.v1OnlyTypes), "v2_only_pairs": counts(figures.v2OnlyPairs),
            "differences": object([
                "time": differences.time, "product": differences.product, "transaction": differences.transaction,
            ]),
            "v1_types": scores(figures.byType, by: "v1_type"),
            "certainty": scores(figures.byCertainty, by: "certainty"),
            "months": scores(figures.byMonth, by: "month"),
            "confusion": list(figures.confusion) { row, count in
                ["v1_type": row.type, "ours": row.ours, "apple": row.apple, "result": row.result, "count": count]
            },
            "answers": object(answers(figures).members + score(figures.confirmed)),
        ]
        return score(figures.total) + others.members
    }

    private static func answers(_ figures: AgreementFigures) -> Pairs {
        let answers = figures.tally.answers
        return [
            "events": answers.events, "prices": answers.prices, "transactions": answers.transactions,
            "subscriptions": answers.subscriptions, "v1_types": scores(figures.confirmedByType, by: "v1_type"),
            "eras": scores(figures.confirmedByEra, by: "era"),
        ]
    }

    private static func score(_ score: AgreementFigures.Score) -> Members {
        [
            ("compared", score.compared), ("same", score.same), ("candidate", score.candidate),
            ("contradicted", score.contradicted),
        ]
    }

    private static func scores(_ scores: AgreementFigures.Scores, by name: String) -> JSONParts {
        array(scores.map { object([(name, $0.name)] + score($0.score)) }, hasLines: true)
    }

    private static func contradiction(_ found: AgreementTally.Contradiction, _ figures: AgreementFigures) -> Pairs {
        func pair(_ place: Int) -> JSONParts {
            let pair = AgreementTally.pair(place)
            return object(["type": pair.type?.rawValue, "subtype": pair.subtype?.rawValue])
        }
        let comparison = found.comparison
        return [
            "v1": place(figures.place(found.v1)), "v2": place(figures.place(found.v2)), "ours": pair(comparison.ours),
            "apple": pair(comparison.apple), "certainty": comparison.certainty.rawValue,
            "v1_type": AgreementTally.type(comparison.type),
        ]
    }

    private static func archive(_ document: ReportDocument) -> Pairs {
        let figures = document.figures
        let skips = SkipReason.allCases.compactMap { reason in figures.skips[reason].map { (reason.code, $0) } }
        return [
            "versions": counts(figures.versions), "environments": counts(figures.environments),
            "apps": counts(figures.apps),
            "flows": list(figures.flows) { flow, count in
                [
                    "v1_type": flow.type, "pair": flow.pair, "disposition": flow.disposition.rawValue,
                    "certainty": flow.certainty.rawValue, "count": count,
                ]
            },
            "entitlement_by_kind": list(figures.entitlementByKind) {
                ["kind": $0.kind, "entitlement": $0.entitlement.rawValue, "count": $0.count]
            },
            "lateness": counts(figures.lateness(\.code)),
            "days": figures.days.map { object(["first": $0.first, "last": $0.last]) },
            "gaps": list(figures.gaps) { ["from": $0.from, "to": $0.to, "days": $0.days, "around": $0.around] },
            "inputs": list(document.inputs.prefix(ReportTally.mostInputs)) { path, size in
                let tally = figures.inputs[path] ?? Tally()
                return [
                    "input": path, "bytes": size.map { Int($0) }, "records": tally.records,
                    "converted": tally.converted, "evidence": tally.evidence, "rejected": tally.rejected,
                    "skipped": tally.skipped,
                ]
            },
            "input_count": document.inputs.count, "input_bytes": Int(document.inputBytes),
            "damaged": document.wasDamaged, "capped": figures.isCapped,
            "places": object(
                [
                    "flags": examples(figures.flags.map { ($0.flag.rawValue, $0.example) }),
                    "rejects": examples(figures.rejects.sorted { $0.key < $1.key }), "skips": examples(skips),
                ], hasLines: true),
        ]
    }

    private static func examples(_ examples: [(String, ReportTally.Example)]) -> JSONParts {
        object(examples.map { ($0, array($1.places.map(place))) })
    }

    private static func place(_ place: ReportTally.Place) -> JSONParts {
        // A deduced event has no line.
        object(["input": place.input, "line": place.line > 0 ? Int(place.line) : nil])
    }

    private static func counts(_ counts: [ReportTally.Count]) -> JSONParts {
        object(counts.map { ($0.name, $0.count) })
    }

    private static func object(_ members: Members, hasLines: Bool = false) -> JSONParts {
        JSONParts(parts: members.map { ($0.key, $0.value) }, isObject: true, hasLines: hasLines)
    }

    private static func object(_ members: Pairs, hasLines: Bool = false) -> JSONParts {
        object(members.members, hasLines: hasLines)
    }

    private static func array(_ elements: [JSONParts], hasLines: Bool = false) -> JSONParts {
        JSONParts(parts: elements.map { (nil, $0) }, isObject: false, hasLines: hasLines)
    }

    private static func list<Element>(_ elements: some Sequence<Element>, _ members: (Element) -> Pairs) -> JSONParts {
        array(elements.map { object(members($0)) }, hasLines: true)
    }
}

/// A value of a report in JSON.
protocol ReportValue {
    /// The value as text, inside of so many others with lines of their own.
    func text(depth: Int) -> String
}

/// An object, or an array, whose parts have no keys; with a line for each part if it has lines.
private struct JSONParts: ReportValue {
    let parts: [(key: String?, value: any ReportValue)]
    let isObject: Bool
    let hasLines: Bool

    func text(depth: Int) -> String {
        let texts = parts.map { key, value in
            (key.map { $0.text(depth: 0) + ": " } ?? "") + value.text(depth: hasLines && isObject ? depth + 1 : 0)
        }
        let (begin, end) = isObject ? ("{", "}") : ("[", "]")
        guard hasLines else { return begin + texts.joined(separator: isObject ? ", " : ",") + end }
        let indent = "\n" + String(repeating: "  ", count: depth)
        return begin + texts.map { indent + "  " + $0 }.joined(separator: ",") + (texts.isEmpty ? "" : indent) + end
    }
}

extension KeyValuePairs<String, any ReportValue> {
    fileprivate var members: ReportJSON.Members { map { ($0.key, $0.value) } }
}

extension ReportValue where Self: CustomStringConvertible {
    func text(depth: Int) -> String { description }
}

extension Int: ReportValue {}
extension Bool: ReportValue {}

extension Optional: ReportValue where Wrapped: ReportValue {
    func text(depth: Int) -> String { self?.text(depth: depth) ?? "null" }
}

extension String: ReportValue {
    func text(depth: Int) -> String { jsonString(self) }
}
