import Testing

@testable import NotificationTranslation

/// What this program writes is never Apple's word when it is read again.
@Suite("Our own output") struct OwnOutputTests {
    /// A JWS that nobody signed; Apple's libraries decode such ones locally.
    static func token(_ payload: String) -> String {
        let parts = [#"{"alg":"ES256","x5c":["MIIB"]}"#, payload, String(repeating: "0", count: 64)]
        return parts.map { StrictBase64.encoded(url: Array($0.utf8)) }.joined(separator: ".")
    }

    static func quoted(_ text: String) -> String {
        let output = OutputBuffer(capacity: 1024)
        output.append(jsonString: text)
        return String(decoding: output.bytes, as: UTF8.self)
    }

    /// A value as DynamoDB writes it.
    private static func typed(_ value: JSONValue) -> String {
        switch value {
        case .object(let members):
            "{\"M\":{" + members.map { quoted($0.key) + ":" + typed($0.value) }.sorted().joined(separator: ",") + "}}"
        case .array(let elements): "{\"L\":[" + elements.map(typed).joined(separator: ",") + "]}"
        case .string(let text): "{\"S\":" + quoted(text) + "}"
        case .number(let text): "{\"N\":\"" + text + "\"}"
        case .bool(let truth): "{\"BOOL\":\(truth)}"
        case .null: "{\"NULL\":true}"
        }
    }

    /// A record in every form in which archives hold one.
    static func envelopes(of json: String) throws -> [(form: String, text: String)] {
        let text = quoted(json)
        let base64 = StrictBase64.encoded(standard: Array(json.utf8))
        let tree = JSONValue(try JSONTree(Array(json.utf8)))
        return [
            ("bare", json), ("body", "{\"id\":7,\"body\":\(json)}"), ("text", "{\"payload\":\(text),\"created_at\":1}"),
            ("data", "{\"data\":\(json)}"), ("data as text", "{\"data\":\(text)}"),
            ("unknown", "{\"x\":{\"y\":\(json)}}"),
            ("unknown text", "{\"x\":\(text)}"), ("text in text", "{\"Message\":\(quoted("{\"a\":\(text)}"))}"),
            ("array", "{\"Records\":[\(json)]}"), ("row", "[1,\"2021-06-01T09:00:00Z\",\(json)]"),
            ("row of a text", "[1,\(text)]"), ("base64", "{\"kinesis\":{\"data\":\"\(base64)\"}}"),
            ("signed payload", "{\"signedPayload\":\"\(token(json))\"}"), ("token", token(json)),
            ("history", "{\"notificationHistory\":[{\"signedPayload\":\"\(token(json))\",\"sendAttempts\":[]}]}"),
            ("token in a column", "{\"raw_signed_payload\":\"\(token(json))\",\"created_at\":1}"),
            ("typed", "{\"Item\":{\"doc\":\(typed(tree))}}"),
            ("cloud event", "{\"specversion\":\"1.0\",\"data\":\(json)}"),
        ]
    }

    /// The forms whose names are signs of a signed payload, whatever is in it.
    static let signedForms = ["signed payload", "history", "token", "token in a column"]

    /// Some of the bodies of the fixtures, as they are written in each shape.
    private static func written(_ shape: EventShape.Kind) throws -> [(source: String, line: String)] {
        let fixtures = Fixture.all(in: "v1-to-v2").enumerated().filter { $0.offset % 12 == 0 }.map(\.element)
        return try fixtures.flatMap { fixture in
            let body = try fixture.bytes("input.json")
            return Conversion(document: body, as: shape).lines.map { (String(decoding: body, as: UTF8.self), $0) }
        }
    }

    private static func translations() throws -> [(source: String, line: String)] {
        try written(.v2).filter { !$0.line.hasPrefix("{\"companion\"") }
    }

    @Test("A translation is rejected in every envelope") func aTranslationIsRejectedInEveryEnvelope() throws {
        // What V2 sends nothing for has no translation.
        let all = try Self.translations()
        #expect(all.count > 5)
        for (_, line) in all {
            for (form, text) in try Self.envelopes(of: line) {
                let again = Conversion(of: text)
                #expect(again.codes == ["record.translated"], "\(form): \(text)")
            }
        }
    }

