/// Small bodies that are notifications.
enum Body {
    static func cancel(_ number: Int) -> String {
        #"{"notification_type":"CANCEL","environment":"PROD","bid":"app.\#(number)"}"#
    }

    static func lines(_ count: Int) -> String { (1...count).map(cancel).asLines }

    /// A row of a list: a period that began at a time in milliseconds, and lasts a month if nothing else is said.
    static func row(
        _ original: String, _ transaction: String? = nil, of product: String = "news.monthly", from begin: Int64,
        lasting length: Int64? = 2_592_000_000, _ more: String = ""
    ) -> String {
        let end = length.map { #","expires_date_ms":"\#(begin + $0)""# } ?? ""
        return #"{"original_transaction_id":"\#(original)","transaction_id":"\#(transaction ?? original)","#
            + #""product_id":"\#(product)","purchase_date_ms":"\#(begin)"\#(end)\#(more)}"#
    }

    /// A body of version 1 with a list, and an entry about renewal and a time of arrival where they are given.
    static func version1(
        _ type: String, _ rows: [String], _ more: String = "", bid: String? = "com.example.news",
        environment: String = "PROD", pending: String? = nil, at time: Int64? = nil
    ) -> String {
        let app = bid.map { #","bid":"\#($0)""# } ?? ""
        let renewal = pending.map { #","pending_renewal_info":[{\#($0)}]"# } ?? ""
        let body =
            #"{"notification_type":"\#(type)","environment":"\#(environment)"\#(app)\#(more),"unified_receipt":"#
            + #"{"latest_receipt_info":[\#(rows.joined(separator: ","))]\#(renewal)}}"#
        return time.map { #"{"receivedAt":\#($0),"body":\#(body)}"# } ?? body
    }
}
