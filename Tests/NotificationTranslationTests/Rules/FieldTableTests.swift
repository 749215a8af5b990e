import Testing

@testable import NotificationTranslation

/// Every row of `fields.json` is tried: a value is put into the V1 field and looked for in V2 and in the event.
@Suite("The table of fields")
struct FieldTableTests {
    /// A text for the V1 field, and what has to come out of it.
    private typealias Trial = (value: String, inEvent: String, inV2: String)

    /// The same in the event and in V2.
    private static func same(_ value: String, _ both: String) -> Trial { (value, both, both) }

    /// Rows that carry a value over.
    private static let carried = FieldTable.fields.filter {
        !["rule-outcome", "secret-check", "drop"].contains($0.conversion) && ($0.event ?? $0.v2) != nil
    }

    /// What to put into a field, and what it becomes; two trials of different values.
    private static func trials(_ field: FieldTable.Field) throws -> [Trial] {
        switch field.conversion {
        case "copy":
            // A V1 type stays as it is only where it is one; any other text may stand anywhere else.
            if field.v1 == "notification_type" { return [same("\"DID_RENEW\"", "\"DID_RENEW\"")] }
            // V2 has only tokens that are UUIDs.
            if field.event == "transaction.app_account_token" {
                let token = "\"7e3fb20b-4cdb-47cc-936d-99d65f608138\""
                return [same(token, token)]
            }
            return [same("\"one.two\"", "\"one.two\""), same("\"zwei\"", "\"zwei\"")]
        case "environment-name":
            return [
                same("\"PROD\"", "\"Production\""), same("\"Sandbox\"", "\"Sandbox\""),
                same("\"Production\"", "\"Production\""), same("\"Xcode\"", "\"Xcode\""),
            ]
        case "identifier-to-string":
            return [
                same("\"700000000000077\"", "\"700000000000077\""),
                same("700000000000078", "\"700000000000078\""),
            ]
        case "digits-to-number":
            if field.event == "app_apple_id" {
                return [("\"1234567890\"", "\"1234567890\"", "1234567890")]
            }
            // Two values each, so that it shows which of two fields leads; 0 is absent where a code begins at 1.
            return [same("\"2\"", "2"), same("1", "1")]
        case "milliseconds-string-to-number", "event-time":
            return [
                ("\"1615280400000\"", "\"2021-03-09T09:00:00.000Z\"", "1615280400000"),
                ("1615194000123", "\"2021-03-08T09:00:00.123Z\"", "1615194000123"),
            ]
        case "flag-to-boolean":
            let isTrue = [
                same("\"1\"", "true"), same("\"true\"", "true"), same("true", "true"),
                same("1", "true"),
            ]
            // A list says false by not saying true, so that false shows nothing.
            if field.event == "transaction.is_upgraded" { return isTrue }
            return isTrue + [same("\"false\"", "false"), same("0", "false")]
        case "flag-to-zero-or-one":
            return [
                same("\"1\"", "1"), same("\"true\"", "1"), same("true", "1"),
                same("\"0\"", "0"), same("\"false\"", "0"),
            ]
        case "true-to-constant", "presence-to-constant":
            let constant = try #require(field.constant)
            let written = Int(constant) == nil ? "\"\(constant)\"" : constant
            return [same(field.conversion == "true-to-constant" ? "\"true\"" : "\"summer\"", written)]
        default:
            Issue.record("a conversion that no test knows: \(field.conversion)")
            return []
        }
    }

