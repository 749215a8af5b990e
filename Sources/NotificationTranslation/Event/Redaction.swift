/// Replaces what points to a person in events by pseudonyms; one for each worker, as it owns the memory they are in.
///
/// The only such value is the token of an account: in `transaction.app_account_token`, and wherever else V2 has it.
package final class Redaction {
    private let key: RedactionKey
    private let pseudonym = OutputBuffer(capacity: 1024)

    package init(_ key: RedactionKey) { self.key = key }

    /// Replaces the values; their texts are valid until the next call.
    package func redact(_ event: inout EventDraft) {
        if event.details.withUnsafeBytes({ $0.holds("app_account_token") }), let tree = try? JSONTree(event.details) {
            event.details = redacted(JSONValue(tree)).bytes
        }
        guard let token = event.transaction?.appAccountToken.string else { return }
        pseudonym.removeAll()
        pseudonym.append(key.pseudonym(of: token))
        event.transaction?.appAccountToken = EventText(pseudonym.bytes)
    }

    /// Replaces the tokens in details.
    private func redacted(_ value: JSONValue) -> JSONValue {
        switch value {
        case .array(let elements): return .array(elements.map(redacted))
        case .object(var members):
            members = members.mapValues(redacted)
            if let token = members["app_account_token"]?.string, !token.isEmpty {
                members["app_account_token"] = .string(key.pseudonym(of: token))
            }
            return .object(members)
        default: return value
        }
    }
}
