import Testing

@testable import NotificationTranslation

@Suite("Every word of an event")
struct WordTests {
    private static let explanation = Explanation()

    /// All words that the tables and the code can put into an event, a reject or a message.
    private static var words: Set<String> {
        let table = DecisionTable.current
        var words = Set(EventFieldTable.current.paths.flatMap { [$0.path, $0.field.key, $0.field.name] })
        words.formUnion(EventFieldTable.current.words.flatMap { $0.words.map(\.word) })
        words.formUnion(Disposition.allCases.map(\.rawValue) + Entitlement.allCases.map(\.rawValue))
        words.formUnion(Certainty.allCases.map(\.rawValue) + Authenticity.allCases.map(\.rawValue))
        words.formUnion(NotificationVersion.allCases.map(\.rawValue) + ReceiptCoverage.Covers.allCases.map(\.rawValue))
        words.formUnion(bases)
        words.formUnion(V1NotificationType.all.map(\.rawValue) + table.types.map(\.type))
        for pair in table.events.pairs + table.events.types {
            words.formUnion([pair.type, pair.subtype ?? pair.type, pair.kind, pair.kindWhenOn, pair.name])
            words.insert(MappingDocument.display(pair))
            words.formUnion(pair.aliases)
        }
        words.formUnion(EventKind.allKnown.map(\.rawValue) + AmbiguityFlag.allKnown.map(\.rawValue))
        words.formUnion(table.types.flatMap { $0.rules.map(\.id) + $0.adjustments.map(\.id) })
        words.formUnion(SilentTable.current.rules.map(\.id))
        words.formUnion(Fact.allCases.flatMap { [$0.name] + $0.values })
        words.formUnion(SilentFact.list.names + SilentFact.list.values.joined())
        words.formUnion(ErrorCodes.all.map(\.code))
        words.formUnion(FieldTable.current.losses.flatMap { [$0.id, $0.field] })
        words.formUnion(FieldTable.current.fields.flatMap { [$0.v1, $0.v2 ?? $0.v1] })
        return words
    }

    /// The fields that a time may be taken from, as the code names them.
    private static var bases: [String] { TimeField.names.map(\.description).filter { $0 != "?" } }

    @Test("is explained, in any case of letters")
    func explained() {
        #expect(Self.words.count > 700)
        for word in Self.words {
            let text = Self.explanation.name(word) ?? ""
            let plain = word.hasSuffix("/") ? String(word.dropLast()) : word
            #expect(text.lowercased().contains(plain.lowercased()), "\(word)")
            #expect(text.split(separator: "\n").count > 1, "\(word)")
            #expect(Self.explanation.name(word.lowercased()) != nil, "\(word)")
        }
        #expect(Self.explanation.name("OF_NEXT_YEAR") == nil)
        #expect(Self.explanation.name("") == nil)
    }

    @Test("is explained with all its meanings")
    func meanings() {
        func heads(_ word: String) -> [String] {
            (Self.explanation.name(word) ?? "").split(separator: "\n").filter { !$0.hasPrefix(" ") }.map(String.init)
        }
        #expect(heads("withdraw") == ["withdraw: value of entitlement"])
        #expect(heads("none").prefix(2) == ["none: value of entitlement", "none: value of source.receipt.covers"])
        #expect(heads("purchase_date_ms").first == "purchase_date_ms: value of occurred_at_basis")
        #expect(heads("purchase_date_ms").count > 1)
        #expect(heads("unknown").contains("unknown: value of certainty"))
        #expect(heads("unknown").contains("unknown: event kind"))
        #expect(heads("unknown").contains("unknown: value of facts"))
        #expect(heads("UPGRADE").contains("UPGRADE: V2 subtype of DID_CHANGE_RENEWAL_PREF, OFFER_REDEEMED"))
        #expect(heads("REFUND").contains { $0.hasPrefix("REFUND: V1 type") })
        #expect(heads("REFUND").contains { $0.hasPrefix("REFUND: V2 pair") })
        #expect(heads("1").count > 4)
    }

    @Test("is in the closed set of its field")
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
        #expect(sets["source.receipt.covers"] == ReceiptCoverage.Covers.allCases.map(\.rawValue))
        #expect(sets["occurred_at_basis"].map(Set.init) == Set(Self.bases))
        let wordFields = EventFieldTable.current.paths.filter { $0.field.kind == .word }.map(\.path)
        #expect(wordFields.allSatisfy { sets[$0] != nil })
        #expect(Set(sets.keys) == Set(wordFields + ["occurred_at_basis"]))
    }

    @Test("for the basis of a time names every date that a V1 body can hold")
    func basesOfVersion1() {
        for forms in V1DateForms.allCases {
            var fields = [forms.milliseconds.field, forms.text.field, forms.pacific.field]
            if let formatted = forms.formatted { fields += [formatted.text.field, formatted.pacific.field] }
            for field in fields {
                let number = TimeField.number(of: field)
                #expect(number != 0, "\(field)")
                #expect(TimeField.name(number).string == EventText(field).string)
                #expect(Self.bases.contains(field.description), "\(field)")
            }
        }
    }

    @Test("of all fixtures' events is explained")
    func fixtures() throws {
        var seen: Set<String> = []
        let normalizer = NotificationNormalizer(policy: .trustingTheSource)
        for fixture in Fixture.all(in: "v1-to-v2") + Fixture.all(in: "v2-to-event") {
            for event in (try? normalizer.events(from: fixture.bytes("input.json"))) ?? [] {
                seen.formUnion([event.type.rawValue, event.disposition.rawValue, event.certainty.rawValue])
                seen.formUnion([event.entitlement.rawValue, event.source.authenticity.rawValue])
                seen.formUnion([event.occurredAtBasis, event.source.rule].compactMap { $0 })
                #expect(event.occurredAtBasis.map(Self.bases.contains) ?? true, "\(fixture)")
                seen.formUnion(event.flags.map(\.rawValue))
            }
        }
        #expect(seen.count > 150)
        for word in seen { #expect(Self.explanation.name(word) != nil, "\(word)") }
    }
}
