/// Small bodies that are notifications.
enum Body {
    static func cancel(_ number: Int) -> String {
        #"{"notification_type":"CANCEL","environment":"PROD","bid":"app.\#(number)"}"#
    }

    static func lines(_ count: Int) -> String {
        (1...count).map { cancel($0) + "\n" }.joined()
    }
}