    /// The V1 type whose event shows the field, and what else the body has to say for that.
    private static func surroundings(_ field: FieldTable.Field) -> (type: String, others: [(SourceField, String?)]) {
        if field.event == "occurred_at" {
            let type =
                field.v1.hasPrefix("auto_renew")
                ? "DID_CHANGE_RENEWAL_STATUS"
                : field.v1.hasSuffix("cancellation_date_ms") ? "CANCEL" : "INITIAL_BUY"
            return (type, [])
        }
        // At the top level, both name the row that a CANCEL of up to March 2021 is about.
        if field.v1 == "cancellation_date_ms" {
            let named = "\"700000000000009\""
            return (
                "CANCEL",
                [
                    (SourceField("web_order_line_item_id"), named),
                    (SourceField("unified_receipt.latest_receipt_info[].web_order_line_item_id"), named),
                ]
            )
        }
        if field.v1 == "web_order_line_item_id" {
            let row = [
                "transaction_id", "original_transaction_id", "product_id", "purchase_date_ms", "expires_date_ms",
            ]
            return ("CANCEL", row.map { (SourceField("unified_receipt.latest_receipt_info[]." + $0), nil) })
        }
        // Renewal information is there whatever the entry of the other id says.
        return ("DID_RENEW", field.event == nil ? [(SourceField("auto_renew_status"), "\"true\"")] : [])
    }

    /// What the event, or the V2 shape, says at a path; `nil` where it says nothing.
    private static func value(_ path: String, _ body: [UInt8], as shape: EventShape.Kind) throws -> String? {
        var tree: JSONTree? = try Conversion(document: body, as: shape).event
        for key in path.split(separator: ".") { tree = tree?[String(key)] }
        guard let tree, tree.kind != .null else { return nil }
        return tree.kind == .string ? "\"\(tree.characters)\"" : tree.characters
    }

    @Test("Every V1 field appears where its row says", arguments: carried)
    func comesOut(_ field: FieldTable.Field) throws {
        let source = SourceField(field.v1)
        let (type, others) = Self.surroundings(field)
        let without = SourceField.body(type: type, others + [(source, nil)])
        for trial in try Self.trials(field) {
            let body = SourceField.body(type: type, others + [(source, trial.value)])
            if let path = field.event {
                let (with, before) = (
                    try Self.value(path, body, as: .events),
                    field.v1 == "notification_type" ? nil : try Self.value(path, without, as: .events)
                )
                #expect(with == trial.inEvent, "\(field.v1) → \(path)")
                #expect(before != trial.inEvent, "\(field.v1) is not what fills \(path)")
            }
            if let path = field.v2 {
                let with = try Self.value(path, body, as: .v2)
                #expect(with == trial.inV2, "\(field.v1) → \(path)")
            }
        }
    }

    /// Rows that become a field of the event, without those of `occurred_at`.
    ///
    /// Which date becomes `occurred_at` depends on the type of the notification and not on the order of the rows.
    private static let ranked = carried.filter { $0.event != nil && $0.event != "occurred_at" }

    @Test("Of several fields that become one, the first that has a value leads", arguments: ranked)
    func leads(_ field: FieldTable.Field) throws {
        let path = try #require(field.event)
        let (type, others) = Self.surroundings(field)
        let source = SourceField(field.v1)
        let value = try #require(try Self.trials(field).last)
        let index = try #require(Self.carried.firstIndex(of: field))
        for other in Self.carried[(index + 1)...] where other.event == path && other.v1 != field.v1 {
            let second = SourceField(other.v1)
            // A body has one transaction object, of this era or that.
            guard (second.place == .single) == (source.place == .single) || second.place == .top else { continue }
            for trial in try Self.trials(other) where trial.inEvent != value.inEvent {
                let body = SourceField.body(
                    type: type, others + [(source, value.value), (second, trial.value)])
                let answer = try Self.value(path, body, as: .events)
                #expect(answer == value.inEvent, "\(field.v1) before \(other.v1)")
            }
        }
    }

