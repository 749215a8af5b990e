import NotificationTranslation

/// The fields of one shape of the output, for the formats that describe them to other programs.
///
/// Made of ``EventFieldTable``; a format only says how its own language writes each type.
struct Schema {
    let title: String
    /// The name of a table of this shape, and its field that tells rows apart.
    let table: String
    let key: String
    let fields: [Field]
    /// Of what `state` and `transactions` write the name of its CSV, and PostgreSQL's indexes and views; else `nil`.
    var rows: (name: String, indexes: String, views: String)?
}

extension Schema {
    /// The names of the shapes, as `--shape` calls them.
    static let shapes = EventShape.Kind.allCases.map(\.rawValue) + ["state", "history", "transactions"]

    /// The fields of the shape of a name; of events without one.
    init(of shape: String?) {
        switch shape {
        case "v2":
            self.init(
                title: "A decoded payload of App Store Server Notifications V2; of V1 unsigned and translated.",
                table: "notifications_v2", key: "notificationUUID", fields: Self.version2)
        case "cloudevents":
            let title = "A CloudEvent (1.0) that holds an event."
            self.init(title: title, table: "cloudevents", key: "id", fields: Self.cloudEvent)
        case "state": self = Self.state
        case "history": self = Self.history
        case "transactions": self = Self.transactions
        default:
            let event = EventFieldTable.current.event
            self.init(title: event.meaning, table: "events", key: "id", fields: Self.fields(of: event))
        }
    }

    private static func fields(of object: EventFieldTable.Object) -> [Field] {
        object.fields.map { field in
            // In these two everything is null that a notification does not say.
            let isPart = object.name == "Transaction" || object.name == "Renewal"
            let meaning = field.null.map { "\(field.meaning) Null where \($0)." } ?? field.meaning
            return Field(
                field.key, type(field), nullable: isPart || field.null != nil, optional: field.kind == .option, meaning)
        }
    }

    private static func type(_ field: EventFieldTable.Field) -> ValueType {
        switch field.kind {
        case .text, .id, .appID: .text
        case .word: .word(EventFieldTable.current.words(of: field))
        case .time: .time
        case .milliseconds, .number: .number
        case .truth: .truth
        case .pair: pair
        case .pairs: .list(pair)
        case .flags, .texts: .list(.text)
        case .document: .document
        case .object, .option: EventFieldTable.current.object(field).map { .object(fields(of: $0)) } ?? .document
        }
    }

    private static let pair = ValueType.object([
        Field("type", .text, nullable: true, "The V2 type."),
        Field("subtype", .text, nullable: true, "The V2 subtype."),
    ])

    private static var cloudEvent: [Field] {
        [
            Field("specversion", .word(["1.0"]), "The version of CloudEvents."),
            Field("id", .text, "The id of the event."),
            Field("source", .text, "The app and its environment, as a URN."),
            Field("type", .text, "The event kind with a prefix."),
            Field("subject", .text, optional: true, "The original transaction id."),
            Field("time", .time, optional: true, "When it happened."),
            Field("datacontenttype", .word(["application/json"]), "The form of the data."),
            Field("data", .object(fields(of: EventFieldTable.current.event)), "The event."),
        ]
    }

    private static var version2: [Field] {
        let table = EventFieldTable.current
        func members(_ name: String, and others: [Field]) -> ValueType {
            let object = table.objects.first { $0.name == name }
            let own = (object?.fields ?? []).compactMap { field -> Field? in
                // Apple's times are milliseconds, and ids of apps are numbers.
                let isNumber = field.kind == .time || field.kind == .appID
                return field.apple.map { Field($0, isNumber ? .number : type(field), optional: true, field.meaning) }
            }
            return .object(own + others)
        }
        func text(_ key: String, _ meaning: String) -> Field { Field(key, .text, optional: true, meaning) }
        let signed = "As Apple signed it, where the notification was version 2."
        let (environment, productID) = ("Production or Sandbox.", "The current product.")
        let transaction = [
            text("appAccountToken", "A UUID."), text("bundleId", "The app."), text("environment", environment),
        ]
        let renewal = [
            text("originalTransactionId", "The first transaction of the subscription."), text("productId", productID),
            text("environment", environment),
        ]
        let data = members(
            "UnifiedEvent",
            and: [
                Field("status", .number, optional: true, "1 active, 2 expired, 3 retry, 4 grace period, 5 revoked."),
                Field(
                    "transactionInfo", members("Transaction", and: transaction), optional: true,
                    "Apple's JWSTransactionDecodedPayload."),
                Field(
                    "renewalInfo", members("Renewal", and: renewal), optional: true,
                    "Apple's JWSRenewalInfoDecodedPayload."),
                text("signedTransactionInfo", signed), text("signedRenewalInfo", signed),
            ])
        let milliseconds = "in milliseconds since 1970."
        let translation = [
            Field("signed", .truth, "Never true: nothing here is signed by Apple."),
            Field("sourceVersion", .word([NotificationVersion.v1.rawValue]), "The version of the notification."),
            text("sourceType", "The V1 type."), text("rule", "The rule that decided."),
            Field("certainty", .word(Certainty.allCases.map(\.rawValue)), "How sure the pair is."),
            Field("flags", .list(.text), "What makes it ambiguous."),
            Field("derived", .list(.text), "The fields that were made here."),
            Field("occurredDate", .number, optional: true, "When it happened, " + milliseconds),
            Field("entitlement", .word(Entitlement.allCases.map(\.rawValue)), "What to do about access."),
            Field("accessUntil", .number, optional: true, "The end of that access, " + milliseconds),
        ]
        return [
            text("notificationType", "The V2 type."), text("subtype", "The V2 subtype."),
            text("notificationUUID", "The id of the event."), text("version", "2.0."),
            Field("signedDate", .number, optional: true, signed),
            Field("data", data, optional: true, "Apple's data object."),
            Field("translation", .object(translation), optional: true, "How it was translated; of V1 only."),
        ]
    }
}
