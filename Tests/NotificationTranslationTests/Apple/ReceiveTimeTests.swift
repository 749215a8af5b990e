import Testing

@testable import NotificationTranslation

/// The time of arrival as services write it, and times that are none.
@Suite("Times of arrival")
struct ReceiveTimeTests {
    private static let body = #"{"notification_type":"CANCEL","bid":"a.b","environment":"PROD"}"#
    private static let escaped = body.replacing("\"", with: "\\\"")

    /// The times of arrival of the notifications in a record; -1 where there is none.
    private func times(_ record: String) -> [Int64] {
        let found = NotificationDecoderTests.search(record)
        #expect(found.failure == nil)
        return found.times
    }

    private static let time = "2020-11-03T09:12:44.123Z"
    private static let milliseconds: Int64 = 1_604_394_764_123

    @Test(
        "Times of arrival are known by their names in any case and with anything between the words",
        arguments: [
            "ReceivedAt", "RECEIVED_AT", "received-at", "Received At", "enqueuedTimeUtc", "EventEnqueuedUtcTime",
            "TimeGenerated", "insertionTime", "time_iso8601", "@t", "event_datetime", "_created", "Timestamp_ms",
            "webhook_received_at", "apple.receivedAt", "timeUnixNano", "dt",
        ])
    func names(_ name: String) {
        #expect(times(#"{"\#(name)":"\#(Self.time)","raw_text":"\#(Self.escaped)"}"#) == [Self.milliseconds])
        #expect(times(#"{"body":\#(Self.body),"\#(name)":\#(Self.milliseconds)}"#) == [Self.milliseconds])
    }

    @Test(
        "What happens to a subscription or to a record later is not a time of arrival",
        arguments: [
            "expires_at", "ExpiresDate", "expirationTime", "updated_at", "processed_at", "deleted_at", "exp", "ttl",
            "purchase_date", "renewal_date", "next_retry_at", "scheduleTime", "exported_at", "birth_date", "_ts",
            "timeToLive", "signedDate", "_fivetran_synced", "_airbyte_emitted_at", "time_extracted", "ts_ms",
            "lockedUntilUtc", "start_date", "start_time", "StartedAt", "period_start", "end_time", "occurred_on",
            "duration", "lastModified",
        ])
    func otherTimes(_ name: String) {
        #expect(times(#"{"\#(name)":"\#(Self.time)","body":\#(Self.body)}"#) == [-1])
        #expect(times(#"{"\#(name)":\#(Self.milliseconds),"raw_text":"\#(Self.escaped)"}"#) == [-1])
    }

    @Test(
        "Times of arrival are absent outside the years that a date can have",
        arguments: ["-9223372036854775808", "9223372036854775807", "1e300", "-1e18", "1e18"])
    func infinities(_ number: String) {
        for name in ["ts", "created_at", "received_at", "webhookReceivedAt"] {
            #expect(times(#"{"\#(name)":\#(number),"body":\#(Self.body)}"#) == [-1], "\(name)")
            #expect(times(#"{"\#(name)":{"seconds":\#(number)},"body":\#(Self.body)}"#) == [-1], "\(name)")
        }
    }

    @Test(
        "Times of arrival are read in the forms of gateways, mail and people",
        arguments: [
            ("03/Nov/2020:09:12:44 +0000", 0), ("03/Nov/2020:10:12:44 +0100", 0), ("03/Nov/2020:09:12:44.123", 123),
            ("Tue, 03 Nov 2020 09:12:44 GMT", 0), ("3 November 2020 09:12:44", 0), ("03-NOV-2020 09:12:44 UTC", 0),
            ("Tue Nov  3 09:12:44 2020", 0), ("Tue Nov 03 09:12:44.123456 2020", 123),
            ("Nov 3, 2020 @ 09:12:44.123", 123), ("Nov 3, 2020, 9:12:44 AM", 0), ("11/3/2020 9:12:44 AM", 0),
            ("11/3/2020, 9:12:44.123 am", 123), ("03 Nov 2020 09:12:44 America/New_York", 0),
            (" 2020-11-03 09:12:44.123+00 ", 123),
        ] as [(String, Int64)])
    func forms(_ text: String, _ fraction: Int64) {
        let expected = [1_604_394_764_000 + fraction]
        #expect(times(#"{"date":"\#(text)","body":\#(Self.body)}"#) == expected)
    }

