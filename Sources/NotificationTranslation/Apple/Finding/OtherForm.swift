/// Forms that look like JSON and are none: what programs print of their own values.
///
/// The reject of such a text names the form and, where there is one, the function or program that writes JSON.
package enum OtherForm {
    /// The sentence for a text; `nil` if it is none of them.
    private static func sentence(for text: UnsafeRawBufferPointer) -> String? {
        if text.holds("\"=>") || text.holds("\" => ") {
            return "the form of a Ruby hash, not JSON; write it with to_json"
        }
        if text.holds("ObjectId(") || text.holds("ISODate(") || text.holds("NumberLong(") {
            return "the form of MongoDB's shell, not JSON; export it with mongoexport"
        }
        if text.holds("'notification_type': '") || text.holds("'notificationType': '")
            || text.holds("'signedPayload': '")
        {
            return "the form of a Python dictionary, not JSON; write it with json.dumps"
        }
        if text.holds("notification_type: '") || text.holds("notificationType: '") || text.holds("signedPayload: '") {
            return "the form of an object in Node's log, not JSON; write it with JSON.stringify"
        }
        if text.holds("</"), text.holds("&quot;") { return "XML, not JSON" }
        guard !beginsAsJSON(text), NotificationSigns.stand(in: text) else { return nil }
        return "not JSON, but it shows signs of a notification; convert --input-format log reads a log, what a program "
            + "printed of its values (print_r, %+v, toString, YAML) has to be written as JSON, hexadecimal and gzip decoded"
    }

    private static func beginsAsJSON(_ text: UnsafeRawBufferPointer) -> Bool {
        let start = text.lazy.filter { $0 > 0x20 }.prefix(2).map { $0 }
        guard let first = start.first, let second = start.last else { return true }
        return first == 0x22 || first == 0x65 && second == 0x79 || first == 0x7B && (second == 0x22 || second == 0x7D)
            || first == 0x5B && #"{["]"#.utf8.contains(second)
    }

    /// Replaces the sentence of an error if its text is in one of the forms.
    package static func explained(_ error: NotificationError, _ text: UnsafeRawBufferPointer) -> NotificationError {
        guard error.code.rawValue.hasPrefix("json."), error.code.rawValue != "json.unexpected-end",
            let sentence = sentence(for: text)
        else { return error }
        var error = error
        error.sentence = sentence
        return error
    }
}
