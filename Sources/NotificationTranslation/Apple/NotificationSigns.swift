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
        if standUnescaped(in: text) { return true }
        guard text.holds("\\u00") else { return false }
        return withoutEscapedLetters(text).withUnsafeBytes { standUnescaped(in: $0) }
    }

    /// The text with its ASCII characters as they are where JSON has them as `\u0079`, or as `\\u0079` in a text of it.
    private static func withoutEscapedLetters(_ text: UnsafeRawBufferPointer) -> [UInt8] {
        var plain: [UInt8] = []
        plain.reserveCapacity(text.count)
        var at = 0
        while at < text.count {
            if text[at] == 0x5C, text.count - at >= 6, text[at + 1..<at + 4].elementsEqual("u00".utf8),
                let byte = UInt8(String(decoding: text[at + 4..<at + 6], as: UTF8.self), radix: 16), 0x20...0x7E ~= byte
            {
                while plain.last == 0x5C { plain.removeLast() }
                plain.append(byte)
                at += 6
            } else {
                plain.append(text[at])
                at += 1
            }
        }
        return plain
    }

    private static func standUnescaped(in text: UnsafeRawBufferPointer) -> Bool {
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
