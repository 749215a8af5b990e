import Testing

@testable import NotificationTranslation

/// Writes constants for every name that the tables know, so that a `switch` needs no strings and never goes stale.
enum NameSource {
    static let files = [
        file("EventKind+Known.swift") {
            constants("EventKind", "A kind of event", EventTable.current.kinds.map { ($0.kind, $0.meaning) })
        },
        file("V1NotificationType+Known.swift", in: "Apple") {
            constants("V1NotificationType", "A type", DecisionTable.current.types.map { ($0.type, $0.meaning) })
        },
        GeneratedFile(
            path: "Sources/NotificationTranslation/Apple/Generated/TableConstants.swift", text: tableConstants),
        file("Parameters+Constants.swift", in: "Rules", parameters),
    ]

    /// The constants of `v1-to-v2.json`, of which each has a value, a meaning and a source.
    @Sendable
    private static func parameters() throws -> String {
        let rows = try JSONTree(Fixture.mapping("v1-to-v2.json"))["parameters"]
        let eras = try #require(rows?["eras"]?.elements?.dropFirst())
        let starts = try eras.map { try #require($0["from"]?.string.flatMap { EventTime($0)?.milliseconds }) }
        let names = eras.map { $0["era"]?.string }
        try #require(starts == starts.sorted())
        try #require(["to-2019-08"] + names + ["unknown"] == Fact.era.values)
        var constants = ["    let eraStarts: [Int64] = [\(starts.map(literal).joined(separator: ", "))]\n"]
        var penalties: [String] = []
        for (key, row) in rows?.members ?? [] where key != "eras" {
            try #require(!row.prose("meaning").isEmpty && !row.prose("source").isEmpty, "\(key)")
            let value = try #require(row["value"])
            let number =
                value.integer ?? value.string.flatMap { EventTime($0)?.milliseconds }
                ?? names.firstIndex(of: value.string).map { starts[$0 - names.startIndex] }
            let name = identifier(key.replacing(try Regex("_ms$|^penalty_"), with: ""))
            let declaration =
                if let number { "let \(name): Int64 = \(literal(number))\n" } else {
                    "let \(name): [Int64] = [\(try #require(value.elements).compactMap(\.integer).map(literal).joined(separator: ", "))]\n"
                }
            if key.hasPrefix("penalty_") {
                penalties.append("    " + declaration)
            } else {
                constants.append("    " + declaration)
            }
        }
        return """
            /// The constants of `parameters` in `Mappings/v1-to-v2.json`, which says what each means and where it comes from;
            /// times in milliseconds.
            struct Parameters: Sendable {
            \(constants.joined())    let penalties = Penalties()
            }

            /// How unlikely each way is in which a happening may reach an archive: the constants `penalty_…`.
            struct Penalties: Sendable {
            \(penalties.joined())}

            """
    }

    /// A whole number as Swift has it.
    private static func literal(_ number: Int64) -> String {
        let digits = Array(String(number))
        guard digits.count > 6 else { return String(digits) }
        return digits.indices.map { ((digits.count - $0) % 3 == 0 && $0 > 0 ? "_" : "") + String(digits[$0]) }.joined()
    }

    /// What the decoder needs of the tables, which stand above it.
    @Sendable
    private static func tableConstants() -> String {
        """
        // Written from Mappings/ by `RECORD=1 swift test --filter Generated`; a test compares them.

        extension AppleDate {
            /// `earliest_date` of `v1-to-v2.json`, in milliseconds since 1970: what is earlier is not read as a date.
            static let opening: Int64 = \(DecisionTable.current.parameters.earliestDate)
        }

        """
    }

    private static func file(
        _ name: String, in room: String = "Event", _ text: @escaping @Sendable () throws -> String
    ) -> GeneratedFile {
        GeneratedFile(path: "Sources/NotificationTranslation/\(room)/Generated/" + name) {
            "// Written from Mappings/ by `RECORD=1 swift test --filter Generated`; a test compares them.\n\n"
                + (try text())
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
