import ArchiveConversion
import NotificationTranslation

/// What the options about redaction ask for.
enum RedactionArguments {
    /// The key of the pseudonyms; `nil` where nothing is to be replaced.
    static func key(_ arguments: Arguments) throws -> RedactionKey? {
        guard arguments.value("--redact") == "pii" else {
            guard !arguments.has("--redact-key-file") else {
                throw arguments.refusal("--redact-key-file needs --redact pii.")
            }
            return nil
        }
        guard let path = arguments.value("--redact-key-file") else {
            throw arguments.refusal(
                "--redact pii needs --redact-key-file PATH: 32 random bytes, such as head -c 32 /dev/urandom gives.")
        }
        let bytes = try SmallFile.bytes(path, for: "--redact-key-file", arguments)
        do throws(RedactionKey.TooShort) {
            return try RedactionKey(bytes)
        } catch {
            throw arguments.refusal("--redact-key-file \(printable(path)): \(error).")
        }
    }
}
