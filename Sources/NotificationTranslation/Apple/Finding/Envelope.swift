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

    /// Whether a column or key has a name under which servers keep a body.
    package static func isBodyKey(_ name: [UInt8]) -> Bool {
        (bodies + ["signedPayload", "data"]).contains { name.elementsEqual("\($0)".utf8) }
    }

    /// Keys that may hold the time of arrival, the surest first.
    static let times: [StaticString] = [
        "receivedAt", "received_at", "received", "timestamp", "created_at", "createdAt", "inserted_at", "insertedAt",
        "logged_at", "requestTimeEpoch", "timeEpoch", "ts", "time", "@timestamp", "date", "datetime", "publishTime",
        "Timestamp", "SentTimestamp",
        "publish_time", "received_time", "receivedTime", "receivedDate", "received_date", "request_time",
        "requestTime", "startedDateTime", "eventTime", "event_time",
        "approximateArrivalTimestamp", "ApproximateArrivalTimestamp", "ApproximateCreationDateTime",
        "ApproximateFirstReceiveTimestamp", "ingestionTime", "ingested_at", "loggedAt", "log_time", "created",
        "createdDate", "created_date", "creation_date", "createTime", "create_time", "created_on", "createdOn",
        "date_created", "dateCreated", "received_on", "_time", "timestamp_ms", "CreateTime", "published_at",
        "receivedTimestamp", "received_timestamp", "@t", "dt",
    ]

    /// Names of times of arrival in lower case and without anything but letters and digits, the surest first: a name
    /// that is none of ``times`` is looked for here, so that `ReceivedAt` and `RECEIVED_AT` are one.
    static let looseTimes: [StaticString] = [
        "receivedat", "received", "receivedtime", "receivedtimestamp", "receivedts", "receiveddate", "receivedon",
        "receiveddatetime", "datereceived", "timestamp", "timestampms", "createdat", "created",
        "createdon", "createddate", "createdtime", "creationdate", "creationtime", "createtime", "datecreated",
        "timecreated", "insertedat", "insertiontime", "loggedat", "loggeddate", "logdate", "logtime", "time", "date",
        "datetime",
        "timeiso8601", "timelocal", "timeutc", "msec", "instant", "timegenerated", "timegeneratedutc", "timemillis",
        "timeunixnano",
        "eventtime", "eventdatetime", "eventdate", "eventtimestamp", "eventtimestampms", "eventcreatedat",
        "eventcreatedatms", "eventenqueuedutctime", "enqueuedtimeutc", "enqueuedtime", "enqueuedat", "pushedat",
        "ingestedat", "ingestiontime", "publishedat", "publishtime", "requesttime", "requesttimestamp",
        "jmstimestamp", "realtimetimestamp", "messagetimems", "messagetime", "edgestarttimestamp", "timestampstart",
        "startutc",
    ]

    /// What names end with that are times of arrival whatever is before it: `webhook_received_at`.
    static let looseEnding: StaticString = "receivedat"

    /// The key of Apple's attempts to send a notification, in a page of its history.
    static let attempts: StaticString = "sendAttempts"

    /// Keys of objects beside the body in which a queue or a gateway keeps the time of arrival.
    static let aroundTimes: [StaticString] = [
        "attributes", "Attributes", "requestContext", "request_context", "metadata", "meta", "dynamodb", "kinesis",
        "context", "properties",
    ]

    /// The keys of bodies, of objects with times and of attempts to send, in this order.
    static let keys = KeyTable(bodies + aroundTimes + [attempts])
    /// The slot of ``attempts`` among them.
    static let attemptsSlot = bodies.count + aroundTimes.count
    static let timeKeys = KeyTable(times)
    static let looseTimeKeys = KeyTable(looseTimes)

    /// Keys that are followed from a record to the notification in it.
    package static let deepest = 8
    /// Rows with a type of their own around a notification: each is read twice, so the time doubles with each.
    static let mostRows = 2
    /// Notifications in one record.
    ///
    /// A page of Apple's history has 20, a batch of a queue up to some thousand.
    static let mostNotifications = 10_000
    /// Texts inside texts that are opened: three of JSON, base64, a signed payload, and bodies in other shapes.
    static let mostTexts = 8

    /// The names of bodies, the first leads.
    package static var bodyNames: [String] { ["signedPayload", "data"] + bodies.map { "\($0)" } }
    /// The names of times of arrival, the surest first.
    package static var timeNames: [String] { times.map { "\($0)" } }
    /// Further names of times of arrival, in any case and with anything between their words, the surest first.
    package static var looseTimeNames: [String] { looseTimes.map { "\($0)" } }

    /// Whether a value is worth a look: an object, an array, or a text that begins as JSON, a JWS or base64 of one.
    static func mayHoldNotification(_ kind: JSONWalker.Kind, _ text: JSONText, _ memory: UnsafeRawPointer) -> Bool {
        guard kind == .string else { return !kind.isScalar }
        guard text.count > 20 else { return false }
        switch memory.load(fromByteOffset: text.start, as: UInt8.self) {
        case 0x7B, 0x5B, 0x22, 0x5C, 0x20, 0x0A: return true
        case 0x65, 0x57, 0x49, 0x5A: return true
        case 0x30: return memory.load(fromByteOffset: text.start + 1, as: UInt8.self) | 0x20 == 0x78
        default:
            let bytes = UnsafeRawBufferPointer(start: memory + text.start, count: text.count)
            return isRequest(base64: bytes) || mayHoldPart(bytes)
        }
    }

    static func mayHoldNotification(_ value: JSONTree) -> Bool {
        mayHoldNotification(value.kind, value.range, value.memory)
    }

    /// Whether a text is base64 of what begins with `POST`, as gateways keep a request with its header.
    static func isRequest(base64 text: UnsafeRawBufferPointer) -> Bool { text.starts(with: "UE9T".utf8) }

    /// What a text represents that is base64 of JSON, of a JWS or of a request, JSON in hexadecimal, or a JSON array;
    /// `nil` for other texts.
    static func unpacked(_ text: UnsafeRawBufferPointer) -> OutputBuffer? {
        let buffer = OutputBuffer(capacity: text.count)
        func decoded(_ isDecoded: Bool, _ starts: String) -> OutputBuffer? {
            guard isDecoded, let first = buffer.bytes.first else { return nil }
            return starts.utf8.contains(first) ? buffer : nil
        }
        switch text.first(where: { $0 > 0x20 }) {
        case 0x5B:
            let second = text.drop { $0 <= 0x20 }.dropFirst().first { $0 > 0x20 }
            buffer.append(text)
            return second.map("{[\"".utf8.contains) ?? false ? buffer : nil
        case 0x65, 0x57, 0x49, 0x5A: return decoded(Packing.decode(base64: text, into: buffer), "{[\"e")
        case 0x5C, 0x30:
            // What PostgreSQL writes of a `bytea`, and MySQL of a `blob`.
            guard text.count > 2, text[1] | 0x20 == 0x78, text.count.isMultiple(of: 2) else { return nil }
            let digits = UnsafeRawBufferPointer(rebasing: text[2...])
            return decoded(Packing.decode(hexadecimal: digits, into: buffer), "{\"e")
        case 0x55 where isRequest(base64: text): return Packing.decode(base64: text, into: buffer) ? buffer : nil
        default: return nil
        }
    }

    /// Whether a text may be a line of a log with a notification in it.
    static func mayHoldPart(_ text: UnsafeRawBufferPointer) -> Bool {
        text.offset(of: 0x7B) != nil && NotificationSigns.mayBe(in: text)
            || CompactToken.range(in: text, from: 0) != nil
    }
}
