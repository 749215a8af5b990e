/// What may be chosen about a life beyond its seed and era.
package struct LifePlan: Sendable {
    /// How closely Apple keeps to its pages.
    package var manner = Manner.documented
    /// How long the invented base64 receipts are, in characters.
    package var receiptLength = 8...8
    /// How many notifications in a hundred never arrive; a companion then takes its leader's place.
    package var lostPercent = 0.0
    /// Which versions the server received.
    package var versions = Versions.first
    /// Whether the archive begins in the middle of the life.
    package var beginsMidway = false
    /// How notifications travel.
    package var carriage = Carriage.usual
    /// How close to its act a notification is sent and received.
    package var punctuality = Punctuality.usual
    /// How fast the customer acts.
    package var pace = Pace.usual
    /// What the account holds.
    package var company = Company.usual
    /// Which rows the lists of version 1 hold.
    package var listing = RowListing.all
    /// Production or sandbox; nil leaves it to chance.
    package var environment: StoreEnvironment?
    /// When the first life may begin and when the archive ends; nil takes the span of the era.
    package var span: ClosedRange<Instant>?

    package init() {}

    /// The years in which version 2 has `data.status` and today's names, and version 1 is still sent on demand.
    package static let lateYears = CivilTime(2023, 7, 1).instant...CivilTime(2026, 6, 30).instant
}

/// Which versions of the notifications a server received.
package enum Versions: Hashable, Sendable {
    case first
    /// So many servers in a hundred move to version 2, with some days of both.
    case cutOver(percent: Double)
    /// Version 2 begins at some happening, version 1 ends weeks to years later.
    case overlap
    /// Both from the first day of version 2 to the end.
    case both
    /// Version 2 alone; of older customers it tells from the middle of their lives.
    case second
}

/// How notifications travel.
package enum Carriage: Sendable {
    /// As Apple documents it: seldom late, seldom twice.
    case usual
    /// A third is late and a quarter comes again, by up to 78 hours; version 1 at the hours of its retries.
    case stormy
}

/// How close to its act a notification is sent and received.
package enum Punctuality: Sendable {
    /// As Apple documents it.
    case usual
    /// As stories of developers have it: failures are told hours before the period ends, the server's clock is slow,
    /// purchases and recoveries arrive at a late attempt, after the refund or with a body that lists the next period,
    /// and some weeks of version 2 are fetched from Apple's history.
    case poor
}

/// How fast customers act.
package enum Pace: Sendable {
    /// Some acts in each period, mostly days apart.
    case usual
    /// Acts between five seconds and five days apart.
    case dense
}

/// Which of an account's rows a body of version 1 lists.
package enum RowListing: Sendable {
    case all
    /// The row that was bought last, as a list that somebody cut for the archive.
    case newest
    /// No row, as a list that was left out of the archive; the single receipt object beside it may still hold one.
    case none

    func rows(of rows: [ReceiptRow]) -> [ReceiptRow] {
        switch self {
        case .all: rows
        case .newest: rows.max { ($0.purchase, $0.transactionId) < ($1.purchase, $1.transactionId) }.map { [$0] } ?? []
        case .none: []
        }
    }
}

/// What an account holds beside the first subscription.
package enum Company: Sendable {
    case usual
    /// Several one-time purchases, bought and refunded close together.
    case oneTimePurchases
    /// A subscription that the family shares, beside one of the member's own.
    case family
}
