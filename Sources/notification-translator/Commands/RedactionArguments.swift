import ArchiveConversion
import NotificationTranslation

/// What the options about redaction ask for.
enum RedactionArguments {
    /// The key of the pseudonyms; `nil` where nothing is to be replaced.
    static func key(_ arguments: Arguments) throws -> RedactionKey? {
        guard arguments.value("--redact") == "pii" else {
            guard !arguments.has("--redact-key-file") else {
                throw UsageError("--redact-key-file needs --redact pii.", command: arguments.command)
            }
            return nil
        }
        guard let path = arguments.value("--redact-key-file") else {
            throw UsageError(
                "--redact pii needs --redact-key-file PATH: 32 random bytes, such as head -c 32 /dev/urandom gives.",
                command: arguments.command)
        }
        let bytes = try SmallFile.bytes(path, for: "--redact-key-file", arguments)
        do throws(RedactionKey.TooShort) {
            return try RedactionKey(bytes)
        } catch {
            throw UsageError("--redact-key-file \(printable(path)): \(error).", command: arguments.command)
        }
    }
}
