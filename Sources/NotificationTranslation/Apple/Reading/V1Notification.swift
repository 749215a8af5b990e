/// A version 1 notification: what a body says, in Apple's names, without the receipts and without the secret.
///
/// Made by the same walk over the bytes that archives are converted with. Only the few hundred bytes that mean
/// something are kept.
public struct V1Notification: Hashable, Sendable {
    private let texts: ScalarStorage
    let fields: V1Fields

    /// Reads a body, bare or in an envelope.
    ///
    /// - Parameter body: JSON in UTF-8, as Apple posted it or as a server kept it.
    /// - Throws: ``NotificationError`` where the text is not strict JSON or carries no version 1 notification or several.
    public init(_ body: some Collection<UInt8>) throws(NotificationError) {
        self = try BodyReader.only(in: body, .v1) { V1Notification($0.holder.v1, $0.memory) }
    }

    init(_ found: V1Fields, _ memory: UnsafeRawPointer) {
        let (own, kept, buffer) = (V1Fields(), V1Fields(), ScalarStorage.buffer())
        own.copy(found)
        own.forgetSecrets()
        kept.copy(own, from: memory, to: buffer)
        fields = kept
        texts = ScalarStorage(buffer)
    }

    func withMemory<Result>(_ body: (UnsafeRawPointer) -> Result) -> Result? { texts.withMemory(body) }
    private func string(_ text: JSONText) -> String? { texts.string(text) }

    /// What happened, in Apple's word.
    public var notificationType: V1NotificationType {
        V1NotificationType(rawValue: string(fields[.notificationType]) ?? "")
    }

    /// The environment; version 1 writes `PROD` for production.
    public var environment: NotificationEnvironment? {
        string(fields[.environment]).map(NotificationEnvironment.init(received:))
    }

    /// `bid`: the app's bundle id; absent before November 2019.
    public var bundleID: String? { string(fields[.bid]) }

    /// `bvrs`: the app's version; absent before November 2019.
    public var bundleVersion: String? { string(fields[.bvrs]) }

    /// The subscription it is about, as far as the top level says so; absent before about 2022.
    public var originalTransactionID: String? { string(fields[.originalTransactionID]) }

    /// The product of the next period.
    public var autoRenewProductID: String? { string(fields[.autoRenewProductID]) }

    /// Whether the subscription renews, as the top level states it.
    public var autoRenewStatus: Bool? {
        withMemory { TextView(memory: $0).truth(fields[.autoRenewStatus]) } ?? nil
    }

    /// The transactions of the receipt, in the order of the body; those of `unified_receipt` first.
    public var transactions: [Transaction] {
        (0..<fields.rows.count).map { row in
            Transaction(
                transactionID: string(fields[row: row, .transactionID]),
                originalTransactionID: string(fields[row: row, .originalTransactionID]),
                productID: string(fields[row: row, .productID]),
                purchaseDate: date(.purchase, row),
                expiresDate: date(.expires, row),
                cancellationDate: date(.cancellation, row))
        }
    }

    private func date(_ forms: V1DateForms, _ row: Int) -> EventTime? {
        let found = withMemory { TextView(memory: $0).date(forms, fields.rows, row).date }
        return (found ?? nil).map { EventTime(milliseconds: $0.milliseconds) }
    }

    /// One transaction of a receipt, of either era.
    public struct Transaction: Hashable, Sendable {
        /// The transaction.
        public var transactionID: String?
        /// The first transaction of the same subscription.
        public var originalTransactionID: String?
        /// The product.
        public var productID: String?
        /// When the period was bought or began.
        public var purchaseDate: EventTime?
        /// When the period ends; subscriptions only.
        public var expiresDate: EventTime?
        /// When it was refunded, or replaced by an upgrade.
        public var cancellationDate: EventTime?
    }
}

/// The scalars a notification consists of, in memory of their own: a few hundred bytes of a body of many thousand, so
/// that the body can go.
struct ScalarStorage: Hashable, Sendable {
    private let bytes: [UInt8]

    /// Of texts that were copied.
    init(_ buffer: OutputBuffer) { bytes = Array(buffer.bytes) }

    /// A buffer to copy texts to; a range never begins at 0, which means absent.
    static func buffer() -> OutputBuffer {
        let buffer = OutputBuffer(capacity: 1024)
        buffer.append(0)
        return buffer
    }

    func withMemory<Result>(_ body: (UnsafeRawPointer) -> Result) -> Result? {
        bytes.withUnsafeBytes { bytes in bytes.baseAddress.map(body) }
    }

    /// The characters of a text; `nil` of a blank one.
    func string(_ text: JSONText) -> String? {
        text.isBlank ? nil : withMemory { TextView(memory: $0).string(text) }
    }
}

extension JSONText {
    /// Its place after its bytes were appended to a buffer.
    func copied(from memory: UnsafeRawPointer, to buffer: OutputBuffer) -> JSONText {
        guard !isAbsent else { return .absent }
        let begin = buffer.count
        buffer.append(UnsafeRawBufferPointer(start: memory + start, count: count))
        return JSONText(begin, buffer.count, escaped: hasEscapes)
    }
}
