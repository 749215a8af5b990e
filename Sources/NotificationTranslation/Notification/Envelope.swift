/// The names under which servers keep a notification's body and the time they received it.
enum Envelope {
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
        "logged_at", "ts", "time", "@timestamp", "date", "datetime", "publishTime",
    ]

    /// All of them: bodies first, then times.
    static let keys = KeyTable(bodies + times)

    /// Envelopes inside envelopes that are opened.
    static let deepest = 6
}
