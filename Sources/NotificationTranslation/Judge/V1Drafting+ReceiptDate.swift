extension V1Drafting {
    /// Dates an event by the creation date of its receipt, where that was verified and says more than the rest.
    ///
    /// Apple makes the receipt seconds after the event (a status change 4 s, a purchase 7 s, a CANCEL some minutes). So
    /// nothing that a body says of itself happened later, and where it does not say when it happened, this is nearly
    /// the time; a time of arrival may be hours later, as Apple repeats deliveries, so the earlier of the two is taken.
    /// The id is made of the body alone and stays.
    func applyReceiptDate(_ event: inout EventDraft, _ reading: inout V1Reading) {
        guard event.source.hasReceipt, let receipt = EvidenceReceipt(&event), receipt.datesEvent else { return }
        let created = receipt.createdAt
        guard created < receivedAt ?? .max else { return }
        let time = reading.time?.milliseconds
        // Where the body does not say when it happened.
        if time == nil || reading.isLowerBound && receivedAt ?? .max >= time ?? .min {
            if let time, created < time { return }
            event.flags.known = event.flags.known.subtracting([.timeLowerBound, .timeFromEnd])
        } else {
            guard let time, created < time else { return }
            event.flags.formUnion(.timeAfterReceipt)
        }
        event.occurredAt = created
        event.occurredAtBasis = EventText("receipt_creation_date")
    }
}
