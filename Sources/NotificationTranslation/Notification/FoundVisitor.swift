/// Whoever wants the notifications of a record, on the way through its envelopes.
///
/// A class with a stored closure, and not the closure itself: the decoder's functions call each other in a ring, and
/// the optimiser would lay out all of them anew for every closure it sees go round.
final class FoundVisitor {
    private let take: (NotificationDecoder.Found) -> Void
    /// Notifications handed over so far.
    private(set) var notifications = 0
    /// Above 0: JSON without a notification is no finding here, as something around it may still hold one.
    var passesOverForeign = 0

    /// What the policy said of the signed payload that is being read, if one is.
    var signed: Authenticity?
    /// Whether the policy refused something: nothing else in the record is looked for then.
    var wasRefused = false

    init(_ take: @escaping (NotificationDecoder.Found) -> Void) {
        self.take = take
    }

    func visit(_ found: NotificationDecoder.Found) {
        if found.finding == .foreign {
            guard passesOverForeign == 0 else { return }
        } else {
            notifications += 1
        }
        take(found)
    }
}
