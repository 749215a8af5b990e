import ArchiveConversion
import NotificationTranslation

/// What `--catalogue` asks for.
enum CatalogueArguments {
    /// The catalogue of products that a file holds; `nil` where none is named.
    static func catalogue(_ arguments: Arguments) throws -> ProductCatalogue? {
        guard let path = arguments.value("--catalogue") else { return nil }
        let bytes = try SmallFile.bytes(path, for: "--catalogue", arguments, limit: 64 << 20)
        do throws(CatalogueError) {
            return try ProductCatalogue(file: bytes)
        } catch {
            throw arguments.refusal("--catalogue \(printable(path)):\(error.line): \(printable(error.sentence)).")
        }
    }
}
