/// Signs that a text carries a notification, whatever it is otherwise: the key `notification_type` or
/// `notificationType` with a string after it, or `signedPayload`, escaped or not.
///
/// Google's rows have `notificationType` with a number and no other sign.
enum NotificationSigns {
    private static let keys: [StaticString] = ["notification_type", "notificationType", "NotificationType"]

    /// Whether a name of Apple's is anywhere in a text.
    static func mayBe(in text: UnsafeRawBufferPointer) -> Bool {
        keys.contains { text.holds($0) } || text.holds("signedPayload")
    }

    /// Whether a text shows signs of a notification; the keys of types are none if `types` is false.
    static func stand(in text: UnsafeRawBufferPointer, types: Bool = true) -> Bool {
        if standUnescaped(in: text, types) { return true }
        guard text.holds("\\u00") else { return false }
        return withoutEscapedLetters(text).withUnsafeBytes { standUnescaped(in: $0, types) }
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

    private static func standUnescaped(in text: UnsafeRawBufferPointer, _ types: Bool) -> Bool {
        if text.holds("signedPayload") { return true }
        for key in keys where types {
            var start = 0
            while let place = text.place(of: key, from: start) {
                start = place + key.utf8CodeUnitCount
                if isKeyOfText(text, start) { return true }
            }
        }
        return false
    }

    /// Whether what follows a key makes it the key of a string: `": "` in JSON, `\":\"` in a text, `"=>"` in Ruby,
    /// `: '` in a log of Node, `&quot;:&quot;` in XML, `%22%3A%22` in a form.
    private static func isKeyOfText(_ text: UnsafeRawBufferPointer, _ start: Int) -> Bool {
        var at = start
        func skip(_ words: [StaticString]) -> Bool {
            let before = at
            while let word = words.first(where: { matches($0, in: text, at) }) { at += word.utf8CodeUnitCount }
            return at > before
        }
        _ = skip(quotes + ["\\", " ", "+", "%5C", "%20"])
        guard skip([":", "=", "%3A", "%3a"]) else { return false }
        _ = skip([":", "=", ">", " ", "\n", "\r", "\t", "\\", "+", "%5C", "%20"])
        return quotes.contains { matches($0, in: text, at) }
    }

    private static let quotes: [StaticString] = ["\"", "'", "&quot;", "&#34;", "%22"]

    private static func matches(_ word: StaticString, in text: UnsafeRawBufferPointer, _ at: Int) -> Bool {
        at + word.utf8CodeUnitCount <= text.count
            && (0..<word.utf8CodeUnitCount).allSatisfy { text[at + $0] == word.utf8Start[$0] }
    }
}
