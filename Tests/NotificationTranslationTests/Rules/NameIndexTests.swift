import Testing

@testable import NotificationTranslation

@Suite("An index of names")
struct NameIndexTests {
    private static let names =
        (0..<300).map { "NAME_\($0 * $0)" } + ["", "A", "ABCDEFG", "ABCDEFGH", "REVOKE/", "STRASSE"]

    private static func index(ignoresCase: Bool) -> NameIndex {
        var index = NameIndex(ignoresCase: ignoresCase)
        for (number, name) in names.enumerated() {
            let isNew = index.insert(name, number)
            #expect(isNew)
        }
        return index
    }

    @Test("An index of names finds every name and refuses it the second time", arguments: [false, true])
    func finds(ignoresCase: Bool) {
        var index = Self.index(ignoresCase: ignoresCase)
        for (number, name) in Self.names.enumerated() {
            #expect(index.number(of: name) == number)
            #expect(index.number(of: name.lowercased()) == (ignoresCase || name.isEmpty ? number : nil))
            #expect(index.number(of: name.lowercased(), exactly: true) == (name.isEmpty ? number : nil))
            let isTaken = !index.insert(name, 0)
            #expect(isTaken)
        }
        #expect(index.number(of: "NAME_2") == nil)
        #expect(index.number(of: "ABCDEFGI") == nil)
    }

    @Test("An index of names treats two encodings of the same text as one name")
    func comparesTexts() {
        var index = Self.index(ignoresCase: true)
        let revoke = Self.names.firstIndex(of: "REVOKE/")
        #expect(index.number(of: "REVO\u{212A}E/") == revoke)
        #expect(index.number(of: "straße") == Self.names.firstIndex(of: "STRASSE"))
        #expect(index.number(of: "caf\u{E9}") == nil)
        let isNew = index.insert("caf\u{E9}", 7)
        #expect(isNew)
        #expect(index.number(of: "CAFE\u{301}") == 7)
        let isTaken = !index.insert("cafe\u{301}", 8)
        #expect(isTaken)
    }
}