    @Test("An event in every shape but version 2's is a skip that says what it is, in every envelope")
    func anEventIsASkipInEveryEnvelope() throws {
        for (_, line) in try Self.written(.events) + Self.written(.cloudevents) {
            for (form, text) in try Self.envelopes(of: line) {
                let again = Conversion(of: text)
                // Nobody signs an event; the name of a signed payload is a sign of a notification.
                if Self.signedForms.contains(form) { continue }
                if !["row", "row of a text", "base64"].contains(form) {
                    #expect(again.reasons == [.ownEvent], "\(form): \(text)")
                }
                #expect(again.codes == ["skipped"] && again.signs == 0, "\(form): \(text)")
            }
        }
    }

    @Test("A translation beside its source costs the source nothing")
    func aTranslationBesideItsSource() throws {
        for (source, line) in try Self.translations() {
            let alone = Conversion(of: source).lines
            for (form, text) in try Self.envelopes(of: line) where form.contains("text") || form == "unknown" {
                let inner = text.dropFirst().dropLast()
                guard text.first == "{" else { continue }
                let both = Conversion(of: "{\"source\":\(source),\(inner)}")
                #expect(both.lines == alone, "\(form)")
                #expect(both.codes.filter { $0 != "event" } == ["record.translated"], "\(form)")
            }
        }
    }

    @Test(
        "Every other answer is a skip that says what it is",
        arguments: [
            (
                #"{"error":{"code":"json.syntax","message":"notification_type: \"signedPayload\":\"y\"","line":7}}"#,
                SkipReason.ownError
            ),
            (#"{"companion":{"id":"e1bd3b0c","sourceType":"DID_RENEW"}}"#, .ownCompanion),
            (
                #"{"input":"a","line":1,"offset":0,"length":9,"code":"notification.bad-type","path":"signedPayload"}"#,
                .ownReject
            ),
            (#"{"report_version":"1","rules_version":"1","command":"--envelope \"signedPayload\""}"#, .ownReport),
            (#"{"group":{"key":"signedPayload","lines":2,"settle_at":null}}"#, .ownGroup),
        ])
    func everyOtherAnswerIsASkip(text: String, reason: SkipReason) throws {
        for (form, record) in try Self.envelopes(of: text)
        where !(["row", "row of a text", "base64"] + Self.signedForms).contains(form) {
            let again = Conversion(of: record)
            #expect(again.reasons == [reason] && again.signs == 0, "\(form)")
        }
        // What is beside it keeps its signs.
        let beside = Conversion(of: "{\"answer\":\(text),\"raw\":\"[signedPayload] => x\"}")
        #expect(beside.signs == 1)
    }

    @Test("A body that is kept beside its event is read") func aBodyBesideItsEventIsRead() throws {
        for (source, line) in try Self.written(.events) {
            let both = Conversion(of: "\(line.dropLast()),\"raw_body\":\(Self.quoted(source))}")
            #expect(both.lines == Conversion(of: source).lines)
        }
    }

    @Test("A version 2 payload that is passed on stays Apple's") func aPayloadThatIsPassedOnStaysApples() throws {
        for fixture in Fixture.all(in: "v2-to-event").enumerated().filter({ $0.offset % 10 == 0 }).map(\.element) {
            let body = try fixture.bytes("input.json")
            let first = Conversion(document: body)
            for line in Conversion(document: body, as: .v2).lines {
                #expect(!line.contains("\"sourceVersion\""))
                #expect(Conversion(of: line).codes == first.codes)
            }
        }
    }
}

/// A secret that somebody masked is an absent one.
@Suite("Masked secrets") struct MaskedSecretTests {
    @Test(
        "A masked secret is absent, and a wrong one is wrong",
        arguments: [
            "[FILTERED]", "***", "", "REDACTED", "xxxxxxxxxxxxxxxx", "••••", "0123************************cdef",
        ])
    func aMaskedSecretIsAbsent(mask: String) throws {
        let secrets = try SharedSecrets(["0123456789abcdef0123456789abcdef"])
        let body = { (secret: String) in
            Array(#"{"notification_type":"CANCEL","bid":"com.example.news","password":"\#(secret)"}"#.utf8)
        }
        let lenient = TrustPolicy.sharedSecrets(secrets, expecting: .any).trustingTheSourceWhereUnproven()
        #expect(Conversion(document: body(mask), policy: lenient).codes == ["event"])
        let strict = TrustPolicy.sharedSecrets(secrets, expecting: .any)
        #expect(Conversion(document: body(mask), policy: strict).codes == ["trust.secret-missing"])
        #expect(Conversion(document: body("wrong"), policy: lenient).codes == ["trust.secret-mismatch"])
    }
}
