/// An event line of ours, of this run or of an earlier one, as far as two runs are compared by it.
package struct ComparedEvent {
    private let tree: JSONTree

    /// Reads a line without its end; `nil` for one that is not an event of ours, of whatever version.
    package init?(_ line: [UInt8]) {
        guard let tree = try? JSONTree(line), tree.kind == .object, tree.member("schema_version")?.kind == .string,
            tree.member("id")?.kind == .string, tree.member("type")?.kind == .string,
            tree.member("disposition")?.kind == .string, tree.member("source")?.kind == .object
        else { return nil }
        self.tree = tree
    }

    package var id: String { tree.member("id")?.characters ?? "" }
    package var kind: String { tree.member("type")?.characters ?? "" }
    package var disposition: String { tree.member("disposition")?.characters ?? "" }
    package var rule: String? { source("rule") }
    package var rulesVersion: String? { source("rules_version") }

    /// The type that it was received under; `nil` for a deduced event.
    package var sourceType: String? { source("type") }

    /// `TYPE/SUBTYPE`, or `TYPE`; `nil` for no event of its own.
    package var pair: String? {
        guard let type = tree.member("v2")?.member("type")?.string else { return nil }
        return tree.member("v2")?.member("subtype")?.string.map { "\(type)/\($0)" } ?? type
    }

    /// Where its record is.
    package var place: ReportFigures.Place {
        ReportFigures.Place(
            input: source("input") ?? "?", line: tree.member("source")?.member("line")?.integer ?? 0)
    }

    private func source(_ key: StaticString) -> String? { tree.member("source")?.member(key)?.string }

    /// A number that equal ids share.
    package var key: UInt64 {
        var id = id
        let hash = id.withUTF8 { TimelineID.of(EventText(UnsafeRawBufferPointer($0))) }
        return (hash ^ hash >> 32) &* 0x9E37_79B9_7F4A_7C15
    }

    /// Whether it is a notification delivered again, which carries the id of the first delivery.
    package var isDuplicate: Bool { disposition == Disposition.duplicate.rawValue }

    /// A number of 31 bits that distinguishes deliveries of one notification by what was received when.
    package var delivery: UInt64 {
        var text = [source("version"), sourceType, source("received_at")].map { $0 ?? "" }.joined(separator: "\n")
        return text.withUTF8 { TimelineID.of(EventText(UnsafeRawBufferPointer($0))) } &* 0x9E37_79B9_7F4A_7C15 >> 33
    }

    // MARK: What changed

    /// Where a record was and which rules there were; a change of these is none of the event.
    private static let places: Set<String> = ["input", "line", "offset", "rules_version"]
    private static let objects = Set(
        EventFieldTable.current.event.fields.filter { $0.kind == .object || $0.kind == .pair }.map(\.key))

    /// The fields that an event of an earlier run has otherwise, such as `transaction.product_type`.
    ///
    /// In the order of this event. A key that is absent counts as `null`.
    package func fields(changedFrom old: ComparedEvent) -> [String] {
        var fields: [String] = []
        for key in Self.keys(tree, old.tree) where key != "schema_version" {
            let (one, other) = (tree[key], old.tree[key])
            guard Self.objects.contains(key), one?.kind == .object, other?.kind == .object, let one, let other else {
                if !Self.isSame(one, other) { fields.append(key) }
                continue
            }
            for inner in Self.keys(one, other) where key != "source" || !Self.places.contains(inner) {
                if !Self.isSame(one[inner], other[inner]) { fields.append("\(key).\(inner)") }
            }
        }
        return fields
    }

    private static func keys(_ one: JSONTree, _ other: JSONTree) -> [String] {
        let keys = one.keys
        let known = Set(keys)
        return keys + other.keys.filter { !known.contains($0) }
    }

    private static func isSame(_ one: JSONTree?, _ other: JSONTree?) -> Bool {
        guard let one, let other else { return isNothing(one) && isNothing(other) }
        guard one.kind == other.kind else { return false }
        switch one.kind {
        case .string, .number: return one.characters == other.characters
        case .true, .false, .null: return true
        case .array:
            let (left, right) = (Array(one.parts), Array(other.parts))
            return left.count == right.count && zip(left, right).allSatisfy { isSame($0, $1) }
        case .object: return keys(one, other).allSatisfy { isSame(one[$0], other[$0]) }
        }
    }

    private static func isNothing(_ tree: JSONTree?) -> Bool {
        guard let tree else { return true }
        return tree.kind == .null || tree.kind == .array && tree.parts.count == 0
    }
}
