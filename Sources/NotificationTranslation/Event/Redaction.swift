/// Replaces what points to a person in events by pseudonyms; one for each worker, as it owns the memory they are in.
///
/// The only such value of an event is `transaction.app_account_token`.
final class Redaction {
    private let key: RedactionKey
    private let plain = OutputBuffer(capacity: 1024)
    private let pseudonym = OutputBuffer(capacity: 1024)

    init(_ key: RedactionKey) {
        self.key = key
    }

    /// Replaces the values; their texts are valid until the next call.
    func redact(_ event: inout EventDraft) {
        guard let token = event.transaction?.appAccountToken, !token.isAbsent else { return }
        // Escaped or not, the same characters have one pseudonym.
        plain.removeAll()
        if token.hasEscapes, let start = token.bytes.baseAddress {
            JSONEscapes.unescape(start, from: 0, to: token.bytes.count) { plain.append($0) }
        } else {
            plain.append(token.bytes)
        }
        pseudonym.removeAll()
        key.pseudonym(of: plain.bytes).withUnsafeBytes { pseudonym.append($0) }
        event.transaction?.appAccountToken = EventText(pseudonym.bytes)
    }
}
