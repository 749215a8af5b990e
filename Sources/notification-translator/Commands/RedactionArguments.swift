import NotificationArchives
import NotificationTranslation

/// What the options about redaction ask for.
enum RedactionArguments {
    /// The key of the pseudonyms; `nil` where nothing is to be replaced.
    static func key(_ arguments: Arguments) throws -> RedactionKey? {
        guard let path = arguments.value("--redact") else { return nil }
        let bytes = try SmallFile.bytes(path, for: "--redact", arguments)
        do throws(RedactionKey.TooShort) {
            return try RedactionKey(bytes)
        } catch {
            throw arguments.refusal("--redact \(printable(path)): \(error).")
        }
    }
}
