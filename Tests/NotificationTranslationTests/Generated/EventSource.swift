@testable import NotificationTranslation

/// Writes the Swift code of the event from `Mappings/event.json`: one line there is one field everywhere.
///
/// `RECORD=1 swift test --filter Generated` writes the files; run it twice after the table changed, as tables are
/// embedded when the package is compiled.
enum EventSource {
    static let files = [
        file("UnifiedEvent.swift", unifiedEvent), file("EventDraft.swift", draft),
        file("EventDraft+Visiting.swift", visiting), file("UnifiedEvent+Exchange.swift", exchange),
        file("UnifiedEvent+Values.swift", values),
    ]

    private typealias Field = EventFieldTable.Field
    private typealias Object = EventFieldTable.Object

    /// The table; a test puts another in its place.
    @TaskLocal static var table = EventFieldTable.current
    private static let folder = "Sources/NotificationTranslation/Event/Generated/"

    private static func file(_ name: String, _ text: @escaping @Sendable () -> String) -> GeneratedFile {
        GeneratedFile(path: folder + name) {
            "// Written from Mappings/event.json by `RECORD=1 swift test --filter Generated`; a test compares them.\n\n"
                + text()
        }
    }

    /// The type of an object inside the event.
    private static var parts: ArraySlice<Object> { table.objects.dropFirst() }

    // MARK: The value that users have

    @Sendable
    private static func unifiedEvent() -> String {
        var text = """
            /// \(table.event.meaning)
            ///
            /// Codable in the form of the contract: snake_case, every key present, times in RFC 3339. Decoding a line of
            /// the command gives the value, and ``line()`` gives the line back byte for byte.
            public struct UnifiedEvent: Hashable, Sendable, Codable, Identifiable {
            \(properties(table.event, "    "))
                /// An event of which nothing else is known; fill in what your test or your own source needs.
                ///
                /// - Parameters:
                ///   - id: The id, unique among events and companions.
                ///   - type: What happened.
                public init(id: String, type: EventKind) {
                    self.id = id
                    self.type = type
                }
            }

            """
        let types = parts.map { object in
            """
                /// \(object.meaning)
                public struct \(object.name): Hashable, Sendable {
            \(properties(object, "        "))
                    /// A value of which nothing is known.
                    public init() {}
                }

            """
        }
        text += "\nextension UnifiedEvent {\n\(types.joined(separator: "\n"))}\n"
        return text
    }

    private static func properties(_ object: Object, _ indent: String) -> String {
        object.fields.filter { $0.kind != .milliseconds }.map { field in
            let word = publicType(field).hasSuffix("?") ? "`nil`" : "empty"
            var lines = documentation(field.meaning, indent, adding: field.null.map { "; \(word) where \($0)" } ?? "")
            let access = field.isPackage ? "package" : "public"
            lines += indent + "\(access) var \(field.name): \(publicType(field))\(publicDefault(field))"
            guard field.kind == .option else { return lines + "\n" }
            let wanted = requested(field)
            return lines + " {\n\(indent)    didSet { if \(field.name) != nil { \(wanted) = true } }\n\(indent)}\n"
                + "\(indent)/// Whether a line has the key even where it is null.\n\(indent)package var \(wanted) = false\n"
        }.joined()
    }

    /// The property that says whether an optional key was asked for.
    private static func requested(_ field: Field) -> String { "is\(capitalized(field))Requested" }

    private static func capitalized(_ field: Field) -> String {
        field.name.prefix(1).uppercased() + field.name.dropFirst()
    }

    /// A documentation comment whose summary is the first sentence, with more at its end.
    static func documentation(_ text: String, _ indent: String, adding more: String = "") -> String {
        let sentences = text.split(separator: ". ", maxSplits: 1)
        let summary = sentences[0].last == "." ? sentences[0].dropLast() : sentences[0]
        var lines = wrapped(summary + more + ".", indent)
        for rest in sentences.dropFirst() { lines += indent + "///\n" + wrapped(String(rest), indent) }
        return lines
    }

