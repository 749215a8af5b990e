/// The transactions of one subscription, or one-time purchase, each once: what any notification, list or answer shows of
/// it, whether settling needs it or not.
///
/// It is made of ``RowHistory``, which settling uses, of the rows that evidence leaves out for settling, and of the
/// details that settling needs not know.
struct Ledger {
    struct Entry {
        var row: TimelineRow
        var details = RowDetails()
        /// The statements that show it, in the order of the story.
        var shownBy: [Int] = []
        /// From refunds to when they were taken back.
        var reversed: [Range<Int64>] = []
        /// The ends that were known before later ones were told, by the time of that, ascending.
        var earlierEnds: [(expires: Int64, until: Int64)] = []
    }

    /// The oldest first.
    private(set) var entries: [Entry] = []
    /// The number of the app.
    private(set) var appAppleID = EventText.absent
    private var places: [UInt64: Int] = [:]
    /// Whether some notification says for certain whose transactions it shows; if not, all are taken.
    let isCertain: Bool

    init(_ settlement: Settlement) {
        let order = settlement.statements.indices.sorted {
            let (one, other) = (settlement.statements[$0].order, settlement.statements[$1].order)
            return one != other ? one < other : settlement.rank[$0] < settlement.rank[$1]
        }
        isCertain = order.contains { settlement.statements[$0].isOfCertainSubject }
        let taken = order.filter { !isCertain || settlement.statements[$0].isOfCertainSubject }
        for place in taken { add(settlement, place) }
        for place in entries.indices {
            if let row = settlement.history.index(of: entries[place].row.transaction) {
                entries[place].row = settlement.history.rows[row]
            }
        }
        entries.sort {
            let (one, other) = ($0.row, $1.row)
            if one.purchase != other.purchase { return one.purchase < other.purchase }
            if let number = one.number, let second = other.number { return number < second }
            return one.transaction < other.transaction
        }
        for (place, entry) in entries.enumerated() { places[entry.row.transaction] = place }
        takeContradictions(settlement)
    }

    private mutating func add(_ settlement: Settlement, _ place: Int) {
        let statement = settlement.statements[place]
        let details = settlement.details.indices.contains(place) ? settlement.details[place] : ShownDetails()
        if !details.appAppleID.isAbsent, !details.appAppleID.bytes.isEmpty { appAppleID = details.appAppleID }
        for (offset, row) in settlement.shownRows[statement.rows].enumerated() {
            add(row, details.rows.indices.contains(offset) ? details.rows[offset] : nil, place)
        }
        for (row, details) in details.more { add(row, details, place) }
    }

    private mutating func add(_ row: TimelineRow, _ details: RowDetails?, _ statement: Int) {
        let place = places[row.transaction] ?? entries.count
        if place == entries.count {
            places[row.transaction] = place
            entries.append(Entry(row: row))
        } else if let cancelled = row.cancellation, entries[place].row.cancellation == nil {
            // Only of rows that settling does not see.
            entries[place].row.cancellation = cancelled
            entries[place].row.isUpgraded = row.isUpgraded
            entries[place].row.reason = row.reason
        }
        entries[place].shownBy.append(statement)
        guard var details else { return }
        details.complete(from: entries[place].details)
        entries[place].details = details
    }

    private mutating func takeContradictions(_ settlement: Settlement) {
        for found in settlement.reversals() {
            guard let place = places[found.transaction] else { continue }
            entries[place].reversed.append(found.cancelled..<found.restored)
        }
        for found in settlement.extensions() {
            guard let place = places[found.transaction] else { continue }
            entries[place].earlierEnds.append((found.expires, found.told))
        }
        for place in entries.indices where entries[place].earlierEnds.count > 1 {
            entries[place].earlierEnds.sort { $0.until < $1.until }
        }
    }

    func index(of transaction: UInt64) -> Int? { places[transaction] }
}

extension Ledger.Entry {
    /// The end of the period that was known at an instant.
    func expires(knownAt instant: Int64) -> Int64? {
        earlierEnds.first { $0.until > instant }?.expires ?? row.expires
    }

    /// When the transaction was refunded or revoked as a whole, though some of these were taken back.
    var cancellations: [Int64] {
        let own = row.isUpgraded ? nil : row.endedEarly
        return (reversed.map(\.lowerBound) + [own].compactMap(\.self)).sorted()
    }
}

extension Statement {
    /// Whether it says for certain which subscription its transactions are of.
    var isOfCertainSubject: Bool { isV2 || isAnswer || says(.subject, FactValue.Subject.certain) }
}
