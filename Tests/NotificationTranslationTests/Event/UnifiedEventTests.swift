import Testing

@testable import NotificationArchives
@testable import NotificationTranslation

@Suite("The event")
struct UnifiedEventTests {
    static let keys = [
        "schema_version", "id", "type", "disposition", "occurred_at", "occurred_at_ms", "occurred_at_basis",
        "environment", "bundle_id", "bundle_version", "app_apple_id", "entitlement", "access_until",
        "subscription_status", "v2", "certainty", "candidates", "flags", "companion_of", "derived_from", "transaction",
        "renewal", "details", "source",
    ]

    static let bodies: [String] = [
        EventIDTests.body,
        #"{"notification_type":"DID_RENEW","environment":"PROD","bid":"com.example.app"}"#,
        #"{"notification_type":"FUTURE_TYPE","environment":"Sandbox"}"#,
        #"{"notification_type":"REFUND","environment":"PROD","bid":"com.example.app","product_id":"a\/b\n\"\u00e9\ud83d\ude00\u0001"}"#,
        #"{"notificationType":"TEST","notificationUUID":"n-1","data":{"appAppleId":1,"bundleId":"b","environment":"Sandbox"},"signedDate":1700000000000}"#,
    ]

    @Test("An event has every key of the contract in its order, whatever the body", arguments: bodies)
    func keysInOrder(_ body: String) throws {
        let line = try trusting.event(from: body.utf8).line()
        let keys = try JSONTree(line).keys
        #expect(keys == Self.keys)
    }

    @Test("An event decodes from its line, gives it back, and is the same JSON from JSONEncoder", arguments: bodies)
    func roundTrip(_ body: String) throws {
        let event = try trusting.event(from: body.utf8)
        let line = event.line()
        let decoded = try JSONDecoder().decode(UnifiedEvent.self, from: Data(line))
        #expect(decoded == event)
        let again = decoded.line()
        #expect(String(decoding: again, as: UTF8.self) == String(decoding: line, as: UTF8.self))
        let encoded = try JSONValue(JSONTree([UInt8](JSONEncoder().encode(event))))
        let written = try JSONValue(JSONTree(line))
        #expect(encoded == written)
    }

    @Test("An event is read from a line whose keys a database sorted, and from no other JSON", arguments: bodies)
    func sortedKeys(_ body: String) throws {
        let event = try trusting.event(from: body.utf8)
        let sorted = try JSONValue(JSONTree(event.line())).bytes
        let read = try UnifiedEvent(line: sorted)
        #expect(read == event)
        let others = [
            "{}", "[]", "7", String(decoding: sorted.dropLast(), as: UTF8.self),
            String(decoding: sorted, as: UTF8.self).replacing("\"source\":{", with: "\"source\":[{"),
            String(decoding: sorted, as: UTF8.self).replacing("\"disposition\"", with: "\"position\""),
        ]
        for other in others {
            #expect(throws: NotificationError.self, "\(other)") { try UnifiedEvent(line: Array(other.utf8)) }
        }
    }

    @Test("An event has the key of a receipt only where receipts are verified, and gives it back")
    func receipts() throws {
        var event = try trusting.event(from: Self.bodies[0].utf8)
        #expect(event.source.receipt == nil && !event.source.isReceiptRequested)
        var proof = UnifiedEvent.ReceiptProof()
        proof.createdAt = EventTime(milliseconds: 1_700_000_000_000)
        proof.covers = .some
        var refused = UnifiedEvent.ReceiptProof()
        refused.code = "receipt.bad-signature"
        let expected: [(Bool, UnifiedEvent.ReceiptProof?, String)] = [
            (false, nil, "\"offset\":null}}"), (true, nil, "\"offset\":null,\"receipt\":null}}"),
            (
                true, proof,
                #","receipt":{"created_at":"2023-11-14T22:13:20.000Z","covers":"some","code":null}}}"#
            ),
            (true, refused, #","receipt":{"created_at":null,"covers":"none","code":"receipt.bad-signature"}}}"#),
        ]
        for (isRequested, receipt, end) in expected {
            event.source.isReceiptRequested = isRequested
            event.source.receipt = receipt
            let line = event.line()
            #expect(String(decoding: line, as: UTF8.self).hasSuffix(end))
            let decoded = try JSONDecoder().decode(UnifiedEvent.self, from: Data(line))
            #expect(decoded == event)
            #expect(decoded.line() == line)
            #expect(try JSONValue(JSONTree([UInt8](JSONEncoder().encode(event)))) == JSONValue(JSONTree(line)))
        }
    }

    @Test("An event is the same from bytes and from an archive's line", arguments: bodies)
    func sameWay(_ body: String) throws {
        var expected = try trusting.event(from: body.utf8)
        expected.source.input = "in \"quotes\".ndjson"
        expected.source.line = 1
        expected.source.offset = 7
        let lines = Conversion(lines: Array(body.utf8), of: "in \"quotes\".ndjson", from: 7).lines
        #expect(lines == [String(decoding: expected.line(), as: UTF8.self)])
    }

    @Test("An event of a body of sixty bytes has a rule and no transaction", arguments: V1NotificationType.allInTable)
    func bare(_ type: String) throws {
        let body = #"{"notification_type":"\#(type)","environment":"PROD","bid":"com.example"}"#
        let event = try trusting.event(from: body.utf8)
        #expect(event.source.rule != nil)
        #expect(event.transaction == nil)
        #expect(event.environment == .production)
        #expect(event.occurredAt == nil)
        #expect(event.flags.contains(AmbiguityFlag(rawValue: "IDENTITY_WEAK")))
    }

    @Test("An event of a type nobody knows passes through as unmapped")
    func unmapped() throws {
        let event = try trusting.event(from: Self.bodies[2].utf8)
        #expect(event.disposition == .unmapped)
        #expect(event.certainty == .unknown)
        #expect(event.type == .unknown)
        #expect(event.source.type == "FUTURE_TYPE")
        #expect(
            event.flags.map(\.rawValue)
                == ["UNKNOWN_V1_TYPE", "IDENTITY_WEAK"].sorted { a, b in
                    FlagTable.current.number(a) ?? 0 < FlagTable.current.number(b) ?? 0
                })
    }
}

extension V1NotificationType {
    static let allInTable = DecisionTable.current.types.flatMap { [$0.type] + $0.aliases }
}
