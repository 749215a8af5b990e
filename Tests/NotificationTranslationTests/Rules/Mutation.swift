import Testing

@testable import NotificationTranslation

/// A change to `v1-to-v2.json` that makes it wrong, and what the loader has to say of it.
struct Mutation: Sendable, CustomTestStringConvertible {
    var what: String
    var old: String
    var new: String
    var message: String

    init(_ what: String, _ old: String, _ new: String, _ message: String) {
        self.what = what
        self.old = old
        self.new = new
        self.message = message
    }

    var testDescription: String { what }

    /// The table with the change made, once, where `old` stands first.
    func table() throws -> [UInt8] {
        let text = String(decoding: try Fixture.mapping("v1-to-v2.json"), as: UTF8.self)
        try #require(text.contains(old), "the table no longer holds what \"\(what)\" replaces")
        return Array(text.replacing(old, with: new, maxReplacements: 1).utf8)
    }

    private static let family = #""id":"initial-buy-family","when":{"ownership":"family"}"#
    private static let last = #"{"id":"initial-buy","when":{},"#

    static let rules = [
        Mutation("an unknown key", last, last + #""note":"","#, #"initial-buy: unknown key "note""#),
        Mutation(
            "an unknown fact",
            family,
            family.replacing("ownership", with: "owner"),
            #"initial-buy-family: no such fact "owner""#
        ),
        Mutation(
            "an unknown value",
            family,
            family.replacing(#":"family""#, with: #":"neighbour""#),
            #"initial-buy-family: ownership is never "neighbour""#
        ),
        Mutation(
            "no value at all",
            family,
            family.replacing(#":"family""#, with: ":[]"),
            "initial-buy-family: ownership names no value"
        ),
        Mutation(
            "conditions that are no object",
            family,
            #""id":"initial-buy-family","when":[]"#,
            #"initial-buy-family: "when" is not an object"#
        ),
        Mutation(
            "an unknown flag",
            #""flags":["DOC_CONTRADICTION"]"#,
            #""flags":["DOC_CONTRADICTIONS"]"#,
            #"initial-buy-family: no such flag "DOC_CONTRADICTIONS""#
        ),
        Mutation(
            "flags that are no list",
            #""flags":["DOC_CONTRADICTION"]"#,
            #""flags":"DOC_CONTRADICTION""#,
            #"initial-buy-family: "flags" is not an array"#
        ),
        Mutation(
            "an unknown pair",
            #"{"pair":"SUBSCRIBED/INITIAL_BUY"}"#,
            #"{"pair":"SUBSCRIBED/FIRST_BUY"}"#,
            #"initial-buy-family: no such pair "SUBSCRIBED/FIRST_BUY""#
        ),
        Mutation(
            "an unknown pair among the candidates",
            #""candidates":["SUBSCRIBED/RESUBSCRIBE"]"#,
            #""candidates":["SUBSCRIBED/AGAIN"]"#,
            #"initial-buy-family: no such pair "SUBSCRIBED/AGAIN""#
        ),
        Mutation(
            "neither a pair nor a companion",
            #""then":{"pair":"SUBSCRIBED/INITIAL_BUY"}"#,
            #""then":{"companion":false}"#,
            #"initial-buy-family: "then" is neither a pair nor a companion"#
        ),
        Mutation(
            "a pair and a companion",
            #""then":{"pair":"SUBSCRIBED/INITIAL_BUY"}"#,
            #""then":{"pair":"SUBSCRIBED/INITIAL_BUY","companion":true}"#,
            #"initial-buy-family: "then" is neither a pair nor a companion"#
        ),
        Mutation(
            "an unknown certainty",
            #""certainty":"inferred""#,
            #""certainty":"likely""#,
            "initial-buy-begun-by-other: no such certainty"
        ),
        Mutation(
            "a certainty that only unknown types have",
            #""certainty":"inferred""#,
            #""certainty":"unknown""#,
            "initial-buy-begun-by-other: no such certainty"
        ),
        Mutation(
            "an id used twice",
            #""id":"initial-buy-after-older""#,
            #""id":"initial-buy-family""#,
            "initial-buy-family: the id is used twice"
        ),
        Mutation(
            "an id of an adjustment used by a rule",
            #""id":"subject-uncertain""#,
            #""id":"initial-buy""#,
            "initial-buy: the id is used twice"
        ),
        Mutation(
            "an id that is not in kebab-case",
            #""id":"initial-buy-family""#,
            #""id":"initialBuyFamily""#,
            "initialBuyFamily: the id is not in kebab-case"
        ),
        Mutation(
            "a rule that an earlier one leaves nothing for",
            #""id":"initial-buy-after-older","when":{"gap":["#,
            #""id":"initial-buy-after-older","when":{"ownership":"family","gap":["#,
            "initial-buy-after-older: can never match: initial-buy-family comes first and matches all that this rule matches"
        ),
        Mutation(
            "a type whose last rule has conditions",
            last,
            #"{"id":"initial-buy","when":{"history":"rows"},"#,
            "INITIAL_BUY: the last rule of a type must have no conditions"
        ),
        Mutation(
            "an exact rule with candidates",
            #""certainty":"inferred""#,
            #""certainty":"exact""#,
            "initial-buy-begun-by-other: an exact rule must not have candidates"
        ),
        Mutation(
            "no source",
            #""source":"V2 changelog 2024-01-23: first purchases with an offer are SUBSCRIBED; until then OFFER_REDEEMED.""#,
            #""source":"""#,
            "initial-buy-offer-code: no source"
        ),
        Mutation(
            "the source left out",
            #","source":"V2 changelog 2024-01-23: first purchases with an offer are SUBSCRIBED; until then OFFER_REDEEMED.""#,
            "",
            #"initial-buy-offer-code: "source" is missing"#
        ),
    ]

    static let rest = [
        Mutation("an unknown key at the top", #""version":"#, #""revision":1,"version":"#, #"unknown key "revision""#),
        Mutation("a type listed twice", #""type":"REVOKE""#, #""type":"REFUND""#, "REFUND: the name is used twice"),
        Mutation(
            "an alias that is a type",
            #""aliases":["RENEWAL (DEPRECATED)"]"#,
            #""aliases":["CANCEL"]"#,
            "CANCEL: the name is used twice"
        ),
        Mutation("an unknown time", #""time":"purchase""#, #""time":"dawn""#, "INITIAL_BUY: no such time"),
        Mutation(
            "a bound that is no condition", #""since":{"environment":["production","unknown"],"#,
            #""since":{"environment":["nowhere"],"#, #"DID_RECOVER: environment is never "nowhere""#),
        Mutation(
            "an unknown subject",
            #""subject":"subscription""#,
            #""subject":"person""#,
            "INITIAL_BUY: no such subject"
        ),
        Mutation(
            "an unknown transaction",
            #""transaction":"first""#,
            #""transaction":"last""#,
            "INITIAL_BUY: no such transaction"
        ),
        Mutation(
            "an adjustment of an unknown type",
            #""types":["INITIAL_BUY"],"when":{"history""#,
            #""types":["FIRST_BUY"],"when":{"history""#,
            #"initial-buy-single: no such type "FIRST_BUY""#
        ),
        Mutation(
            "an adjustment to an unknown certainty",
            #""atMost":"inferred""#,
            #""atMost":"likely""#,
            "purchase-begun-otherwise: no such certainty"
        ),
        Mutation("a fact that is not computed", #"{"fact":"subject""#, #"{"fact":"topic""#, "topic: no such fact"),
        Mutation(
            "a fact with other values",
            #""values":["certain","uncertain"]"#,
            #""values":["certain"]"#,
            #"subject: its values are ["certain", "uncertain"]"#
        ),
        Mutation(
            "a fact that is not explained",
            #"{"fact":"readable","values":["yes","no"],"meaning":"Whether every field that was there could be read."},"#,
            "",
            "readable: the fact is not explained"
        ),
        Mutation(
            "a code of no value", #""PURCHASED":"purchased""#, #""PURCHASED":"bought""#,
            #"ownership: code "PURCHASED" means "bought", which is not a value of this fact"#),
        Mutation(
            "a fact explained twice",
            #"{"fact":"readable","values":["yes","no"]"#,
            #"{"fact":"capped","values":["yes","no"]"#,
            "capped: the fact is listed twice"
        ),
    ]
}
