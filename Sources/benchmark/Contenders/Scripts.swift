/// The same job in other languages: the newest transaction of each body, twenty fields as a line of JSON.
enum Scripts {
    /// For python3 with orjson; the archive is its argument.
    static let orjson = """
        import sys
        from orjson import dumps, loads
        def main(path):
            write = sys.stdout.buffer.write
            with open(path, "rb", buffering=1 << 20) as lines:
                for line in lines:
                    body = loads(line)
                    row = {}
                    newest = -1
                    for candidate in body["unified_receipt"]["latest_receipt_info"]:
                        bought = int(candidate["purchase_date_ms"])
                        if bought > newest:
                            newest = bought
                            row = candidate
                    top = body.get
                    get = row.get
                    write(dumps({
                        \(pythonFields)
                    }))
                    write(b"\\n")
        main(sys.argv[1])
        """

    /// For jq; the archive is its input.
    static let jq = """
        ((.unified_receipt.latest_receipt_info // []) | max_by(.purchase_date_ms | tonumber)) as $row | \
        {\(top.joined(separator: ", ")), \(row.map { "\($0): $row.\($0)" }.joined(separator: ", "))}
        """

    private static let top = [
        "notification_type", "environment", "bid", "bvrs", "auto_renew_status", "auto_renew_product_id",
    ]
    private static let row = [
        "original_transaction_id", "transaction_id", "product_id", "purchase_date_ms", "original_purchase_date_ms",
        "expires_date_ms", "cancellation_date_ms", "cancellation_reason", "web_order_line_item_id",
        "is_trial_period", "is_in_intro_offer_period", "subscription_group_identifier", "in_app_ownership_type",
        "quantity",
    ]

    private static var pythonFields: String {
        (top.map { "\"\($0)\": top(\"\($0)\")" } + row.map { "\"\($0)\": get(\"\($0)\")" }).joined(separator: ", ")
    }
}