    @Test(
        "A time is read from its other forms where milliseconds are missing",
        arguments: carried.filter { $0.conversion == "milliseconds-string-to-number" })
    func otherForms(_ field: FieldTable.Field) throws {
        let path = try #require(field.event)
        let (type, others) = Self.surroundings(field)
        let forms =
            field.v1.hasSuffix("_ms")
            ? (String(field.v1.dropLast(3)), String(field.v1.dropLast(3)) + "_pst")
            : (field.v1 + "_formatted", field.v1 + "_formatted_pst")
        let times = [
            (forms.0, "\"2021-03-09 09:00:00 Etc/GMT\""), (forms.1, "\"2021-03-09 01:00:00 America/Los_Angeles\""),
        ]
        for (name, value) in times {
            let body = SourceField.body(
                type: type, others + [(SourceField(field.v1), nil), (SourceField(name), value)])
            let answer = try Self.value(path, body, as: .events)
            #expect(answer == "\"2021-03-09T09:00:00.000Z\"", "\(name)")
        }
    }

    @Test("What the rules decide and what is secret is named as such")
    func others() throws {
        let others = FieldTable.fields.filter { !Self.carried.contains($0) && $0.conversion != "drop" }
        let names = others.map { "\($0.v1) \($0.v2 ?? "-") \($0.event ?? "-")" }
        #expect(
            names == [
                "notification_type notificationType v2.type", "notification_type subtype v2.subtype",
                "password - source.authenticity",
            ])
        let refund = SourceField.body(type: "CANCEL", [(SourceField("cancellation_date_ms"), nil)])
        for path in ["v2.type", "notificationType"] {
            let answer = try Self.value(path, refund, as: path == "v2.type" ? .events : .v2)
            #expect(answer == "\"REFUND\"")
        }
        let off = SourceField.body(
            type: "DID_CHANGE_RENEWAL_STATUS",
            [
                (SourceField("auto_renew_status"), "\"false\""),
                (SourceField("auto_renew_status_change_date_ms"), "\"1615280400000\""),
            ])
        for path in ["v2.subtype", "subtype"] {
            let answer = try Self.value(path, off, as: path == "subtype" ? .v2 : .events)
            #expect(answer == "\"AUTO_RENEW_DISABLED\"")
        }
        let secret = SourceField.body(type: "DID_RENEW", [(SourceField("password"), "\"0123456789abcdef\"")])
        let policy = TrustPolicy.sharedSecrets(try SharedSecrets(["0123456789abcdef"]), expecting: .any)
        let line = try #require(Conversion(document: secret, policy: policy).lines.first)
        let authenticity = try JSONTree(Array(line.utf8))["source"]?["authenticity"]?.string
        #expect(authenticity == "shared-secret")
        #expect(!line.contains("0123456789abcdef"))
    }

    @Test(
        "What is dropped appears nowhere",
        arguments: FieldTable.fields.filter { $0.conversion == "drop" })
    func dropped(_ field: FieldTable.Field) throws {
        for value in ["\"dropped-canary\"", "77007700770077"] {
            let body = SourceField.body(type: "DID_RENEW", [(SourceField(field.v1), value)])
            for shape in EventShape.Kind.allCases {
                let lines = Conversion(document: body, as: shape).lines
                #expect(lines.count == 1)
                #expect(!lines.joined().contains(value.filter { $0 != "\"" }))
            }
        }
    }

    @Test("Every field of an event that V1 can fill has a row, and no other")
    func isWhole() throws {
        var filled: Set<String> = []
        for fixture in Fixture.all(in: "v1-to-v2") {
            let event = try #require(try JSONTree(try fixture.bytes("expected.json"))["event"])
            for part in ["transaction", "renewal"] {
                for key in event[part]?.keys ?? [] where event[part]?[key]?.kind != .null {
                    filled.insert("\(part).\(key)")
                }
            }
        }
        let named = Set(FieldTable.fields.compactMap(\.event)).filter { $0.contains(".") }
        let unnamed = filled.subtracting(named).sorted()
        // V1 never names a product's type; an end shows which it is.
        #expect(unnamed == ["transaction.product_type"])
        let parts = named.filter { $0.hasPrefix("transaction.") || $0.hasPrefix("renewal.") }
        #expect(parts.subtracting(filled).sorted() == [])
    }
}
