import Testing

@testable import NotificationTranslation

@Suite("Every word of an event")
struct EventWordTests {
    /// The fields that a time may be taken from, as the code names them.
    private static var bases: [String] { TimeField.names.map(\.description).filter { $0 != "?" } }

    @Test("Every word of an event is in the closed set of its field")
    func closedSets() {
        let sets = Dictionary(
            uniqueKeysWithValues: EventFieldTable.current.words.filter(\.isClosed).map { set in
                (set.field, set.words.map(\.word))
            })
        #expect(sets["disposition"] == Disposition.allCases.map(\.rawValue))
        #expect(sets["entitlement"] == Entitlement.allCases.map(\.rawValue))
        #expect(sets["certainty"] == Certainty.allCases.map(\.rawValue))
        #expect(sets["source.version"] == NotificationVersion.allCases.map(\.rawValue))
        #expect(sets["source.authenticity"] == Authenticity.allCases.map(\.rawValue))
        #expect(sets["source.receipt.covers"] == UnifiedEvent.ReceiptProof.Covers.allCases.map(\.rawValue))
        #expect(sets["occurred_at_basis"].map(Set.init) == Set(Self.bases))
        let wordFields = EventFieldTable.current.paths.filter { $0.field.kind == .word }.map(\.path)
        #expect(wordFields.allSatisfy { sets[$0] != nil })
        #expect(Set(sets.keys) == Set(wordFields + ["occurred_at_basis"]))
    }

    @Test("Every date that a V1 body can hold has a word for the basis of a time")
    func basesOfVersion1() {
        for forms in V1DateForms.allCases {
            for place in 0..<(forms == .expires ? 5 : 3) {
                let field = forms.keys.name(forms.text + place)
                let number = TimeField.number(of: forms.keys.text(forms.text + place))
                #expect(number != 0, "\(field)")
                #expect(TimeField.name(number).string == field)
                #expect(Self.bases.contains(field), "\(field)")
            }
        }
    }

    @Test("Every basis of a time in all fixtures' events is in the list")
    func fixtures() throws {
        var seen: Set<String> = []
        for fixture in Fixture.all(in: "v1-to-v2") + Fixture.all(in: "v2-to-event") {
            for event in (try? trusting.events(from: fixture.bytes("input.json"))) ?? [] {
                seen.formUnion([event.occurredAtBasis].compactMap(\.self))
            }
        }
        #expect(seen.count > 5)
        #expect(seen.isSubset(of: Self.bases))
    }
}