    /// A documentation comment in lines of at most 120 characters.
    private static func wrapped(_ text: some StringProtocol, _ indent: String) -> String {
        var lines = [indent + "///"]
        for word in text.split(separator: " ") {
            if lines[lines.count - 1].count + 1 + word.count > 118 { lines.append(indent + "///") }
            lines[lines.count - 1] += " " + word
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func publicType(_ field: Field) -> String {
        let isOptional = field.defaultValue == nil && !(field.kind == .id && field.null == nil)
        switch field.kind {
        case .text, .id, .word: return (field.swiftType ?? "String") + (isOptional ? "?" : "")
        case .time, .milliseconds: return "EventTime?"
        case .number: return (field.swiftType ?? "Int64") + "?"
        case .truth: return "Bool?"
        case .appID: return "String?"
        case .pair: return "NotificationPair"
        case .pairs: return "[NotificationPair]"
        case .flags: return "[AmbiguityFlag]"
        case .texts: return "[String]"
        case .document: return "JSONValue?"
        case .object: return (field.swiftType ?? "") + (field.null == nil ? "" : "?")
        case .option: return (field.swiftType ?? "") + "?"
        }
    }

    private static func publicDefault(_ field: Field) -> String {
        switch field.kind {
        // Given when an event is made.
        case .id where field.null == nil: return ""
        case .text where field.swiftType == "EventKind": return ""
        case .text where field.defaultValue != nil: return " = \"\(field.defaultValue ?? "")\""
        case .word: return " = .\(field.defaultValue ?? "")"
        case .pair: return " = NotificationPair(type: nil)"
        case .pairs, .flags, .texts: return " = []"
        case .object where field.null == nil: return " = \(field.swiftType ?? "")()"
        default: return ""
        }
    }

    // MARK: Values that Apple may add to

    /// A type for each set of words that has names, with a constant for each word.
    @Sendable
    private static func values() -> String {
        var known: Set<String> = []
        let types = table.words.compactMap { set -> String? in
            guard set.words.contains(where: { $0.name != nil }),
                let field = table.paths.first(where: { $0.path == set.field })?.field,
                let type = field.swiftType, known.insert(type).inserted
            else { return nil }
            return self.values(type, field, set.words)
        }.joined(separator: "\n")
        return "extension UnifiedEvent {\n\(types)}\n"
    }

    private static func values(_ type: String, _ field: Field, _ words: [EventFieldTable.Word]) -> String {
        let isText = field.kind == .text
        let raw = isText ? "String" : "Int64"
        let constants = words.map { word in
            let value = isText ? "\"\(word.word)\"" : word.word
            return documentation(word.meaning, "        ")
                + "        public static let \(word.name ?? "") = Self(rawValue: \(value))\n"
        }.joined()
        let head =
            "    public struct \(type): RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible, OpenName"
        return """
                /// A value of `\(field.key)`; a value that this build does not know is kept as it is.
            \(head)\(head.count + 2 > 120 ? "\n    {" : " {")
                    /// As Apple writes it.
                    public var rawValue: \(raw)

                    /// The value, known or not.
                    public init(rawValue: \(raw)) { self.rawValue = rawValue }

            \(constants)    }

            """
    }

    // MARK: The value that is written fast

    @Sendable
    private static func draft() -> String {
        var text = """
            /// An event on its way from a notification to a line: every field of the contract, texts by their place.
            package struct EventDraft {

            """
        for object in parts {
            text += "    package struct \(object.name) {\n\(stored(object, "        "))    }\n\n"
        }
        return text + stored(table.event, "    ")
            + "    /// When a version 2 payload was signed that is dated by something else; no part of the contract.\n"
            + "    package var signedAt: Int64?\n"
            + "    /// The text of a version 2 payload, where the output hands it on; no part of the contract.\n"
            + "    package var original: [UInt8] = []\n"
            + "    /// The auto-renew status after the event, where it differs from the body's; no part of the contract.\n"
            + "    var renewalAfter: Int64?\n"
            + "    /// What holds its texts, where it was read from a line.\n    var holder: JSONTree?\n\n"
            + "    /// An event of which nothing is known.\n    package init() {}\n}\n"
    }

    private static func stored(_ object: Object, _ indent: String) -> String {
        object.fields.flatMap { field in storage(field).map { indent + "package var \($0)\n" } }.joined()
    }

    /// The stored properties of a field, with their default values.
    private static func storage(_ field: Field) -> [String] {
        let name = field.name
        switch field.kind {
        case .text: return [name + " = " + (field.defaultValue.map { "EventText(\"\($0)\")" } ?? "EventText.absent")]
        case .id: return [name + " = ID.text(.absent)"]
        case .word: return [name + " = \(field.swiftType ?? "").\(field.defaultValue ?? "")"]
        case .time, .number: return [name + ": Int64?"]
        case .milliseconds: return []
        case .truth: return [name + ": Bool?"]
        case .appID: return [name + " = AppID()"]
        case .pair: return [name + " = Pair()"]
        case .pairs: return [name + " = Candidates()"]
        case .flags: return [name + " = Flags()"]
        case .texts: return [name + ": [EventText] = []"]
        case .document: return [name + ": [UInt8] = []"]
        case .object:
            let isOptional = field.null != nil
            return isOptional
                ? ["has\(field.swiftType ?? "") = false", name + "Fields = \(field.swiftType ?? "")()"]
                : [name + " = \(field.swiftType ?? "")()"]
        case .option:
            return [
                "\(requested(field)) = false", "has\(capitalized(field)) = false",
                name + "Fields = \(field.swiftType ?? "")()",
            ]
        }
    }

    @Sendable
    private static func visiting() -> String {
        table.objects.map { object in
            let isEvent = object.name == "UnifiedEvent"
            let apples = keys[object.name]
            let calls = object.fields.enumerated().map { place, field in
                visit(field, (place == 0 ? "{" : ",") + "\\\"\(field.key)\\\":", apples == nil ? nil : field.apple)
            }.joined()
            return """
                extension EventDraft\(isEvent ? "" : "." + object.name) {
                    /// Visits every field in the order of the contract.
                    @inline(__always)
                    mutating func visit(_ visitor: inout some \(apples == nil ? "EventVisitor" : "FieldVisitor")) {
                \(apples.map { "        typealias Apple = \($0)\n" } ?? "")\(calls)        visitor.end()
                    }
                }

                """
        }.joined(separator: "\n")
    }

    /// The lists of Apple's keys of the parts of version 2.
    private static let keys = ["Transaction": "V2Keys.Transaction", "Renewal": "V2Keys.Renewal"]

    private static func visit(_ field: Field, _ key: String, _ apple: String?) -> String {
        let indent = "        "
        guard let object = table.object(field) else {
            let method = field.kind == .milliseconds ? "number" : "\(field.kind)"
            let isOfPart = ["text", "time", "number", "truth"].contains(method)
            let slot = isOfPart ? ", " + (apple.map { "Apple.\($0).rawValue" } ?? "nil") : ""
            return indent + "visitor.\(method)(\"\(key)\", &\(field.name)\(slot))\n"
        }
        if field.kind == .option {
            let flags = "&\(requested(field)), &has\(capitalized(field))"
            return indent + "if visitor.begin(\"\(key)\", \(flags)) {\n"
                + indent + "    \(field.name)Fields.visit(&visitor)\n" + indent + "}\n"
        }
        guard field.null != nil else {
            return indent + "visitor.begin(\"\(key)\")\n" + indent + "\(field.name).visit(&visitor)\n"
        }
        return indent + "if visitor.begin(\"\(key)\", &has\(object.name)) { \(field.name)Fields.visit(&visitor) }\n"
    }

    // MARK: From one to the other

    @Sendable
    private static func exchange() -> String {
        table.objects.map { object in
            let isEvent = object.name == "UnifiedEvent"
            let part = isEvent ? "" : "." + object.name
            let calls = object.fields.map(exchange).joined()
            return """
                extension UnifiedEvent\(part) {
                    /// Brings every field together with that of a draft.
                    mutating func exchange(_ draft: inout EventDraft\(part), _ exchange: EventExchange) {
                \(calls)    }
                }

                """
        }.joined(separator: "\n")
    }

    private static func exchange(_ field: Field) -> String {
        let indent = "        "
        let name = field.name
        switch field.kind {
        case .milliseconds: return ""
        case .object where field.null == nil:
            return indent + "\(name).exchange(&draft.\(name), exchange)\n"
        case .object, .option:
            let type = field.swiftType ?? ""
            let isOption = field.kind == .option
            let wanted = requested(field)
            let first = isOption ? indent + "exchange.value(&\(wanted), &draft.\(wanted))\n" : ""
            let isThere = "draft.has" + (isOption ? capitalized(field) : type)
            return first + """
                        exchange.part(&\(name), &\(isThere), &draft.\(name)Fields, of: .init()) {
                            $0.exchange(&$1, $2)
                        }

                """
        default: return indent + "exchange.value(&\(name), &draft.\(name))\n"
        }
    }
}
