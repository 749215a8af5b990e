@testable import NotificationTranslation

/// Writes constants for every name that the tables know, so that a `switch` needs no strings and never goes stale.
enum NameSource {
    static let files = [
        file("EventKind+Known.swift") {
            constants("EventKind", "A kind of event", EventTable.current.kinds.map { ($0.kind, $0.meaning) })
        },
        file("NotificationType+Known.swift") {
            constants("NotificationType", "A type", EventTable.current.types.map { ($0.type, $0.meaning) })
        },
        file("NotificationSubtype+Known.swift") { constants("NotificationSubtype", "A subtype", subtypes) },
        file("V1NotificationType+Known.swift", in: "Apple") {
            constants("V1NotificationType", "A type", DecisionTable.current.types.map { ($0.type, $0.meaning) })
        },
        GeneratedFile(
            path: "Sources/NotificationTranslation/Apple/Generated/TableConstants.swift", text: tableConstants),
    ]

    /// What the decoder needs of the tables, which stand above it.
    @Sendable
    private static func tableConstants() -> String {
        let known = Set(EventTable.current.types.map(\.type))
        let known1 = Set(DecisionTable.current.types.map(\.type))
        return """
            // Written from Mappings/ by `RECORD=1 swift test --filter Generated`; a test compares them.

            extension AppleDate {
                /// `earliest_date` of `v1-to-v2.json`, in milliseconds since 1970: what is earlier is not read as a date.
                static let opening: Int64 = \(DecisionTable.current.parameters.earliestDate)
            }

            /// Names of types and subtypes, as the tables have them.
            enum KnownNames {
                /// The types of `v1-to-v2.json`.
                static let typesOfVersion1: Set<String> = [
            \(wrapped(known1))    ]

                /// Those that version 2 never had.
                static let typesOnlyOfVersion1: Set<String> = [
            \(wrapped(known1.subtracting(known)))    ]

                /// The types of `v2-to-event.json`.
                static let typesOfVersion2: Set<String> = [
            \(wrapped(known))    ]

                /// Those that version 1 never had.
                static let typesOnlyOfVersion2: Set<String> = [
            \(wrapped(known.subtracting(known1)))    ]

                /// The subtypes of `v2-to-event.json`.
                static let subtypes: Set<String> = [
            \(wrapped(subtypes.map(\.name)))    ]
            }

            /// Names of `fields.json`, in snake_case.
            extension VersionSigns {
            \(signs)}

            """
    }

    /// What `fields.json` says of names of fields, but for those that the decoder reads.
    private static var signs: String {
        let table = FieldTable.current
        let unread = table.fields.filter { $0.conversion == "drop" && !$0.v1.contains(".") }.map(\.v1)
        let lost = table.losses.map(\.field) + table.lostMembers
        let sets = table.signs.sorted { $0.key < $1.key }.map { ($0.key.replacing("-r", with: "R"), $0.value) }
        return (sets + [("unreadInVersion1", unread), ("onlyInVersion2", lost)]).map { name, fields in
            "    static let \(name): Set<String> = [\n" + wrapped(fields.map(snakeCase)) + "    ]\n"
        }.joined()
    }

    private static func snakeCase(_ name: String) -> String {
        String(decoding: BodyReshaper.snakeCase(Array(name.utf8)), as: UTF8.self)
    }

    /// Names, each once, as the elements of an array.
    private static func wrapped(_ names: some Collection<String>) -> String {
        var lines = ["       "]
        for name in Set(names).sorted() {
            if lines[lines.count - 1].utf8.count + name.utf8.count > 112 { lines.append("       ") }
            lines[lines.count - 1] += " \"\(name)\","
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Each subtype with the types that have it.
    private static var subtypes: [(name: String, meaning: String)] {
        var names: [String] = []
        var types: [String: [String]] = [:]
        for pair in EventTable.current.pairs {
            guard let subtype = pair.subtype else { continue }
            if types[subtype] == nil { names.append(subtype) }
            types[subtype, default: []].append("`\(pair.type)`")
        }
        return names.map { ($0, "`\($0)`, a subtype of \((types[$0] ?? []).joined(separator: ", ")).") }
    }

    private static func file(
        _ name: String, in room: String = "Event", _ text: @escaping @Sendable () -> String
    ) -> GeneratedFile {
        GeneratedFile(path: "Sources/NotificationTranslation/\(room)/Generated/" + name) {
            "// Written from Mappings/ by `RECORD=1 swift test --filter Generated`; a test compares them.\n\n" + text()
        }
    }

    private static func constants(
        _ type: String, _ article: String, _ names: [(name: String, meaning: String)]
    ) -> String {
        let members = names.filter { $0.name != "unknown" }.map { name, meaning in
            EventSource.documentation(meaning, "    ")
                + "    public static let \(identifier(name)) = Self(rawValue: \"\(name)\")\n"
        }
        return "extension \(type) {\n\(members.joined())}\n"
    }

    /// `GettingStarted` as `gettingStarted`, and `README` as `readme`.
    static func lowerCamel(_ name: some StringProtocol) -> String {
        name.allSatisfy(\.isUppercase) ? name.lowercased() : name.prefix(1).lowercased() + name.dropFirst()
    }

    /// `subscription.renewed` and `SUBSCRIPTION_RENEWED` as `subscriptionRenewed`.
    static func identifier(_ name: String) -> String {
        let words = name.lowercased().split { $0 == "." || $0 == "_" }
        return words.enumerated().map { place, word in
            place == 0 ? String(word) : word.prefix(1).uppercased() + word.dropFirst()
        }.joined()
    }
}
