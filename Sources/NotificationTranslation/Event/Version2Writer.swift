/// Writes an event of version 1 as Apple's decoded payload of version 2: Apple's keys, times in milliseconds, absent
/// keys left out, nothing signed and nothing made up.
///
///     {"notificationType":"DID_RENEW","notificationUUID":"…","version":"2.0",
///      "data":{"bundleId":"…","environment":"Production","transactionInfo":{…},"renewalInfo":{…}},
///      "translation":{"signed":false,"sourceVersion":"v1","sourceType":"DID_RENEW","rule":"…",…}}
struct Version2Writer {
    private let output: OutputBuffer
    private var needsComma = false

    private init(_ output: OutputBuffer) {
        self.output = output
    }

    /// Appends the object, without a line end.
    static func write(_ event: EventDraft, to output: OutputBuffer, _ names: EventNames) {
        var writer = Version2Writer(output)
        output.append("{")
        writer.member("notificationType", event.v2.type)
        writer.member("subtype", event.v2.subtype)
        writer.id("notificationUUID", event.id)
        writer.member("version", EventText("2.0"))
        let status = event.subscriptionStatus ?? names.status(after: event.v2)
        let token = event.transactionFields.appAccountToken
        let losesToken = event.hasTransaction && !token.isAbsent && !isUUID(token)
        writer.object("data") { writer in
            event.writeMembers(&writer)
            writer.member("status", status)
            if event.hasTransaction {
                writer.object("transactionInfo") { writer in
                    event.transactionFields.writeMembers(&writer)
                    if !losesToken { writer.member("appAccountToken", token) }
                    writer.member("bundleId", event.bundleID)
                    writer.member("environment", event.environment)
                }
            }
            if event.hasRenewal {
                writer.object("renewalInfo") { writer in
                    event.renewalFields.writeMembers(&writer)
                    writer.member("originalTransactionId", event.transactionFields.originalTransactionID, event)
                    if event.flags.known.isDisjoint(with: [.transactionNotLatest, .transactionUncertain]) {
                        writer.member("productId", event.transactionFields.productID, event)
                    }
                    writer.member("environment", event.environment)
                }
            }
        }
        writer.object("translation") { writer in
            writer.member("signed", false)
            writer.member("sourceVersion", event.source.version.text)
            writer.member("sourceType", event.source.type)
            writer.member("rule", event.source.rule)
            writer.member("certainty", event.certainty.text)
            writer.flags(losesToken ? event.flags.known.union(.accountTokenDropped) : event.flags.known, names)
            let isDerived = event.subscriptionStatus == nil && status != nil
            writer.strings("derived", ["notificationUUID"] + (isDerived ? ["data.status"] : []))
            writer.member("occurredDate", event.occurredAt)
        }
        output.append("}")
    }

    // MARK: Members

    mutating func member(_ key: StaticString, _ text: EventText) {
        guard !text.isAbsent else { return }
        begin(key)
        output.append("\"")
        text.appendCharacters(to: output)
        output.append("\"")
    }

    private mutating func id(_ key: StaticString, _ id: EventDraft.ID) {
        begin(key)
        output.append("\"")
        id.appendCharacters(to: output)
        output.append("\"")
    }

    /// Writes a text of the transaction, where there is one.
    private mutating func member(_ key: StaticString, _ text: EventText, _ event: EventDraft) {
        if event.hasTransaction { member(key, text) }
    }

    mutating func member(_ key: StaticString, _ number: Int64?) {
        guard let number else { return }
        begin(key)
        output.append(decimal: number)
    }

    mutating func member(_ key: StaticString, _ truth: Bool?) {
        guard let truth else { return }
        begin(key)
        output.append(truth ? "true" : "false")
    }

    mutating func member(_ key: StaticString, _ app: EventDraft.AppID) {
        member(key, app.number ?? app.text.string.flatMap { Int64($0) })
    }

    private mutating func object(_ key: StaticString, _ members: (inout Self) -> Void) {
        begin(key)
        output.append("{")
        needsComma = false
        members(&self)
        output.append("}")
        needsComma = true
    }

    private mutating func strings(_ key: StaticString, _ strings: [String]) {
        begin(key)
        output.append("[" + strings.map { "\"\($0)\"" }.joined(separator: ",") + "]")
    }

    private mutating func flags(_ flags: FlagSet, _ names: EventNames) {
        strings("flags", flags.numbers.map { names.flags[$0].text.string ?? "" })
    }

    private mutating func begin(_ key: StaticString) {
        if needsComma { output.append(",") }
        needsComma = true
        output.append("\"")
        output.append(key)
        output.append("\":")
    }

    /// Whether Apple's libraries can read the text as a UUID.
    private static func isUUID(_ text: EventText) -> Bool {
        let characters = Array((text.string ?? "").utf8)
        guard characters.count == 36 else { return false }
        return characters.enumerated().allSatisfy { place, byte in
            switch place {
            case 8, 13, 18, 23: byte == 0x2D
            default: 0x30...0x39 ~= byte || 0x41...0x46 ~= byte || 0x61...0x66 ~= byte
            }
        }
    }
}