    @Test(
        "A value that is not an instant is not a time of arrival",
        arguments: [
            "03/11/2020 09:12:44", "Nov 3 09:12:44", "Nov 2020 09:12:44", "03/Nov/2020", "32/Nov/2020:09:12:44",
            "11/3/2020 13:12:44 AM", "03/Foo/2020:09:12:44", "Nov 3, 2020 @ 9", "03 Nov 2020 09:12", "03/", "3",
            "soon", "11/3/2020 9:12:44", "99999999999999999999 Nov 2020 09:12:44", "11/1203/2020 9:12:44 AM",
            "03 Nov 2020 1009:12:44",
        ])
    func noInstants(_ text: String) {
        #expect(times(#"{"date":"\#(text)","body":\#(Self.body)}"#) == [-1])
    }

    @Test(
        "Times of arrival are read with the part of the second beside it",
        arguments: [
            #"{"_seconds":1604394764,"_nanoseconds":123000000}"#, #"{"seconds":"1604394764","nanos":123000000}"#,
            #"{"__type":"Date","iso":"2020-11-03T09:12:44.123Z"}"#,
            #"{"epochSecond":1604394764,"nanoOfSecond":123456789}"#, #"{"value":"2020-11-03T09:12:44.123Z"}"#,
            #"{"__datatype__":"timestamp","value":{"_nanoseconds":123000000,"_seconds":1604394764}}"#,
        ])
    func partsOfSeconds(_ value: String) {
        #expect(times(#"{"received":\#(value),"body":\#(Self.body)}"#) == [Self.milliseconds])
    }

    @Test(
        "A time of arrival needs no name in a row that is an array",
        arguments: [
            #"["\#(time)","\#(escaped)"]"#, #"["2020-11-03 09:12:44.123",7,\#(body)]"#,
            #"["1604394764123",{"body":"\#(escaped)"}]"#, #"["1604394764123",["body","\#(escaped)"]]"#,
            #"[1604394764.123,{"log":"\#(escaped)"}]"#,
            #"{"data":{"result":[{"values":[["1604394764123000000","\#(escaped)"]]}]}}"#,
            #"{"columns":[{"name":"a"}],"rows":[["\#(time)","\#(escaped)",1]]}"#,
            #"{"results":[[{"field":"@timestamp","value":"2020-11-03 09:12:44.123"},"#
                + #"{"field":"@message","value":"\#(escaped)"},{"field":"@ptr","value":"Cm"}]]}"#,
        ])
    func rows(_ record: String) {
        #expect(times(record) == [Self.milliseconds])
    }

    @Test(
        "A time of arrival is not read from a row with ids, or with two times",
        arguments: [
            #"["1000000810000001",\#(body)]"#, #"[20000007000001,\#(body)]"#, #"[1604394764,\#(body)]"#,
            #"["\#(time)","2021-11-03T09:12:44Z",\#(body)]"#, #"["2020-11-03",\#(body)]"#, #"["x",\#(body)]"#,
            #"{"results":[[{"field":"expires","value":"\#(time)"},{"field":"m","value":"\#(escaped)"}]]}"#,
        ])
    func rowsWithoutTimes(_ record: String) {
        #expect(times(record) == [-1])
    }

    @Test("The time of arrival in a page of the history is that of Apple's attempt that succeeded")
    func attempts() {
        let payload =
            #"{"notificationType":"DID_RENEW","notificationUUID":"u","version":"2.0","data":{"bundleId":"a"}}"#
        func page(_ last: String) -> String {
            #"{"notificationHistory":[{"decodedPayload":\#(payload),"sendAttempts":[{"attemptDate":1604390000000,"#
                + #""sendAttemptResult":"TIMED_OUT"},{"attemptDate":1604394764123,"sendAttemptResult":"\#(last)"}]}]}"#
        }
        #expect(times(page("SUCCESS")) == [Self.milliseconds])
        #expect(times(page("NO_RESPONSE")) == [-1])
    }

