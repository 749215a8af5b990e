/// Writes what Apple would have posted of an event; one for each worker.
///
///     {"send_at":"2020-11-03T09:12:45.000Z","attempt":1,"notificationUUID":"…","body":{"signedPayload":"…"}}
final class RehearsalWriter {
    private let rehearsal: Rehearsal
    private let payload = OutputBuffer(capacity: 8 * 1024)
    private let part = OutputBuffer(capacity: 4 * 1024)
    private let body = OutputBuffer(capacity: 16 * 1024)
    /// What became of the events since it was emptied.
    var entries: [RehearsalEntry] = []

    init(_ rehearsal: Rehearsal) { self.rehearsal = rehearsal }

    /// How long after an event Apple signs and posts it, in milliseconds.
    static let delay: Int64 = 1000

    /// Appends the lines of an event, whose app and environment become those of the rehearsal.
    func write(_ event: inout EventDraft, to output: OutputBuffer) {
        let named = RehearsedApp(bundleID: event.bundleID.string, environment: event.environment.string)
        func leaveOut(_ reason: RehearsalEntry.LeftOut) {
            entries.append(RehearsalEntry(app: named, leftOut: reason, end: output.count))
        }
        guard let app = event.bundleID.isAbsent ? rehearsal.bundleID?.text : event.bundleID,
            let place = named.environment ?? rehearsal.expectedEnvironment
        else { return leaveOut(.noApp) }
        guard rehearsal.bundleID?.text.hasSameBytes(as: app) ?? true, rehearsal.expectedEnvironment ?? place == place
        else { return leaveOut(.otherApp) }
        event.bundleID = app
        guard event.v2.type.string != "EXTERNAL_PURCHASE_TOKEN" || self.environment == "Sandbox" else {
            return leaveOut(.externalToken)
        }
        guard let happened = event.occurredAt ?? event.source.receivedAt else { return leaveOut(.undated) }
        payload.removeAll()
        let signed = writeOriginal(&event, happened) ?? writeTranslation(&event, happened)
        body.removeAll()
        rehearsal.append(jws: payload.bytes, to: body)
        let deliveries = rehearsal.retries?.deliveries(of: event.id.number, at: signed) ?? [(signed, 1)]
        for (time, attempt) in deliveries {
            output.append("{\"send_at\":")
            CivilTime.withText(time) { output.append(quoted: $0) }
            output.append(",\"attempt\":")
            output.append(decimal: Int64(attempt))
            output.append(",\"notificationUUID\":\"")
            event.id.appendCharacters(to: output)
            output.append("\",\"body\":{\"signedPayload\":")
            output.append(quoted: body.bytes)
            output.append("}}\n")
            entries.append(RehearsalEntry(app: named, time: time, end: output.count))
        }
    }

    /// Writes the payload of an event of version 1; returns when it is signed.
    private func writeTranslation(_ event: inout EventDraft, _ happened: Int64) -> Int64 {
        event.environment = rehearsal.environment.text
        // What was deduced follows what was reported of the same instant.
        let signed = happened &+ Self.delay &+ (event.disposition == .inferred ? 1 : 0)
        // What was learnt later would not have been in it.
        if let revoked = event.transactionFields.revokedAt, revoked > signed {
            (event.transactionFields.revokedAt, event.transactionFields.revocationReason) = (nil, nil)
        }
        if event.disposition == .inferred {
            if event.transactionFields.isUpgraded == true { event.transactionFields.isUpgraded = nil }
            if !event.hasRenewal { event.renewal = event.renewalWithPair }
            // Apple sends the status with every such notification, so it is written even where the event is only likely.
            event.subscriptionStatus = event.subscriptionStatus ?? event.statusAfter ?? event.statusOfPair
        }
        Version2Writer.write(event, to: payload, signing: (rehearsal, part, signed))
        return signed
    }

    /// Writes the payload of a version 2 notification with the content it has; returns when it was signed, `nil` where
    /// there is no such payload.
    private func writeOriginal(_ event: inout EventDraft, _ happened: Int64) -> Int64? {
        guard !event.original.isEmpty, let tree = try? JSONTree(event.original),
            case .object(let members) = JSONValue(tree),
            members.keys.contains(where: Self.holders.contains)
        else { return nil }
        let signed = members["signedDate"]?.integer ?? Self.latestDate(in: members) ?? happened &+ Self.delay
        var payload = rehearsed(members, bundleID: event.bundleID.string, signed)
        payload["signedDate"] = .number(String(signed))
        payload["translation"] = .object(["signed": .bool(false), "sourceVersion": .string("v2")])
        JSONValue.object(payload).append(to: self.payload)
        return signed
    }

    /// What a payload of Apple's has one of.
    private static let holders: Set = ["data", "summary", "appData", token]
    private static let token = "externalPurchaseToken"
    /// What says the environment, and what of it says the app.
    private static let named: Set = ["data", "summary", "appData", "transactionInfo", "renewalInfo"]
    /// What Apple signs by itself.
    private static let parts: Set = ["transactionInfo", "renewalInfo", "appTransactionInfo"]

    /// The members of an object in the environment of the rehearsal, with what was decoded signed again.
    private func rehearsed(_ all: [String: JSONValue], bundleID: String?, _ date: Int64) -> [String: JSONValue] {
        var members: [String: JSONValue] = [:]
        for (key, value) in all {
            guard case .object(var inner) = value else {
                if key == "environment" || key == "receiptType" {
                    members[key] = .string(environment)
                } else if !key.hasPrefix("signed") || value.string == nil {
                    // What was signed before gives way to what was decoded of it.
                    members[key] = value
                }
                continue
            }
            inner = rehearsed(inner, bundleID: bundleID, date)
            if Self.named.contains(key) {
                inner["environment"] = .string(environment)
                if key != "renewalInfo", inner["bundleId"] == nil { inner["bundleId"] = bundleID.map(JSONValue.string) }
            }
            if key == Self.token, let id = inner["externalPurchaseId"]?.string, !id.hasPrefix("SANDBOX") {
                // The environment of a token is in its id.
                inner["externalPurchaseId"] = .string("SANDBOX_" + id)
            }
            if Self.parts.contains(key) {
                if key != "appTransactionInfo", inner["signedDate"] == nil {
                    inner["signedDate"] = .number(String(date))
                }
                members["signed" + key.prefix(1).uppercased() + key.dropFirst()] = .string(signed(.object(inner)))
            } else {
                members[key] = .object(inner)
            }
        }
        return members
    }

    /// When the last of the parts was signed, where any says that.
    private static func latestDate(in members: [String: JSONValue]) -> Int64? {
        members.compactMap { key, value in
            guard case .object(let inner) = value else { return key == "signedDate" ? value.integer : nil }
            return latestDate(in: inner)
        }.max()
    }

    private var environment: String { rehearsal.environment.text.string ?? "" }

    private func signed(_ value: JSONValue) -> String {
        part.removeAll()
        value.append(to: part)
        let text = OutputBuffer(capacity: 4 * 1024)
        rehearsal.append(jws: part.bytes, to: text)
        return String(decoding: text.bytes, as: UTF8.self)
    }
}
