import NotificationTranslation

/// What an answer owes to whoever reads it, whatever the truth is.
enum Soundness {
    /// What is wrong with an event; `nil` for nothing.
    static func fault(of event: UnifiedEvent) -> String? {
        if event.certainty == .exact, !event.candidates.isEmpty { return "exact with candidates" }
        if event.certainty == .ambiguous, event.candidates.count < 2 { return "ambiguous with one candidate" }
        if event.certainty == .ambiguous, event.flags.isEmpty { return "ambiguous without a flag" }
        if event.entitlement == .undecided, event.flags.isEmpty { return "undecided without a flag" }
        if event.entitlement == .undecided, event.disposition != .event, event.disposition != .inferred {
            return "undecided though no event"
        }
        return nil
    }
}
