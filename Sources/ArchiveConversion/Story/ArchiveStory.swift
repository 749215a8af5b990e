package import NotificationTranslation

/// What a conversion did with one record, with all that decided about it.
package struct ArchiveStory: Sendable {
    /// An answer of Apple's, where it is and the fields of it that decided.
    package struct Answer: Sendable {
        package var input: String
        package var line: Int64
        package var fields: [String]
    }

    /// One record of a story, or an event deduced in it.
    package struct Entry: Sendable {
        /// The event as `convert` writes it.
        package var event: UnifiedEvent
        /// Whether it is what was asked for.
        package var isAsked = false
        /// Whether it names no purchase and may be about this one.
        package var isGuest = false
        /// Whether it was found to be about another purchase.
        package var isJoinedElsewhere = false
        /// Which neighbours decided, by their places among the entries; `nil` for deduced events.
        package var finding: StoryTrace.Finding?
        /// The answers of Apple's on which it rests.
        package var answers: [Answer] = []
        /// Where it is among the others.
        var order: (time: Int64, rank: Int, place: Int) = (0, 0, 0)
    }

    /// The notifications of one subscription or purchase, in the order of their events.
    package struct Subscription: Sendable {
        /// All entries, in order; of those, `shown` are to be shown: all, or the nearest to what was asked for.
        package var entries: [Entry] = []
        package var shown = 0..<0
        /// How many of them are guests.
        package var guests: Int { entries.count { $0.isGuest } }
        /// How many of them are deduced events.
        package var deduced: Int { entries.count { $0.event.disposition == .inferred } }
        /// How many of them are neither.
        package var records: Int { entries.count - guests - deduced }
    }

    /// What is in the line that was asked for where it is not an event.
    package enum Nothing: Sendable {
        case rejected(Reject)
        /// No notification, and why; with or without signs of one.
        case skipped(SkipReason, hasSigns: Bool)
        /// An answer of Apple's, which is evidence.
        case answer
        /// No record begins there; the last one before it, if any.
        case noRecord(before: Int64?)
        /// The input ends before it.
        case afterEnd(lines: Int64)
    }

    /// The subscriptions that what was asked for belongs to.
    package var subscriptions: [Subscription] = []
    /// What is in the line beside the events, if anything.
    package var nothing: Nothing?
    /// Inputs that were read.
    package var files = 0
    /// An input was damaged or could not be read; only what could be read is in view.
    package var wasDamaged = false
}
