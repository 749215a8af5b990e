/// A version 2 notification: the decoded payload with its transaction and renewal info, as far as events need them.
///
/// Reading one says nothing about its signature; see the policy of ``NotificationNormalizer`` for that.
public struct V2Notification: Hashable, Sendable {
    private let texts: ScalarStorage
    let fields: V2Fields

    /// Reads a body: `{"signedPayload":…}`, a JWS as it is, a decoded payload, or any of them in an envelope.
    ///
    /// - Parameter body: The bytes as received.
    /// - Throws: ``NotificationError`` where they carry no version 2 notification or several.
    public init(_ body: some Collection<UInt8>) throws(NotificationError) {
        self = try BodyReader.only(in: body, .v2) { V2Notification($0) }
    }

    init(_ found: FoundNotification) {
        var fields = found.holder.v2
        for key in [V1Keys.Root.password, .latestReceipt, .latestExpiredReceipt, .signedPayload]
        where fields.root.count > 0 {
            fields.root[0, key.rawValue] = .absent
        }
        let buffer = ScalarStorage.buffer()
        fields.root.copyTexts { $0.copied(from: found.memory, to: buffer) }
        fields.data.copyTexts { $0.copied(from: found.memory, to: buffer) }
        fields.transaction.copyTexts { $0.copied(from: found.transactionMemory, to: buffer) }
        fields.renewal.copyTexts { $0.copied(from: found.renewalMemory, to: buffer) }
        fields.appTransaction.copyTexts { $0.copied(from: found.appTransactionMemory, to: buffer) }
        texts = ScalarStorage(buffer)
        self.fields = fields
    }

    func withMemory<Result>(_ body: (UnsafeRawPointer) -> Result) -> Result? { texts.withMemory(body) }
    private func string(_ text: JSONText) -> String? { texts.string(text) }

    /// What happened, in Apple's word.
    public var notificationType: NotificationType {
        NotificationType(rawValue: string(fields[.v2Type]) ?? "")
    }

    /// More precisely, for some types.
    public var subtype: NotificationSubtype? { string(fields[.v2Subtype]).map(NotificationSubtype.init(rawValue:)) }

    /// Apple's id of the notification, the same for every delivery.
    public var notificationUUID: String? { string(fields[.v2UUID]) }

    /// When Apple signed it.
    public var signedDate: EventTime? {
        let value = withMemory { TextView(memory: $0).milliseconds(fields[.v2SignedDate]) }
        return (value ?? nil).map(EventTime.init(milliseconds:))
    }

    /// The environment; absent in some types.
    public var environment: NotificationEnvironment? {
        string(fields[.environment as V2Keys.Data]).map(NotificationEnvironment.init(rawValue:))
    }

    /// The app's bundle id.
    public var bundleID: String? { string(fields[.bundleId as V2Keys.Data]) }

    /// The first transaction of the subscription it is about.
    public var originalTransactionID: String? {
        string(fields[.originalTransactionId as V2Keys.Transaction])
            ?? string(fields[.originalTransactionId as V2Keys.Data])
    }
}
