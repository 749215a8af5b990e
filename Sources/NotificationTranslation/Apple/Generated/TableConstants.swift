// Written from Mappings/ by `RECORD=1 swift test --filter Generated`; a test compares them.

extension AppleDate {
    /// `earliest_date` of `v1-to-v2.json`, in milliseconds since 1970: what is earlier is not read as a date.
    static let opening: Int64 = 1199145600000
}

extension V1NotificationType {
    /// The types of `v1-to-v2.json` that version 2 never had.
    static let onlyVersion1: Set<V1NotificationType> = [
        Self(rawValue: "INITIAL_BUY"),
        Self(rawValue: "INTERACTIVE_RENEWAL"),
        Self(rawValue: "CANCEL"),
        Self(rawValue: "DID_RECOVER"),
        Self(rawValue: "RENEWAL"),
        Self(rawValue: "PRICE_INCREASE_CONSENT"),
    ]
}
