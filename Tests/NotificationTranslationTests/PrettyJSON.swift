@testable import NotificationTranslation

/// Lays a compact JSON text out for people: the order of the keys and every literal stay as they are.
///
/// Objects and arrays that hold no others stay on one line as long as they fit into it.
enum PrettyJSON {
    private static let width = 100

    /// The text over several lines, the last one ended too.
    static func text(_ compact: String) -> String {
        (JSONTree.parsed(Array(compact.utf8)).map { text($0, lineStart: "\n") } ?? compact) + "\n"
    }

    private static func text(_ tree: JSONTree, lineStart: String) -> String {
        guard isContainer(tree) else { return literal(tree) }
        let inner = lineStart + "  "
        let members = tree.pairs.map { literal($0.key) + ": " + text($0.value, lineStart: inner) }
        let entries = tree.kind == .object ? members : tree.parts.map { text($0, lineStart: inner) }
        let isShort = tree.bytes.count <= width && !tree.parts.contains(where: isContainer)
        let list = entries.joined(separator: isShort ? ", " : "," + inner)
        let content = isShort ? list : inner + list + lineStart
        return tree.kind == .object ? "{\(content)}" : "[\(content)]"
    }

    private static func isContainer(_ tree: JSONTree) -> Bool { tree.kind == .object || tree.kind == .array }

    /// A string, number or word as it stands.
    private static func literal(_ tree: JSONTree) -> String {
        let quote = tree.kind == .string ? "\"" : ""
        return quote + String(decoding: tree.bytes, as: UTF8.self) + quote
    }
}
