/// The names under which servers keep a notification's body and the time they received it.
package enum Envelope {
    /// Keys that may hold a body: an object, JSON in a string, or a bare JWS; the first that holds one wins.
    static let bodies: [StaticString] = [
        "signed_payload", "raw_signed_payload", "rawSignedPayload", "body", "Body", "payload", "notification",
        "applePayload", "apple_payload", "message", "Message", "raw_webhook_body", "raw_body", "rawBody",
        "request_body", "requestBody", "raw", "event", "record", "json", "content", "value", "doc", "detail",
        "decoded_payload", "decodedPayload", "Records",
    ]

    /// How many of them, at the beginning, hold signed payloads.
    static let signedBodies = 3

    /// Keys that may hold the time of receipt, the surest first.
    static let times: [StaticString] = [
        "receivedAt", "received_at", "received", "timestamp", "created_at", "createdAt", "inserted_at", "insertedAt",
        "logged_at", "ts", "time", "@timestamp", "date", "datetime", "publishTime", "Timestamp", "SentTimestamp",
        "publish_time", "received_time", "receivedTime", "receivedDate", "received_date", "request_time",
        "requestTime", "requestTimeEpoch", "timeEpoch", "startedDateTime", "eventTime", "event_time",
        "approximateArrivalTimestamp", "ApproximateArrivalTimestamp", "ApproximateCreationDateTime",
        "ApproximateFirstReceiveTimestamp", "ingestionTime", "ingested_at", "loggedAt", "log_time", "created",
        "createdDate", "created_date", "creation_date", "createTime", "create_time", "created_on", "createdOn",
        "date_created", "dateCreated", "received_on", "_time", "timestamp_ms", "CreateTime", "published_at",
        "receivedTimestamp", "received_timestamp",
    ]

    /// Keys of objects beside the body in which a queue or a gateway keeps the time of receipt.
    static let aroundTimes: [StaticString] = [
        "attributes", "Attributes", "requestContext", "request_context", "metadata", "meta", "dynamodb", "kinesis",
    ]

    /// The keys of bodies and of objects with times, in this order.
    static let keys = KeyTable(bodies + aroundTimes)
    /// The keys of times.
    static let timeKeys = KeyTable(times)

    /// Keys that are followed from a record to the notification in it.
    static let deepest = 8
    /// Texts inside texts that are opened: three of JSON, base64, a signed payload, and bodies in other shapes.
    static let mostTexts = 8

    /// The names of bodies, the first leads.
    package static var bodyNames: [String] { ["signedPayload", "data"] + bodies.map { "\($0)" } }
    /// The names of times of receipt, the surest first.
    package static var timeNames: [String] { times.map { "\($0)" } }
    /// How many keys are followed.
    package static var depth: Int { deepest }
}
