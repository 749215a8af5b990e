import SimulatedLives
import Testing

@testable import NotificationTranslation

@Suite("Strict base64") struct StrictBase64Tests {
    private static func decode(_ text: String, standard: Bool) -> [UInt8]? {
        standard ? StrictBase64.decoded(standard: text.utf8) : StrictBase64.decoded(url: text.utf8)
    }

    @Test("The reader of strict base64 reads what is written") func readsWhatIsWritten() {
        var random = SeededGenerator(seed: 1)
        for length in 1..<200 {
            let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
            #expect(Self.decode(Token.base64(bytes), standard: true) == bytes)
            #expect(Self.decode(Token.base64URL(bytes), standard: false) == bytes)
        }
        #expect(Self.decode("", standard: false) == [])
        #expect(Self.decode("", standard: true) == nil)
    }

    /// RFC 4648: of all texts of up to four characters that stand for some bytes, exactly one is taken.
    @Test("The reader of strict base64 takes one spelling only") func takesOneSpellingOnly() {
        let some = Array("AQgwBZaz059-_+/=\n .").map(String.init)
        for standard in [true, false] {
            var spellings: [[UInt8]: Int] = [:]
            for a in some {
                for b in some {
                    for rest in [""] + some + some.flatMap({ c in some.map { c + $0 } }) {
                        if let bytes = Self.decode(a + b + rest, standard: standard) {
                            spellings[bytes, default: 0] += 1
                        }
                    }
                }
            }
            #expect(spellings.count > 500)
            #expect(spellings.values.allSatisfy { $0 == 1 })
        }
    }

    @Test(
        "The reader of strict base64 refuses padding in odd places",
        arguments: ["=", "==", "A", "A=", "A===", "AA=A", "=AAA", "AAAAA", "AAAA=", "AA==AAAA"])
    func refusesPaddingInOddPlaces(_ text: String) {
        #expect(Self.decode(text, standard: true) == nil)
        #expect(Self.decode(text, standard: false) == nil)
    }
}
