/// Signs that a text carries a notification, whatever it is otherwise: the key `notification_type` or
/// `notificationType` with a string behind it, or `signedPayload`, escaped or not.
///
/// Google's rows have `notificationType` with a number and no other sign.
enum NotificationSigns {
    private static let keys: [StaticString] = ["notification_type", "notificationType", "NotificationType"]

    /// Whether a name of Apple's stands anywhere in a text.
    static func mayStand(in text: UnsafeRawBufferPointer) -> Bool {
        keys.contains { text.holds($0) } || text.holds("signedPayload")
    }

    /// Whether a text shows signs of a notification.
    static func stand(in text: UnsafeRawBufferPointer) -> Bool {
        if text.holds("signedPayload") { return true }
        for key in keys {
            var start = 0
            while let place = text.place(of: key, from: start) {
                start = place + key.utf8CodeUnitCount
                if isKeyOfText(text, start) { return true }
            }
        }
        return false
    }

    /// Whether what stands behind a key makes it the key of a string: `": "` in JSON, `\":\"` in a text, `"=>"` in Ruby,
    /// `: '` in a log of Node.
    private static func isKeyOfText(_ text: UnsafeRawBufferPointer, _ start: Int) -> Bool {
        var at = start
        func skip(_ bytes: StaticString) {
            while at < text.count, (0..<bytes.utf8CodeUnitCount).contains(where: { bytes.utf8Start[$0] == text[at] }) {
                at += 1
            }
        }
        skip("\\\"' ")
        guard at < text.count, text[at] == 0x3A || text[at] == 0x3D else { return false }
        skip(":=> \n\r\t\\")
        guard at < text.count else { return false }
        // Form-encoded and PHP's forms are recognised by whole files.
        return text[at] == 0x22 || text[at] == 0x27
    }
}
