extension AuthenticityError {
    /// The code as it is in rejects and messages.
    public var code: NotificationError.Code { NotificationError.Code(rawValue: reason.rawValue) }
}

extension NotificationError {
    /// The refusal as the error of a record.
    ///
    /// - Parameters:
    ///   - refusal: Why the notification is not believed.
    ///   - offset: Where in the record the notification's signed text, or its password, is.
    package init(_ refusal: AuthenticityError, offset: Int = 0) {
        self.init(code: refusal.code, path: refusal.path, offset: offset, sentence: refusal.sentence)
    }
}
