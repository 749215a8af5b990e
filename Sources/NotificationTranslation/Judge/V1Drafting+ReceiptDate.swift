extension V1Drafting {
    /// Dates an event by the creation date of its receipt, where that was verified and says more than the rest.
    ///
    /// Apple makes the receipt seconds after the event (a status change 4 s, a purchase 7 s, a CANCEL some minutes). So
    /// nothing that a body says of itself happened later, and where it does not say when it happened, this is nearly
    /// the time; a time of arrival may be hours later, as Apple repeats deliveries, so the earlier of the two is taken.
    /// The id is made of the body alone and stays.
    func applyReceiptDate(_ event: inout EventDraft, _ reading: inout V1Reading) {
        guard event.source.hasReceipt, let receipt = EvidenceReceipt(&event), receipt.datesEvent else {
            return
        }
        applyCreationDate(receipt.createdAt, &event, &reading)
    }

    /// Dates an event without a time of its own by the creation date of its receipt, which nobody verified.
    func applyUnverifiedDate(_ event: inout EventDraft, _ reading: inout V1Reading, _ reader: any ReceiptReader) {
        guard lacksTime(&reading), let receipt = unverifiedReceipt(reader),
            receipt.fits(bundleID: event.bundleID.string, environment: event.environment.string)
        else { return }
        let created = receipt.unverifiedCreatedAt.milliseconds
        guard CivilTime.earliest...CivilTime.latest ~= created else { return }
        // The receipt of another day: the body knows of something later.
        if let known = reading.latestKnown, !known.isEnd, created < known.milliseconds { return }
        if applyCreationDate(created, &event, &reading) { event.flags.formUnion(.receiptDateUnproven) }
    }

    /// What the receipt of the body says of itself; `nil` if there is none that can be read.
    private func unverifiedReceipt(_ reader: any ReceiptReader) -> UnverifiedReceipt? {
        guard !fields.receipt.isBlank else { return nil }
        do throws(AuthenticityError) {
            return try fields.receipt.withCharacters(in: view.memory) { (text) throws(AuthenticityError) in
                try reader.readUnverified(text.bytes)
            }
        } catch {
            return nil
        }
    }

    /// Whether the body does not say when it happened.
    private func lacksTime(_ reading: inout V1Reading) -> Bool {
        guard let time = reading.time else { return true }
        return reading.isLowerBound && receivedAt.map { $0 >= time.milliseconds } ?? true
    }

    /// Returns whether it is the time of the event now.
    @discardableResult
    private func applyCreationDate(
        _ created: Int64, _ event: inout EventDraft, _ reading: inout V1Reading
    ) -> Bool {
        guard created < receivedAt ?? .max else { return false }
        if lacksTime(&reading) {
            if let time = reading.time, created < time.milliseconds { return false }
            event.flags.known = event.flags.known.subtracting([.timeLowerBound, .timeFromEnd])
        } else {
            guard let time = reading.time, created < time.milliseconds else { return false }
            event.flags.formUnion(.timeAfterReceipt)
        }
        event.occurredAt = created
        event.occurredAtBasis = EventText("receipt_creation_date")
        return true
    }
}
