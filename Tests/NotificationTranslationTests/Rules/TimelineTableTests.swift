import Testing

@testable import NotificationTranslation

@Suite("The tables of timelines")
struct TimelineTableTests {
    /// One slip in a table, and what is said of it.
    struct Slip: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var old: String
        var new: String
        var message: String

        init(_ name: String, _ old: String, _ new: String, _ message: String) {
            (testDescription, self.old, self.new, self.message) = (name, old, new, message)
        }

        func applied(to file: String) throws -> [UInt8] {
            let text = String(decoding: try Fixture.mapping(file), as: UTF8.self)
            let place = try #require(text.firstRange(of: old), "the table no longer holds \(old)")
            return Array(text.replacingCharacters(in: place, with: new).utf8)
        }
    }

    @Test(
        "A damaged table of silent events is refused with the row and the reason",
        arguments: [
            Slip(
                "a fact of another name", #""fact":"gaveUp""#, #""fact":"leftOff""#,
                "leftOff: no such fact"),
            Slip(
                "values in another order", #"["first","overlap","boundary","near","lapse","unseen"]"#,
                #"["overlap","first","boundary","near","lapse","unseen"]"#,
                #"follows: its values are ["first", "overlap", "boundary", "near", "lapse", "unseen"]"#),
            Slip(
                "a value that a fact never has", #""status":"off-after""#, #""status":"gone""#,
                #"silent-end-off-after: status is never "gone""#),
            Slip("a condition on no fact", #""told":"yes""#, #""heard":"yes""#, #"silent-told: no such fact "heard""#),
            Slip(
                "a pair of nobody", #""then":"RENEWAL_EXTENDED/""#, #""then":"RENEWAL_STRETCHED/""#,
                #"silent-extended: no such pair "RENEWAL_STRETCHED/""#),
            Slip(
                "a time of nobody", #""time":"retry-end""#, #""time":"some-day""#, "silent-end-lost: no such time"),
            Slip(
                "an id twice", #""id":"silent-refund","#, #""id":"silent-revoked","#,
                "silent-revoked: the id is used twice"),
            Slip(
                "a rule that can never decide", #""when":{"version2":"yes","observation":"period-end""#,
                #""when":{"version2":"yes","told":"yes","observation":"period-end""#,
                "silent-version-2: can never match: silent-told comes first and matches all that this rule matches"),
            Slip(
                "a rule without a source", #""source":"A notification reported it already.""#, #""source":"""#,
                "silent-told: no source"),
        ])
    func refusesSilent(_ slip: Slip) throws {
        let bytes = try slip.applied(to: "silent-events.json")
        let error = #expect(throws: TableError.self) {
            try SilentTable(bytes)
        }
        #expect(error?.description == "silent-events.json: " + slip.message)
    }

    @Test("Silent events say with a flag why more than one pair is possible")
    func silentRulesExplain() {
        let ambiguous = SilentTable.current.rules.filter { !$0.candidates.isEmpty }
        #expect(!ambiguous.isEmpty)
        let unexplained = ambiguous.filter { rule in
            !rule.flags.numbers.contains { FlagTable.current.rows[$0].severity == "ambiguous" }
        }
        #expect(unexplained.map(\.id) == [])
    }

    @Test(
        "A damaged table of neighbours is refused with the row and the reason",
        arguments: [
            Slip(
                "a partner of nobody", #""types":["DID_RECOVER"]"#, #""types":["DID_RETURN"]"#,
                #"partnerRecovery: no such type "DID_RETURN""#),
            Slip(
                "a bond of nobody", #""when":{},"by":"instant""#, #""when":{},"by":"chance""#,
                "partnerCancel: no such bond"),
            Slip(
                "a leader by no flag", #""flag":"LEGACY_TWIN","pairs""#, #""flag":"OLD_TWIN","pairs""#,
                #"OLD_TWIN: no such flag "OLD_TWIN""#),
            Slip("a role of nobody", #""role":"asks""#, #""role":"begs""#, "begs: no such role"),
            Slip(
                "a role that may happen once", #""pairs":["REFUND/"],"once":false"#,
                #""pairs":["REFUND/"],"once":"perhaps""#, #"refunds: "once" is neither true nor false"#),
            Slip(
                "a pair with two roles", #""role":"asks","pairs":["PRICE_INCREASE/PENDING"]"#,
                #""role":"asks","pairs":["REFUND/"]"#, "asks: a pair has two roles"),
        ])
    func refusesNeighbours(_ slip: Slip) throws {
        let bytes = try slip.applied(to: "v1-to-v2.json")
        let error = #expect(throws: TableError.self) {
            try DecisionTable(bytes)
        }
        #expect(error?.description == "v1-to-v2.json: " + slip.message)
    }
}

extension String {
    /// The text with a part of it replaced.
    fileprivate func replacingCharacters(in range: Range<Index>, with other: String) -> String {
        String(self[..<range.lowerBound]) + other + String(self[range.upperBound...])
    }
}
