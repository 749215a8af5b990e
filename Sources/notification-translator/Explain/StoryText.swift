import NotificationArchives
import NotificationTranslation

/// The story of a subscription as `explain` prints it.
///
/// ```
/// Subscription 310000000000003: 3 records, ordered by when they happened. => marks what you asked for.
///
///    old.ndjson:1  V1 INITIAL_BUY, 2020-10-03T09:12:44.000Z (purchase_date_ms)
///       result      SUBSCRIBED/INITIAL_BUY  (event, exact)
///       …
/// => old.ndjson:3  V1 RENEWAL, 2020-12-05T09:12:44.000Z (purchase_date_ms)
///       result      companion: part of another event  (exact)
///       rule        renewal-twin
///       fact        partnerRecovery = yes  (by the body alone: unknown)
///       part of     old.ndjson:2  V1 DID_RECOVER, id 7d3c…
/// ```
struct StoryText {
    let subscription: ArchiveStory.Subscription
    private let explanation = Explanation(margin: "      ")

    var text: String {
        let shown = subscription.shown
        var text = heading + "\n"
        if shown.lowerBound > 0 { text += agreeing(shown.lowerBound, "\n   (# entr[y|ies] before this not shown)\n") }
        for place in shown { text += "\n" + entry(subscription.entries[place]) }
        let after = subscription.entries.count - shown.upperBound
        if after > 0 { text += agreeing(after, "\n   (# entr[y|ies] after this not shown)\n") }
        return text
    }

    private var heading: String {
        let named = subscription.entries.lazy.filter { !$0.isGuest }
            .compactMap { $0.event.transaction?.originalTransactionID }.first
        var parts = [count(subscription.records, "record")]
        if subscription.guests > 0 {
            parts.append(
                agreeing(subscription.guests, "# record[s] that [names|name] no purchase and may be about it"))
        }
        if subscription.deduced > 0 { parts.append("\(count(subscription.deduced, "deduced event"))") }
        let head = named.map { "Subscription or purchase \(printable($0))" } ?? "A notification that names no purchase"
        return HelpText.wrapped(
            "\(head): \(parts.joined(separator: ", ")), ordered by when they happened. => marks what you asked for.")
    }

    private func entry(_ entry: ArchiveStory.Entry) -> String {
        let event = entry.event
        var text = (entry.isAsked ? "=> " : "   ") + head(event) + "\n"
        text += line("id", printable(event.id))
        let result = event.v2.type == nil ? "no pair of its own" : event.v2.description
        text += line("result", "\(result)  (\(event.disposition.rawValue), \(event.certainty.rawValue))")
        text += line("event", "\(event.type), entitlement \(Self.entitlement(event))")
        if let rule = event.source.rule {
            text += line("rule", rule + (entry.isAsked ? "  (rules \(event.source.rulesVersion ?? "?"))" : ""))
        }
        if entry.isAsked, let source = event.source.rule.flatMap(explanation.source(ofRule:)) {
            text += line("source", source)
        }
        text += neighbours(entry)
        for other in event.candidates.dropFirst() where entry.isAsked {
            text += line("also", other.type == nil ? "companion: no event of its own" : other.description)
        }
        if entry.isAsked {
            text += explanation.flags(event.flags)
        } else if !event.flags.isEmpty {
            text += line("flag", event.flags.map(\.rawValue).joined(separator: ", "))
        }
        return text
    }

    private func head(_ event: UnifiedEvent) -> String {
        let source = event.source
        let place = Self.place(event)
        let time = event.occurredAt.map { ", \($0) (\(event.occurredAtBasis ?? "a range"))" } ?? ", no date"
        if event.disposition == .inferred { return "deduced  \(event.v2)\(time)" }
        let received = source.receivedAt.map { $0 == event.occurredAt ? "" : ", received \($0)" } ?? ""
        return "\(place)  \(Self.name(event))\(time)\(received)"
    }

    /// Where the record of an event is: `old.ndjson:17`.
    static func place(_ event: UnifiedEvent) -> String {
        "\(printable(event.source.input ?? "?")):\(event.source.line.map { String($0) } ?? "?")"
    }

    /// What a notification calls itself: `V1 CANCEL`.
    static func name(_ event: UnifiedEvent) -> String {
        let name = [event.source.type, event.source.subtype].compactMap { $0 }.joined(separator: "/")
        return "\(event.source.version == .v1 ? "V1" : "V2") \(printable(name))"
    }

    /// An entitlement with its end: `keep until 2021-01-03T09:12:44.000Z`.
    static func entitlement(_ event: UnifiedEvent) -> String {
        event.entitlement.rawValue + (event.accessUntil.map { " until \($0)" } ?? "")
    }

    private func neighbours(_ entry: ArchiveStory.Entry) -> String {
        let event = entry.event
        guard let finding = entry.finding else {
            return event.derivedFrom.map { line("shown by", other(withID: $0)) }.joined()
        }
        var text = ""
        // What neighbours added is shown for other records only where it decided.
        let isDecided = !finding.decidedBy.isEmpty
        for answer in finding.facts where entry.isAsked || isDecided && answer.alone != nil {
            let alone = answer.alone.map { "  (by the body alone: \($0))" } ?? ""
            text += line("fact", "\(answer.fact) = \(answer.value)\(alone)")
        }
        if let alone = finding.alone, alone.pair != event.v2 || alone.certainty != event.certainty {
            let pair = alone.pair.type == nil ? "a companion" : alone.pair.description
            text += line("alone", "it would be \(pair)  (\(alone.certainty.rawValue))")
        }
        if let leader = finding.leader {
            text += line(event.disposition == .companion ? "part of" : "same as", other(leader))
        }
        if let first = finding.sameText {
            text += line("same text", "as \(other(first)), which reports another event")
        }
        for place in finding.decidedBy where place != finding.leader { text += line("decided by", other(place)) }
        for place in finding.accessDecidedBy { text += line("access by", other(place)) }
        for answer in entry.answers {
            let fields = answer.fields.isEmpty ? "" : "  \(answer.fields.joined(separator: ", "))"
            text += line("answer", "\(printable(answer.input)):\(answer.line)\(fields)")
        }
        if finding.isUntraced {
            text += line("neighbours", "not searched: the story has too many records")
        }
        if entry.isGuest, finding.leader == nil {
            let settled = entry.isJoinedElsewhere ? "another purchase in view settles it" : "nothing in view settles it"
            text += line("purchase", "not named by the body, and may be this one; \(settled)")
        }
        return text
    }

    private func other(_ place: Int) -> String {
        let event = subscription.entries[place].event
        return "\(Self.place(event))  \(Self.name(event)), id \(printable(event.id))"
    }

    private func other(withID id: String) -> String {
        subscription.entries.firstIndex { $0.event.id == id && $0.finding != nil }.map(other) ?? "id \(printable(id))"
    }

    private func line(_ label: String, _ text: String) -> String { explanation.line(label, text) }
}
