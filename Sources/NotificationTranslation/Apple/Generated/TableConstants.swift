// Written from Mappings/ by `RECORD=1 swift test --filter Generated`; a test compares them.

extension AppleDate {
    /// `earliest_date` of `v1-to-v2.json`, in milliseconds since 1970: what is earlier is not read as a date.
    static let opening: Int64 = 1199145600000
}
