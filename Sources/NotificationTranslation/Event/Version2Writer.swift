/// Writes an event of version 1 as Apple's decoded payload of version 2: Apple's keys, times in milliseconds, absent
/// keys left out, nothing signed and nothing made up.
///
///     {"notificationType":"DID_RENEW","notificationUUID":"…","version":"2.0",
///      "data":{"bundleId":"…","environment":"Production","transactionInfo":{…},"renewalInfo":{…}},
///      "translation":{"signed":false,"sourceVersion":"v1","sourceType":"DID_RENEW","rule":"…",…}}
struct Version2Writer: FieldVisitor {
    /// Who signs the payload and the parts of it, memory for one part, and when it is signed.
    typealias Signing = (by: Rehearsal, part: OutputBuffer, date: Int64)

    private let output: OutputBuffer
    private let signing: Signing?
    /// The keys of the part that is visited.
    private var keys = V2Keys.transaction
    private var needsComma = false

    /// Appends the object, without a line end; with `signing` its parts are signed and it is dated.
    static func write(_ event: EventDraft, to output: OutputBuffer, signing: Signing? = nil) {
        var event = event
        var writer = Version2Writer(output: output, signing: signing)
        output.append("{")
        writer.member("notificationType", event.v2.type)
        writer.member("subtype", event.v2.subtype)
        writer.begin("notificationUUID")
        output.append(0x22)
        event.id.appendCharacters(to: output)
        output.append(0x22)
        writer.member("version", "2.0" as EventText)
        writer.member("signedDate", signing?.date)
        let status = event.subscriptionStatus ?? event.statusAfter
        event.renewalFields.autoRenewStatus = event.renewalAfter ?? event.renewalFields.autoRenewStatus
        let token = event.transactionFields.appAccountToken
        let losesToken = event.hasTransaction && !token.isAbsent && !isUUID(token)
        writer.object("data") { writer in
            writer.member("environment", event.environment)
            writer.member("bundleId", event.bundleID)
            writer.member("bundleVersion", event.bundleVersion)
            writer.member("appAppleId", event.appAppleID.number ?? event.appAppleID.text.string.flatMap { Int64($0) })
            writer.member("status", status)
            if event.hasTransaction {
                writer.part("transactionInfo", signed: "signedTransactionInfo", V2Keys.transaction) { writer in
                    event.transactionFields.visit(&writer)
                    if !losesToken { writer.member("appAccountToken", token) }
                    writer.member("bundleId", event.bundleID)
                    writer.member("environment", event.environment)
                }
            }
            if event.hasRenewal {
                // Both are absent where the event has no transaction.
                let original = event.hasTransaction ? event.transactionFields.originalTransactionID : .absent
                let product = event.hasTransaction ? event.transactionFields.productID : .absent
                writer.part("renewalInfo", signed: "signedRenewalInfo", V2Keys.renewal) { writer in
                    event.renewalFields.visit(&writer)
                    writer.member("originalTransactionId", original)
                    if event.flags.known.isDisjoint(with: [.transactionNotLatest, .transactionUncertain]) {
                        writer.member("productId", product)
                    }
                    writer.member("environment", event.environment)
                }
            }
        }
        writer.object("translation") { writer in
            writer.begin("signed")
            writer.output.append("false")
            writer.word("sourceVersion", event.source.version)
            writer.member("sourceType", event.source.type)
            writer.member("rule", event.source.rule)
            writer.word("certainty", event.certainty)
            let flags = losesToken ? event.flags.known.union(.accountTokenDropped) : event.flags.known
            writer.begin("flags")
            writer.output.append("[\(flags.names.map { "\"\($0)\"" }.joined(separator: ","))]")
            writer.begin("derived")
            writer.output.append("[\"notificationUUID\"")
            if event.source.version == .v1, status != nil { writer.output.append(",\"data.status\"") }
            if event.renewalAfter != nil { writer.output.append(",\"data.renewalInfo.autoRenewStatus\"") }
            writer.output.append("]")
            writer.member("occurredDate", event.occurredAt)
            writer.word("entitlement", event.entitlement)
            writer.member("accessUntil", event.accessUntil)
        }
        output.append("}")
    }

    // MARK: Members

    mutating func text(_ key: StaticString, _ text: inout EventText, _ apple: Int?) {
        if let apple { member(keys.text(apple), text) }
    }

    mutating func time(_ key: StaticString, _ time: inout Int64?, _ apple: Int?) { number(key, &time, apple) }

    mutating func number(_ key: StaticString, _ number: inout Int64?, _ apple: Int?) {
        if let apple { member(keys.text(apple), number) }
    }

    mutating func truth(_ key: StaticString, _ truth: inout Bool?, _ apple: Int?) {
        guard let apple, let truth else { return }
        begin(keys.text(apple))
        output.append(truth ? "true" : "false" as StaticString)
    }

    func end() {}

    private mutating func member(_ key: EventText, _ text: EventText) {
        guard !text.isAbsent else { return }
        begin(key)
        // The inside of a JSON string as it is in a record or a table.
        output.append(quoted: text.bytes)
    }

    private mutating func word(_ key: EventText, _ word: some EventWord) {
        begin(key)
        output.append(jsonString: word.rawValue)
    }

    private mutating func member(_ key: EventText, _ number: Int64?) {
        guard let number else { return }
        begin(key)
        output.append(decimal: number)
    }

    private mutating func object(_ key: EventText, _ members: (inout Self) -> Void) {
        begin(key)
        output.append("{")
        needsComma = false
        members(&self)
        output.append("}")
        needsComma = true
    }

    /// Appends a part that Apple signs: as an object, or signed.
    private mutating func part(_ key: EventText, signed: EventText, _ keys: KeyTable, _ members: (inout Self) -> Void) {
        self.keys = keys
        guard let signing else { return object(key, members) }
        signing.part.removeAll()
        var writer = Version2Writer(output: signing.part, signing: nil, keys: keys)
        signing.part.append("{")
        members(&writer)
        writer.member("signedDate", signing.date)
        signing.part.append("}")
        begin(signed)
        output.append(0x22)
        signing.by.append(jws: signing.part.bytes, to: output)
        output.append(0x22)
    }

    private mutating func begin(_ key: EventText) {
        output.append(needsComma ? ",\"" : "\"" as StaticString)
        output.append(key.bytes)
        output.append("\":")
        needsComma = true
    }

    /// Whether Apple's libraries can read the text as a UUID.
    private static func isUUID(_ text: EventText) -> Bool {
        let groups = (text.string ?? "").utf8.split(separator: 0x2D, omittingEmptySubsequences: false)
        return groups.map(\.count) == [8, 4, 4, 4, 12] && groups.joined().allSatisfy { Hexadecimal.value($0) != nil }
    }
}