    @Test(
        "Evidence keeps that a notification is in a page of the history, and how it was sent",
        arguments: [
            (#"{"notificationHistory":[{"decodedPayload":*}]}"#, [0, 0]),
            (#"{"notificationHistory":[{"decodedPayload":*,"sendAttempts":[]}]}"#, [0, 0]),
            (
                #"{"body":*,"sendAttempts":[{"sendAttemptResult":"TIMED_OUT"},{"sendAttemptResult":"SUCCESS"}]}"#,
                [2, 1]
            ),
            (#"{"body":*}"#, nil), ("*", nil),
        ] as [(String, [Int]?)])
    func evidenceKeepsAttempts(_ record: String, _ expected: [Int]?) throws {
        let payload =
            #"{"notificationType":"DID_RENEW","notificationUUID":"u","version":"2.0","signedDate":1604394764123,"#
            + #""data":{"bundleId":"a"}}"#
        let body = Array(record.replacing("*", with: payload).utf8)
        let entries = try trusting.timelineEntries(from: body)
        let found = entries.map { entry -> [Int]? in
            entry.evidence.bytes.withUnsafeBytes { bytes in
                var rows: [TimelineRow] = []
                let statement = EvidenceReader.statement(bytes, .current, &rows)
                guard let statement, statement.isInHistory else { return nil }
                return [Int(statement.attempts), statement.kind.contains(.isSent) ? 1 : 0]
            }
        }
        #expect(found == [expected])
    }

    @Test(
        "Times of arrival are found with the notifications in lines of logs that a service has wrapped",
        arguments: [
            (#"{"timestamp":1604394764123,"message":"INFO got \#(escaped)"}"#, milliseconds),
            (#"{"textPayload":"got \#(escaped) in 3 ms","timestamp":"\#(time)"}"#, milliseconds),
            (#"{"result":{"_raw":"2020-11-03 09:12:44,123 INFO got \#(escaped)"}}"#, milliseconds),
            (#"{"events":[{"message":"\#(time)\tid\tINFO\t\#(escaped)\n"}]}"#, milliseconds),
            (#"{"message":"a={\"x\":1} {} b=\#(escaped) c=\#(escaped)"}"#, -1),
        ] as [(String, Int64)])
    func wrappedLines(_ record: String, _ expected: Int64) {
        #expect(times(record) == [expected])
    }

    @Test("Times of arrival are found with notifications in arrays of bytes")
    func bytes() {
        let bytes = Self.body.utf8.map { String($0) }.joined(separator: ", ")
        #expect(times(#"{"time":"\#(Self.time)","body":{"type":"Buffer","data":[\#(bytes)]}}"#) == [Self.milliseconds])
        #expect(times(#"{"_created":"\#(Self.time)","MESSAGE":[\#(bytes)]}"#) == [Self.milliseconds])
        #expect(times(#"{"time":"\#(Self.time)","a":[90,\#(bytes)],"b":[\#(bytes),256]}"#) == [])
    }

    @Test("Times of arrival are found with notifications in bytes that a database writes in digits")
    func digits() {
        let digits = Self.body.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        for text in [#"\\x\#(digits)"#, "0x\(digits.uppercased())"] {
            #expect(times(#"{"date":"\#(Self.time)","body":"\#(text)"}"#) == [Self.milliseconds])
            #expect(times(#"{"date":"\#(Self.time)","any":"\#(text)"}"#) == [Self.milliseconds])
            #expect(times(#"{"date":"\#(Self.time)","any":"\#(text)f","body":"\#(text.dropLast())g"}"#) == [])
        }
    }

    @Test("Times of arrival are found in a request that was kept with its header")
    func requests() {
        let request = "POST /apple HTTP/1.1\r\nHost: a\r\n\r\n" + Self.body
        let text = StrictBase64.encoded(standard: Array(request.utf8))
        #expect(times(#"{"timestamp":"\#(Self.time)","raw_request":"\#(text)"}"#) == [Self.milliseconds])
    }
}
