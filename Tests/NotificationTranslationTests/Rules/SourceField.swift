@testable import NotificationTranslation

/// One field of a V1 body by its path in `fields.json`, and bodies that have it, or not.
struct SourceField {
    /// The object that the field stands in.
    enum Place: String, CaseIterable {
        case row = "unified_receipt.latest_receipt_info[]."
        case pending = "unified_receipt.pending_renewal_info[]."
        case unified = "unified_receipt."
        case single = "latest_receipt_info."
        case top = ""
    }

    var place: Place
    var name: String

    init(_ path: String) {
        place = Place.allCases.first { path.hasPrefix($0.rawValue) } ?? .top
        name = String(path.dropFirst(place.rawValue.count))
    }

    /// A body of a type, with each of these fields set to a JSON text, or left out.
    static func body(type: String, _ values: [(field: SourceField, value: String?)]) -> [UInt8] {
        let isSingle = values.contains { $0.field.place == .single }
        var row: Members = isSingle ? Self.single : Self.row
        var top: Members = ["notification_type": "\"\(type)\""]
        var pending: Members = isSingle ? [:] : ["product_id": "\"com.example.month\""]
        if !isSingle { pending["original_transaction_id"] = "\"700000000000001\"" }
        var unified: Members = [:]
        for (field, value) in values {
            switch field.place {
            case .row, .single: row[field.name] = value
            case .pending: pending[field.name] = value
            case .unified: unified[field.name] = value
            case .top: top[field.name] = value
            }
        }
        if isSingle {
            top["latest_receipt_info"] = text(row)
        } else {
            unified["latest_receipt_info"] = "[\(text(row))]"
            unified["pending_renewal_info"] = "[\(text(pending))]"
            top["unified_receipt"] = text(unified)
        }
        return Array(text(top).utf8)
    }

    private typealias Members = [String: String]

    private static let row: Members = [
        "transaction_id": "\"700000000000002\"", "original_transaction_id": "\"700000000000001\"",
        "product_id": "\"com.example.month\"", "purchase_date_ms": "\"1614589200000\"",
        "expires_date_ms": "\"1617267600000\"",
    ]

    /// The same, with the end under the name that it had in the first era.
    private static let single = Members(
        uniqueKeysWithValues: row.map { ($0.key == "expires_date_ms" ? "expires_date" : $0.key, $0.value) })

    private static func text(_ members: Members) -> String {
        "{" + members.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",") + "}"
    }
}
