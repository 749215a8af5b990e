/// Bodies that are small and yet notifications.
enum Body {
    static func cancel(_ number: Int) -> String {
        #"{"notification_type":"CANCEL","environment":"PROD","bid":"app.\#(number)"}"#
    }

    static func pretty(_ number: Int) -> String {
        """
        {
          "notification_type": "CANCEL",
          "environment": "PROD",
          "unified_receipt": {
            "latest_receipt_info": [
              {"transaction_id": "{[\\"}", "x": []},
              {}
            ]
          },
          "bid": "app.\(number)"
        }
        """
    }

    static func lines(_ count: Int) -> String { (1...count).map(cancel).asLines }
}
