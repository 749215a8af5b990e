/// Passes on the notification that the fields of a row are, with what is beside it in the row.
final class BesideVisitor: FoundVisitor {
    private let outer: FoundVisitor
    private let beside: NotificationDecoder.Found.Beside

    init(_ outer: FoundVisitor, _ beside: NotificationDecoder.Found.Beside) {
        self.outer = outer
        self.beside = beside
        super.init()
        signed = outer.signed
        searches = outer.searches
        lostSignedText = outer.lostSignedText
        passesOverForeign = outer.passesOverForeign
    }

    override func take(_ found: NotificationDecoder.Found) {
        var found = found
        if found.finding != .foreign { found.beside = beside }
        outer.visit(found)
    }
}
