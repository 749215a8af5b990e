extension FactFinder {
    /// The subject's transactions in one body: the one the notification is about and those around it.
    struct Rows {
        private let fields: V1Fields
        private let view: TextView
        private let subject: JSONText
        let shape: TypeRules.Shape?
        let tolerance: Int64
        private(set) var notified: V1Reading.Row?
        private(set) var previous: V1Reading.Row?
        private(set) var latestKnown: V1Date?
        private(set) var time: V1Date?
        private(set) var isUnreadable = false
        private(set) var history = FactValue.History.none
        private(set) var refundNear = false
        private(set) var refundedRows = FactValue.RefundedRows.none
        private(set) var isSuperseded = false
        private(set) var isNotifiedLatest = true
        /// The rows of the subject, the newest first; memory that is there only while ``collect()`` runs.
        private var places = UnsafeMutableBufferPointer<Place>(start: nil, count: 0)

        private struct Place {
            var index: Int
            var purchase: Int64

            func precedes(_ other: Place) -> Bool {
                purchase != other.purchase ? purchase > other.purchase : index < other.index
            }
        }

        init(_ finder: FactFinder, _ subject: JSONText, shape: TypeRules.Shape?, tolerance: Int64) {
            fields = finder.fields
            view = finder.view
            self.subject = subject
            self.shape = shape
            self.tolerance = tolerance
        }

        mutating func collect() {
            withUnsafeTemporaryAllocation(of: Place.self, capacity: max(1, fields.rows.count)) { room in
                var count = 0
                for index in 0..<fields.rows.count where fields.isRow(index, of: subject, view) {
                    let (date, unreadable) = fields.date(.purchase, row: index, view)
                    if unreadable { isUnreadable = true }
                    room.initializeElement(at: count, to: Place(index: index, purchase: date?.milliseconds ?? .min))
                    count += 1
                }
                places = UnsafeMutableBufferPointer(rebasing: room[..<count])
                order()
                choose(rootDates())
                places = UnsafeMutableBufferPointer(start: nil, count: 0)
            }
        }

        /// Sorts the rows; Apple sends them in order, from either end.
        private mutating func order() {
            var falls = 0
            var rises = 0
            for place in places.indices.dropFirst() {
                if places[place - 1].precedes(places[place]) { falls += 1 } else { rises += 1 }
            }
            if rises == 0 { return }
            if falls == 0 { places.reverse() } else { places.sort { $0.precedes($1) } }
        }

        private mutating func choose(_ root: V1Date?) {
            history = places.isEmpty ? .none : fields.unifiedRows > 0 ? .rows : .single
            chooseNotified(root)
            if let notified { around(notified) }
            if time == nil { time = ownTime(root) }
            if time == nil { latest() }
        }

        /// The dates at the top level that a type takes its time from.
        private mutating func rootDates() -> V1Date? {
            guard fields.root.count > 0 else { return nil }
            let found =
                shape?.time == .statusChange
                ? fields.date(.statusChange, view) : fields.date(.rootCancellation, view)
            if found.isUnreadable { isUnreadable = true }
            return found.date
        }

        private mutating func row(_ index: Int) -> V1Reading.Row {
            let purchase = fields.date(.purchase, row: index, view)
            let expires = fields.date(.expires, row: index, view)
            let cancellation = fields.date(.cancellation, row: index, view)
            if purchase.isUnreadable || expires.isUnreadable || cancellation.isUnreadable { isUnreadable = true }
            return V1Reading.Row(
                index: index, purchase: purchase.date, expires: expires.date, cancellation: cancellation.date,
                isUpgraded: view.truth(fields[row: index, .isUpgraded]) ?? false)
        }

        // MARK: The transaction it is about

        private mutating func chooseNotified(_ root: V1Date?) {
            switch shape?.transaction {
            case .cancelled:
                chooseCancelled(root)
            case .atTime:
                time = root
                let limit = root.map { $0.milliseconds + tolerance } ?? .max
                if let place = places.first(where: { $0.purchase <= limit }) ?? places.last {
                    notified = row(place.index)
                }
                if let changed = root?.milliseconds { refundNear = hasRefund(near: changed) }
            default:
                let first = shape?.transaction == .first ? firstTransaction() : nil
                if let place = first ?? places.first { notified = row(place.index) }
            }
            if let notified, let newest = places.first { isNotifiedLatest = newest.index == notified.index }
        }

        /// The row whose transaction id is the original one.
        private func firstTransaction() -> Place? {
            places.first {
                view.same(fields[row: $0.index, .transactionID], fields[row: $0.index, .originalTransactionID])
            }
        }

        /// The row that `web_order_line_item_id` names, else the cancelled row nearest to the cancellation, else the
        /// one cancelled last.
        private mutating func chooseCancelled(_ root: V1Date?) {
            time = root
            let webOrder = fields[.webOrderLineItemID]
            var best: (row: V1Reading.Row, distance: Int64)?
            var cancelled = 0
            for place in places {
                let row = row(place.index)
                let named = !webOrder.isBlank && view.same(fields[row: place.index, .webOrderLineItemID], webOrder)
                guard named || row.cancellation != nil else { continue }
                cancelled += 1
                let at = row.cancellation?.milliseconds ?? .min
                let distance = named ? -1 : root.map { abs(at - $0.milliseconds) } ?? -1 - at / 2
                if best.map({ distance < $0.distance }) ?? true { best = (row, distance) }
            }
            refundedRows =
                cancelled == 0
                ? .none
                : cancelled == 1 || root != nil || !subjectIsAmbiguous
                    ? .one : .several
            notified = best?.row ?? places.first.map { row($0.index) }
            if let cancellation = notified?.cancellation, time == nil { time = cancellation }
            if let at = time?.milliseconds, let notified { isSuperseded = hasSuccessor(of: notified, at: at) }
        }

        /// Whether the rows belong to no one purchase.
        private var subjectIsAmbiguous: Bool { subject.isBlank }

        private func hasSuccessor(of row: V1Reading.Row, at instant: Int64) -> Bool {
            places.contains { place in
                place.index != row.index && place.purchase != .min && abs(place.purchase - instant) <= tolerance
                    && !view.same(fields[row: place.index, .productID], fields[row: row.index, .productID])
            }
        }

        private mutating func hasRefund(near instant: Int64) -> Bool {
            for place in places {
                let row = row(place.index)
                if let at = row.cancellation?.milliseconds, !row.isUpgraded, abs(at - instant) <= tolerance {
                    return true
                }
            }
            return false
        }

        // MARK: Around it

        private mutating func around(_ row: V1Reading.Row) {
            guard let purchase = row.purchase?.milliseconds else { return }
            if let place = places.first(where: { $0.purchase < purchase && $0.purchase != .min }) {
                previous = self.row(place.index)
            }
        }

        private func ownTime(_ root: V1Date?) -> V1Date? {
            switch shape?.time {
            case .purchase: notified?.purchase
            case .expiry: notified?.expires
            case .cancellation: root ?? notified?.cancellation
            case .statusChange: root
            case nil: nil
            }
        }

        /// The newest purchase or cancellation of the subject.
        private mutating func latest() {
            for place in places {
                let row = row(place.index)
                latest(row.purchase)
                latest(row.cancellation)
            }
        }

        private mutating func latest(_ date: V1Date?) {
            guard let date else { return }
            if latestKnown.map({ $0.milliseconds < date.milliseconds }) ?? true { latestKnown = date }
        }
    }
}

extension V1Fields {
    /// Whether a row is one of a subscription's transactions; a single receipt of the old form that says again what the
    /// list says is none.
    func isRow(_ index: Int, of subject: JSONText, _ view: TextView) -> Bool {
        let original = self[row: index, .originalTransactionID]
        guard subject.isBlank || original.isBlank || view.same(original, subject) else { return false }
        guard index >= unifiedRows else { return true }
        let id = self[row: index, .transactionID]
        guard !id.isBlank else { return true }
        // No closure: it would be given a copy of all this for every row, asked or not.
        for other in 0..<index where view.same(self[row: other, .transactionID], id) { return false }
        return true
    }
}
