/// In which ways a body differs from the shape that Apple sends, because it was rewritten when it was stored; see
/// ``BodyReshaper``.
struct BodyOddities: OptionSet, Hashable, Sendable {
    var rawValue: UInt16

    /// JSON in a text where an object or array belongs: a column of a table.
    static let texts = BodyOddities(rawValue: 1)
    /// Columns of a table such as `unified_receipt.latest_receipt_info`; those of single fields of its lists are not read.
    static let paths = BodyOddities(rawValue: 2)
    /// Fields of one transaction or renewal among those of the outermost object.
    static let flatRow = BodyOddities(rawValue: 4)
    /// Version 1's keys in camelCase.
    static let version1InCamelCase = BodyOddities(rawValue: 8)
    /// Version 2's keys in snake_case.
    static let version2InSnakeCase = BodyOddities(rawValue: 16)
    /// Keys that begin with a capital.
    static let capitals = BodyOddities(rawValue: 32)
    /// Fields of version 2's transaction or renewal among those of the outermost object.
    static let flatTransaction = BodyOddities(rawValue: 64)
    /// The transaction or the renewal of version 2 under a key in snake_case.
    static let partsInSnakeCase = BodyOddities(rawValue: 128)
    /// Version 1's keys in camelCase, inside the receipt.
    static let receiptInCamelCase = BodyOddities(rawValue: 256)
    /// Values in objects that name their type, as databases write them; see ``TypedValues``.
    static let typedValues = BodyOddities(rawValue: 512)
    /// An object or array where a scalar belongs.
    static let misplaced = BodyOddities(rawValue: 1024)

    /// Keys that begin paths.
    static let prefixes = [
        "unified_receipt", "latest_receipt_info", "latest_expired_receipt_info", "pending_renewal_info",
    ]

    /// Keys of the outermost object that are in no list of Apple's, each with what it is a sign of.
    private static let signs: [(key: StaticString, oddity: BodyOddities)] = [
        ("unifiedReceipt", .version1InCamelCase), ("latestReceiptInfo", .version1InCamelCase),
        ("latestExpiredReceiptInfo", .version1InCamelCase), ("pendingRenewalInfo", .version1InCamelCase),
        ("autoRenewStatus", .version1InCamelCase), ("autoRenewProductId", .version1InCamelCase),
        ("autoRenewStatusChangeDateMs", .version1InCamelCase),
        ("notification_uuid", .version2InSnakeCase), ("signed_date", .version2InSnakeCase),
        ("transaction_info", [.version2InSnakeCase, .partsInSnakeCase]),
        ("renewal_info", [.version2InSnakeCase, .partsInSnakeCase]),
        ("signed_transaction_info", [.version2InSnakeCase, .partsInSnakeCase]),
        ("signed_renewal_info", [.version2InSnakeCase, .partsInSnakeCase]),
        ("NotificationType", .capitals), ("transactionId", .flatTransaction), ("purchaseDate", .flatTransaction),
        ("originalPurchaseDate", .flatTransaction), ("expiresDate", .flatTransaction),
        ("revocationDate", .flatTransaction), ("gracePeriodExpiresDate", .flatTransaction),
        ("renewalDate", .flatTransaction), ("purchaseDateMs", .version1InCamelCase),
        ("expiresDateMs", .version1InCamelCase), ("cancellationDateMs", .version1InCamelCase),
        ("cancellationDate", .version1InCamelCase),
    ]

    private static let keys = KeyTable(signs.map(\.key))

    /// What a key that is none of the outermost object's own is a sign of.
    static func of(_ key: JSONText, _ value: JSONWalker.Value, _ memory: UnsafeRawPointer) -> BodyOddities {
        guard value.kind != .null, value.kind != .string || !value.text.isBlank else { return [] }
        let slot = keys.slot(of: key, memory)
        if slot >= 0 { return signs[slot].oddity }
        if value.kind.isScalar, V1Keys.row.slot(of: key, memory) >= 0 || V1Keys.pending.slot(of: key, memory) >= 0 {
            return .flatRow
        }
        let isPath = key.withCharacters(in: memory) { key in
            prefixes.contains { $0.utf8.count < key.count && key.starts(with: $0.utf8) }
        }
        return isPath ? .paths : []
    }

    /// The field of `unified_receipt` that a column is: `latest_receipt_info` of `unified_receipt.latest_receipt_info`; `nil`
    /// for any other key.
    static func column(of key: String) -> String? {
        guard key.hasPrefix("unified_receipt"), key.utf8.count > 15, ".[/:_".contains(key.dropFirst(15).prefix(1))
        else { return nil }
        return String(key.dropFirst(15).drop { ".[]/:_".contains($0) })
    }

    /// What an object or array in the place of a scalar is.
    static func inPlaceOfScalar(_ value: JSONTree) -> BodyOddities {
        TypedValues.isWrapping(value) ? [.typedValues, .misplaced] : .misplaced
    }
}
