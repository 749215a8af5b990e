import Testing

@testable import NotificationTranslation

/// A change to a table that makes it wrong, and what the loader has to say of it.
struct Mutation: Sendable, CustomTestStringConvertible {
    var old: String
    var new: String
    var message: String

    init(_ old: String, _ new: String, _ message: String) { (self.old, self.new, self.message) = (old, new, message) }

    var testDescription: String { message }

    /// The table with the change made, once, where `old` stands first.
    func table(_ file: String = "v1-to-v2.json") throws -> [UInt8] {
        let text = String(decoding: try Fixture.mapping(file), as: UTF8.self)
        try #require(text.contains(old), "the table no longer holds what is replaced for \"\(message)\"")
        return Array(text.replacing(old, with: new, maxReplacements: 1).utf8)
    }

    private static let family = #""id":"initial-buy-family","when":{"ownership":"family"}"#
    private static let last = #"{"id":"initial-buy","when":{},"#

    static let rules = [
        Mutation(last, last + #""note":"","#, #"initial-buy: unknown key "note""#),
        Mutation(
            family, family.replacing("ownership", with: "owner"),
            #"initial-buy-family: no such fact "owner""#
        ),
        Mutation(
            family, family.replacing(#":"family""#, with: #":"neighbour""#),
            #"initial-buy-family: ownership is never "neighbour""#
        ),
        Mutation(
            family, family.replacing(#":"family""#, with: ":[]"),
            "initial-buy-family: ownership names no value"
        ),
        Mutation(family, #""id":"initial-buy-family","when":[]"#, #"initial-buy-family: "when" is not an object"#),
        Mutation(
            #""flags":["DOC_CONTRADICTION"]"#, #""flags":["DOC_CONTRADICTIONS"]"#,
            #"initial-buy-family: no such flag "DOC_CONTRADICTIONS""#),
        Mutation(
            #""flags":["DOC_CONTRADICTION"]"#, #""flags":"DOC_CONTRADICTION""#,
            #"initial-buy-family: "flags" is not an array"#),
        Mutation(
            #"{"pair":"SUBSCRIBED/INITIAL_BUY"}"#, #"{"pair":"SUBSCRIBED/FIRST_BUY"}"#,
            #"initial-buy-family: no such pair "SUBSCRIBED/FIRST_BUY""#),
        Mutation(
            #""candidates":["SUBSCRIBED/RESUBSCRIBE"]"#, #""candidates":["SUBSCRIBED/AGAIN"]"#,
            #"initial-buy-family: no such pair "SUBSCRIBED/AGAIN""#),
        Mutation(
            #""then":{"pair":"SUBSCRIBED/INITIAL_BUY"}"#, #""then":{"companion":false}"#,
            #"initial-buy-family: "then" is neither a pair nor a companion"#),
        Mutation(
            #""then":{"pair":"SUBSCRIBED/INITIAL_BUY"}"#, #""then":{"pair":"SUBSCRIBED/INITIAL_BUY","companion":true}"#,
            #"initial-buy-family: "then" is neither a pair nor a companion"#),
        Mutation(#""certainty":"inferred""#, #""certainty":"likely""#, "initial-buy-begun-by-other: no such certainty"),
        Mutation(
            #""certainty":"inferred""#, #""certainty":"unknown""#, "initial-buy-begun-by-other: no such certainty"),
        Mutation(
            #""id":"initial-buy-after-older""#, #""id":"initial-buy-family""#,
            "initial-buy-family: the id is used twice"),
        Mutation(#""id":"subject-uncertain""#, #""id":"initial-buy""#, "initial-buy: the id is used twice"),
        Mutation(
            #""id":"initial-buy-family""#, #""id":"initialBuyFamily""#, "initialBuyFamily: the id is not in kebab-case"),
        Mutation(
            #""id":"initial-buy-after-older","when":{"gap":["#,
            #""id":"initial-buy-after-older","when":{"ownership":"family","gap":["#,
            "initial-buy-after-older: can never match: initial-buy-family comes first and matches all that this rule matches"
        ),
        Mutation(
            last, #"{"id":"initial-buy","when":{"history":"rows"},"#,
            "INITIAL_BUY: the last rule of a type must have no conditions"),
        Mutation(
            #""certainty":"inferred""#, #""certainty":"exact""#,
            "initial-buy-begun-by-other: an exact rule must not have candidates"),
        Mutation(
            #""source":"V2 changelog 2024-01-23: first purchases with an offer are SUBSCRIBED; until then OFFER_REDEEMED.""#,
            #""source":"""#, "initial-buy-offer-code: no source"),
        Mutation(
            #","source":"V2 changelog 2024-01-23: first purchases with an offer are SUBSCRIBED; until then OFFER_REDEEMED.""#,
            "", #"initial-buy-offer-code: "source" is missing"#),
    ]

    static let rest = [
        Mutation(#""version":"#, #""revision":1,"version":"#, #"unknown key "revision""#),
        Mutation(
            #""answer":"none""#, #""answer":"some""#, "interactive-family-first: \"answer\" can only be \"none\""),
        Mutation(#""type":"REVOKE""#, #""type":"REFUND""#, "REFUND: the name is used twice"),
        Mutation(#""aliases":["RENEWAL (DEPRECATED)"]"#, #""aliases":["CANCEL"]"#, "CANCEL: the name is used twice"),
        Mutation(#""time":"purchase""#, #""time":"dawn""#, "INITIAL_BUY: no such time"),
        Mutation(
            #""since":{"environment":["production","unknown"],"#, #""since":{"environment":["nowhere"],"#,
            #"DID_RECOVER: environment is never "nowhere""#),
        Mutation(#""subject":"subscription""#, #""subject":"person""#, "INITIAL_BUY: no such subject"),
        Mutation(#""transaction":"first""#, #""transaction":"last""#, "INITIAL_BUY: no such transaction"),
        Mutation(
            #""types":["INITIAL_BUY"],"when":{"history""#, #""types":["FIRST_BUY"],"when":{"history""#,
            #"initial-buy-single: no such type "FIRST_BUY""#),
        Mutation(#""atMost":"inferred""#, #""atMost":"likely""#, "purchase-begun-otherwise: no such certainty"),
        Mutation(#"{"fact":"subject""#, #"{"fact":"topic""#, "topic: no such fact"),
        Mutation(
            #"{"fact":"readable","values":["yes","no"],"meaning":"Whether every field that was there could be read."},"#,
            "", "readable: the fact is not explained"),
        Mutation(
            #""PURCHASED":"purchased""#, #""PURCHASED":"bought""#,
            #"ownership: code "PURCHASED" means "bought", which is not a value of this fact"#),
        Mutation(
            #"{"fact":"readable","values":["yes","no"]"#, #"{"fact":"capped","values":["yes","no"]"#,
            "capped: the fact is listed twice"),
    ]

    /// What neighbours are to each other, in the same table.
    static let neighbours = [
        Mutation(
            #""types":["DID_RECOVER"]"#, #""types":["DID_RETURN"]"#, #"partnerRecovery: no such type "DID_RETURN""#),
        Mutation(#""when":{},"by":"instant""#, #""when":{},"by":"chance""#, "partnerCancel: no such bond"),
        Mutation(
            #""flag":"LEGACY_TWIN","pairs""#, #""flag":"OLD_TWIN","pairs""#, #"OLD_TWIN: no such flag "OLD_TWIN""#),
        Mutation(#""role":"asks""#, #""role":"begs""#, "begs: no such role"),
        Mutation(
            #""pairs":["REFUND/"],"once":false"#, #""pairs":["REFUND/"],"once":"perhaps""#,
            #"refunds: "once" is neither true nor false"#),
        Mutation(
            #""role":"asks","pairs":["PRICE_INCREASE/PENDING"]"#, #""role":"asks","pairs":["REFUND/"]"#,
            "asks: a pair has two roles"),
    ]

    /// Changes to `silent-events.json`.
    static let silentEvents = [
        Mutation(#""fact":"gaveUp""#, #""fact":"leftOff""#, "leftOff: no such fact"),
        Mutation(#""status":"off-after""#, #""status":"gone""#, #"silent-end-off-after: status is never "gone""#),
        Mutation(#""told":"yes""#, #""heard":"yes""#, #"silent-told: no such fact "heard""#),
        Mutation(
            #""then":"RENEWAL_EXTENDED/""#, #""then":"RENEWAL_STRETCHED/""#,
            #"silent-extended: no such pair "RENEWAL_STRETCHED/""#),
        Mutation(#""time":"retry-end""#, #""time":"some-day""#, "silent-end-lost: no such time"),
        Mutation(#""id":"silent-refund","#, #""id":"silent-revoked","#, "silent-revoked: the id is used twice"),
        Mutation(
            #""when":{"version2":"yes","observation":"period-end""#,
            #""when":{"version2":"yes","told":"yes","observation":"period-end""#,
            "silent-version-2: can never match: silent-told comes first and matches all that this rule matches"),
        Mutation(#""source":"A notification reported it already.""#, #""source":"""#, "silent-told: no source"),
        Mutation(#""id":"state-period-missing""#, #""id":"state-period-after""#, "state-period-after: no such id"),
        Mutation(#""id":"state-period-missing""#, #""id":"state-retry-given-up""#, "state-retry-given-up: used twice"),
    ]
}
