@testable import PayloadVerification

/// The content of an app receipt: a set of attributes, right unless a test asks for something else.
struct ReceiptContent: Sendable {
    /// One record.
    struct Record: Sendable {
        var transaction = "1000000710000002"
        var original = "1000000710000001"
        var product = "com.example.app.month"
        var purchased = "2023-11-14T22:13:15Z"
        var originalPurchased = "2023-10-14T22:13:15Z"
        var expires = "2023-12-14T22:13:15Z"
        var cancelled = ""
        var quantity: Int64 = 1
        var line: Int64 = 1_000_000_056_000_002
        /// More attributes, or others of the same types.
        var more: [[UInt8]] = []
        /// The types that are left out.
        var without: Set<Int64> = []

        var bytes: [UInt8] {
            let attributes: [(Int64, [UInt8])] = [
                (1701, DERWriter.number(quantity)), (1702, DERWriter.utf8(product)),
                (1703, DERWriter.utf8(transaction)), (1704, DERWriter.ia5(purchased)),
                (1705, DERWriter.utf8(original)), (1706, DERWriter.ia5(originalPurchased)),
                (1708, DERWriter.ia5(expires)), (1711, DERWriter.number(line)), (1712, DERWriter.ia5(cancelled)),
                (1713, DERWriter.number(0)), (1719, DERWriter.number(1)),
                (1707, [0x04, 0x00]),
            ]
            let kept = attributes.filter { !without.contains($0.0) }.map { ReceiptContent.attribute($0.0, $0.1) }
            return DERWriter.set(kept + more)
        }
    }

    /// 2023-11-14, as ``Token/signedDate``.
    static let created = "2023-11-14T22:13:20Z"

    var kind: String? = "Production"
    var bundleID: String? = "com.example.app"
    var created: String? = ReceiptContent.created
    var records = [Record()]
    /// More attributes.
    var more: [[UInt8]] = []

    static func attribute(_ type: Int64, _ value: [UInt8], version: Int64 = 1) -> [UInt8] {
        DERWriter.sequence(DERWriter.number(type), DERWriter.number(version), DERWriter.octets(value))
    }

    var bytes: [UInt8] {
        var parts = records.map { Self.attribute(17, $0.bytes) }
        parts.insert(Self.attribute(4, [7, 7, 7, 7]), at: 0)
        if let kind { parts.append(Self.attribute(0, DERWriter.utf8(kind))) }
        if let bundleID { parts.append(Self.attribute(2, DERWriter.utf8(bundleID))) }
        if let created { parts.append(Self.attribute(12, DERWriter.ia5(created))) }
        parts.append(Self.attribute(3, DERWriter.utf8("41")))
        parts.append(Self.attribute(19, DERWriter.utf8("1.0")))
        parts.append(Self.attribute(21, DERWriter.ia5("")))
        return DERWriter.set(parts + more)
    }
}
