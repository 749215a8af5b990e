import Testing

@testable import NotificationTranslation
@testable import notification_translator

@Suite("Every word")
struct WordTests {
    private static let explanation = Explanation()

    /// All words that the tables and the code can put into an event, a reject or a message.
    private static var words: Set<String> {
        let table = DecisionTable.current
        var words = Set(EventFieldTable.current.paths.flatMap { [$0.path, $0.field.key, $0.field.name] })
        words.formUnion(EventFieldTable.current.words.flatMap { $0.words.map(\.word) })
        words.formUnion(Disposition.allCases.map(\.rawValue) + Entitlement.allCases.map(\.rawValue))
        words.formUnion(Certainty.allCases.map(\.rawValue) + Authenticity.allCases.map(\.rawValue))
        words.formUnion(NotificationVersion.allCases.map(\.rawValue))
        words.formUnion(UnifiedEvent.ReceiptProof.Covers.allCases.map(\.rawValue))
        words.formUnion(TimeField.names.map(\.description).filter { $0 != "?" })
        words.formUnion(KnownNames.typesOfVersion1.union(table.types.map(\.type)))
        for pair in table.events.pairs + table.events.types {
            words.formUnion([
                pair.type, pair.subtype ?? pair.type, pair.kind, pair.texts.kindWhenOn.text.string ?? "", pair.name,
            ])
            words.insert(JSONTree.pairName(pair.name))
            words.formUnion(pair.row.member("aliases")?.parts.map(\.characters) ?? [])
        }
        words.formUnion(EventTable.current.kinds.map(\.kind) + AmbiguityFlag.allKnown.map(\.rawValue))
        words.formUnion(table.types.flatMap { $0.rules.map(\.id) + $0.adjustments.map(\.id) })
        words.formUnion(SilentTable.current.rules.map(\.id))
        for list in ["gaps", "states"] { words.formUnion(MappingTables.silent.rows(list).map { $0.text("id") }) }
        words.formUnion(Fact.allCases.flatMap { [$0.name] + $0.values })
        words.formUnion(SilentFact.list.names + SilentFact.list.values.joined())
        words.formUnion(
            ErrorCodes.all.map(\.code) + ErrorCodes.summaryWords.map(\.word) + SkipReason.allCases.map(\.code))
        for row in MappingTables.fields.rows("losses") {
            words.formUnion([row.text("id"), row.text("field")] + row.list("members"))
        }
        words.formUnion(
            MappingTables.fields.rows("fields").flatMap { [$0.text("v1"), $0["v2"]?.string ?? $0.text("v1")] })
        return words
    }

    @Test("Every word, and every name that is suggested, is explained, in any case of letters")
    func explained() {
        #expect(Self.words.count > 700 && Self.explanation.names.count > 500)
        for word in Self.words.union(Self.explanation.names) {
            let text = Self.explanation.name(word) ?? ""
            let plain = word.hasSuffix("/") ? String(word.dropLast()) : word
            #expect(text.lowercased().contains(plain.lowercased()), "\(word)")
            #expect(text.split(separator: "\n").count > 1, "\(word)")
            #expect(Self.explanation.name(word.lowercased()) != nil, "\(word)")
        }
        #expect(Self.explanation.name("OF_NEXT_YEAR") == nil)
        #expect(Self.explanation.name("") == nil)
    }

    @Test("Every word is explained with all its meanings")
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

    @Test(
        "What Apple added since 2025 is explained",
        arguments: [
            ("ASSIGNED", "An organization or a group assigned it to the customer"),
            ("ASSIGNMENT_REVOKE", "removed the subscription from the customer"),
            ("REVOKE", "in an organization or a group (ASSIGNED)"), ("access.revoked", "an organization or a group"),
            ("REFUND", "Where only a part was refunded"), ("revocationType", "REFUND_PRORATED"),
            ("billing_period_number", "commitmentInfo.billingPeriodNumber"), ("unclaimSeatIds", "unclaimInfo"),
            ("SEAT_ADDITION", "add up"), ("MONTHLY", "commitment"), ("renewalPriceTiers", "seats"),
        ])
    func addedWords(_ word: String, _ meaning: String) {
        #expect((Self.explanation.name(word) ?? "").contains(meaning))
    }

    @Test("Every word of all fixtures' events is explained")
    func fixtures() throws {
        var seen: Set<String> = []
        let normalizer = NotificationNormalizer(policy: .trustingTheSource)
        for body in try Self.bodies() {
            for event in (try? normalizer.events(from: body)) ?? [] {
                seen.formUnion([event.type.rawValue, event.disposition.rawValue, event.certainty.rawValue])
                seen.formUnion([event.entitlement.rawValue, event.source.authenticity.rawValue])
                seen.formUnion([event.occurredAtBasis, event.source.rule].compactMap { $0 })
                seen.formUnion(event.flags.map(\.rawValue))
            }
        }
        #expect(seen.count > 150)
        for word in seen { #expect(Self.explanation.name(word) != nil, "\(word)") }
    }

    /// The bodies of all fixtures of single notifications.
    private static func bodies() throws -> [[UInt8]] {
        try ["Fixtures/v1-to-v2/", "Fixtures/v2-to-event/"].flatMap { table in
            try Command.files(in: table).map { Array(try Command.file(table + $0 + "/input.json").utf8) }
        }
    }
}
