/// One transaction of a receipt: 18 to 26 string members, in the order of its body.
struct TransactionRow {
    /// Members, each with its value where the transaction has it.
    private(set) var values: [String?]

    /// Every member there is, in the order in which Apple's documentation lists them.
    static let keys = [
        "quantity", "product_id", "transaction_id", "original_transaction_id", "purchase_date", "purchase_date_ms",
        "purchase_date_pst", "original_purchase_date", "original_purchase_date_ms", "original_purchase_date_pst",
        "expires_date", "expires_date_ms", "expires_date_pst", "cancellation_date", "cancellation_date_ms",
        "cancellation_date_pst", "cancellation_reason", "web_order_line_item_id", "is_trial_period",
        "is_in_intro_offer_period", "is_upgraded", "in_app_ownership_type", "subscription_group_identifier",
        "offer_code_ref_name", "promotional_offer_id", "app_account_token",
    ]

    private static let places = Dictionary(uniqueKeysWithValues: keys.enumerated().map { ($1, $0) })

    init() {
        values = Array(repeating: nil, count: Self.keys.count)
    }

    subscript(_ key: String) -> String? {
        get { Self.places[key].flatMap { values[$0] } }
        set { if let place = Self.places[key] { values[place] = newValue } }
    }

    /// Sets the three spellings of a date.
    mutating func date(_ key: String, _ milliseconds: Int) {
        for (suffix, value) in Self.spellings(milliseconds) { self[key + suffix] = value }
    }

    /// The three spellings Apple sends for each date, by the endings of their keys.
    static func spellings(_ milliseconds: Int) -> [(suffix: String, value: String)] {
        let seconds = milliseconds / 1000
        return [
            ("", clock(seconds) + " Etc/GMT"), ("_ms", String(milliseconds)),
            ("_pst", clock(seconds - 8 * 3600) + " America/Los_Angeles"),
        ]
    }

    /// `2020-11-03 09:12:44` of seconds since 1970; days to dates after Howard Hinnant's `civil_from_days`.
    static func clock(_ seconds: Int) -> String {
        let second = seconds % 86_400
        let shifted = seconds / 86_400 + 719_468
        let era = shifted / 146_097
        let day = shifted % 146_097
        let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365
        let rest = day - (365 * year + year / 4 - year / 100)
        let month = (5 * rest + 2) / 153
        let civilMonth = month < 10 ? month + 3 : month - 9
        let parts = [rest - (153 * month + 2) / 5 + 1, second / 3600, second / 60 % 60, second % 60]
        let text = parts.map { $0 < 10 ? "0\($0)" : "\($0)" }
        let civilYear = year + era * 400 + (civilMonth <= 2 ? 1 : 0)
        return "\(civilYear)-\(civilMonth < 10 ? "0" : "")\(civilMonth)-\(text[0]) \(text[1]):\(text[2]):\(text[3])"
    }
}
