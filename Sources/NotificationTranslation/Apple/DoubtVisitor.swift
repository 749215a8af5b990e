/// Passes on notifications with what makes them doubtful.
final class DoubtVisitor: FoundVisitor {
    private let outer: FoundVisitor
    private let doubts: NotificationDecoder.Found.Doubts

    init(_ outer: FoundVisitor, _ doubts: NotificationDecoder.Found.Doubts) {
        self.outer = outer
        self.doubts = doubts
        super.init()
        signed = outer.signed
        searches = outer.searches
        lostSignedText = outer.lostSignedText
        passesOverForeign = outer.passesOverForeign
    }

    override func take(_ found: NotificationDecoder.Found) {
        var found = found
        if found.finding != .foreign { found.doubts.formUnion(doubts) }
        outer.visit(found)
    }
}
