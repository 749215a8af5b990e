/// A whole JSON text as values: for tables and options, which are small and read once.
///
/// Notifications never become one.
enum JSONTree: Hashable, Sendable {
    case object(Members)
    case array([JSONTree])
    case string(String)
    /// The literal as it stands in the text.
    case number(String)
    case bool(Bool)
    case null

    /// The members of an object, in the order of the text.
    ///
    /// The objects of tables have a dozen, for which looking
    /// through a list is faster than any hashing; two are equal if they hold the same members, in whatever order.
    struct Members: Hashable, Sendable {
        private(set) var keys: [String] = []
        private var values: [JSONTree] = []

        subscript(key: String) -> JSONTree? {
            keys.firstIndex(of: key).map { values[$0] }
        }

        mutating func append(_ key: String, _ value: JSONTree) {
            if keys.isEmpty {
                keys.reserveCapacity(8)
                values.reserveCapacity(8)
            }
            keys.append(key)
            values.append(value)
        }

        static func == (one: Members, other: Members) -> Bool {
            one.keys.count == other.keys.count && one.keys.allSatisfy { one[$0] == other[$0] }
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(keys.count)
        }
    }

    /// The tree of a text.
    init(_ text: [UInt8]) throws(JSONFault) {
        let padded = text + [UInt8](repeating: 0, count: JSONScanner.slack)
        let outcome: Result<JSONTree, JSONFault> = padded.withUnsafeBytes { bytes in
            do throws(JSONFault) {
                guard let memory = bytes.baseAddress else { throw JSONFault(code: .unexpectedEnd, offset: 0) }
                var scanner = JSONScanner()
                scanner.scan(memory, from: 0, to: text.count, stopsAtLineFeed: false)
                if let fault = scanner.fault { throw fault }
                var walker = scanner.walker(memory)
                let tree = try Self.tree(walker.root(), &walker)
                try walker.finish()
                return .success(tree)
            } catch {
                return .failure(error)
            }
        }
        self = try outcome.get()
    }

    private static let noKeys = KeyTable([])

    private static func tree(_ value: JSONWalker.Value, _ walker: inout JSONWalker) throws(JSONFault) -> JSONTree {
        switch value.kind {
        case .string: return .string(text(value.text, walker))
        case .number: return .number(text(value.text, walker))
        case .true: return .bool(true)
        case .false: return .bool(false)
        case .null: return .null
        case .object:
            var members = Members()
            var object = try walker.enterObject()
            while let member = try walker.nextMember(of: &object, known: noKeys) {
                members.append(text(member.key, walker), try tree(member.value, &walker))
            }
            return .object(members)
        case .array:
            var elements: [JSONTree] = []
            var array = try walker.enterArray()
            while let element = try walker.nextElement(of: &array) { elements.append(try tree(element, &walker)) }
            return .array(elements)
        }
    }

    private static func text(_ text: JSONText, _ walker: borrowing JSONWalker) -> String {
        guard text.hasEscapes else {
            let bytes = UnsafeRawBufferPointer(start: walker.memory + text.start, count: text.count)
            return String(decoding: bytes, as: UTF8.self)
        }
        return String(decoding: KeyLog.characters(text, walker.memory), as: UTF8.self)
    }
}

extension JSONTree {
    /// The member of an object, `nil` if it is not there or this is no object.
    subscript(key: String) -> JSONTree? {
        guard case .object(let members) = self else { return nil }
        return members[key]
    }

    var keys: [String] {
        guard case .object(let members) = self else { return [] }
        return members.keys
    }

    var string: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    var elements: [JSONTree]? {
        guard case .array(let elements) = self else { return nil }
        return elements
    }

    var integer: Int64? {
        guard case .number(let text) = self else { return nil }
        return Int64(text)
    }
}
