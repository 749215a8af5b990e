/// Whoever wants the notifications of a record, on the way through its envelopes.
///
/// A class, and not a closure that is handed on: the decoder's functions call each other in a ring, and the optimiser
/// would lay out all of them anew for every closure it sees go round.
class FoundVisitor {
    /// Notifications handed over so far.
    @exclusivity(unchecked) private(set) final var notifications = 0
    /// Above 0: JSON without a notification is no finding here, as something around it may still hold one.
    @exclusivity(unchecked) final var passesOverForeign = 0

    /// What the policy said of the signed payload that is being read, if one is.
    @exclusivity(unchecked) final var signed: Authenticity?
    /// Whether the policy refused something: nothing else in the record is looked for then.
    @exclusivity(unchecked) final var wasRefused = false

    /// Whether a signed text that belongs here is not one any more, so that what stands beside it is looked at.
    @exclusivity(unchecked) final var lostSignedText = false

    /// Takes what was found; nothing does so here.
    func take(_ found: NotificationDecoder.Found) {}

    /// Makes it as new, for the next record.
    final func reset() {
        notifications = 0
        passesOverForeign = 0
        signed = nil
        wasRefused = false
        lostSignedText = false
    }

    final func visit(_ found: NotificationDecoder.Found) {
        if found.finding == .foreign {
            guard passesOverForeign == 0 else { return }
        } else {
            notifications += 1
        }
        take(found)
    }
}

/// Hands what was found to a closure.
final class ClosureVisitor: FoundVisitor {
    private let closure: (NotificationDecoder.Found) -> Void

    init(_ closure: @escaping (NotificationDecoder.Found) -> Void) {
        self.closure = closure
    }

    override func take(_ found: NotificationDecoder.Found) {
        closure(found)
    }
}
