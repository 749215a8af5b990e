/// The JSON Schema of a report, made of its keys: what `schema --shape report` prints.
///
/// The tests hold every report against it, in both directions.
package enum ReportSchema {
    /// The value of a key.
    indirect enum Value: Sendable {
        case text
        case optionalText
        case number
        case optionalNumber
        case truth
        /// One of these words.
        case word([String])
        /// An object of numbers by name.
        case counts
        case optionalCounts
        /// An object of lists by name.
        case listsByName(Value)
        case list(Value)
        case object([Member])
        case optionalObject([Member])
    }

    /// A key and what it means.
    struct Member: Sendable {
        var key: String
        var value: Value
        var meaning: String
        /// Whether the key is there only where an option asks for it.
        var isOptional = false

        init(_ key: String, _ value: Value, _ meaning: String = "", optional: Bool = false) {
            isOptional = optional
            self.key = key
            self.value = value
            self.meaning = meaning
        }
    }

    /// JSON Schema, draft 2020-12.
    package static var jsonSchema: String {
        "{\n  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n"
            + "  \"title\": \"A report of notification-translator; more keys may be added.\",\n"
            + object(ReportJSON.keys.map(\.member), "  ") + "\n}\n"
    }

    private static func object(_ members: [Member], _ indent: String, orNull: Bool = false) -> String {
        let required = members.filter { !$0.isOptional }.map { quoted($0.key) }
        let lines = members.map { "\(indent)  \(quoted($0.key)): {\(described($0, indent + "  "))}" }
        return "\(indent)\"type\": \(orNull ? "[\"object\", \"null\"]" : "\"object\""),\n"
            + "\(indent)\"required\": [\(required.joined(separator: ", "))],\n"
            + "\(indent)\"properties\": {\n\(lines.joined(separator: ",\n"))\n\(indent)}"
    }

    private static func described(_ member: Member, _ indent: String) -> String {
        let about = member.meaning.isEmpty ? "" : ", \"description\": \(quoted(member.meaning))"
        return type(member.value, indent) + about
    }

    private static func type(_ value: Value, _ indent: String) -> String {
        switch value {
        case .text: "\"type\": \"string\""
        case .optionalText: "\"type\": [\"string\", \"null\"]"
        case .number: "\"type\": \"integer\""
        case .optionalNumber: "\"type\": [\"integer\", \"null\"]"
        case .truth: "\"type\": \"boolean\""
        case .word(let words): "\"enum\": [\(words.map(quoted).joined(separator: ", "))]"
        case .counts: "\"type\": \"object\", \"additionalProperties\": {\"type\": \"integer\"}"
        case .optionalCounts: "\"type\": [\"object\", \"null\"], \"additionalProperties\": {\"type\": \"integer\"}"
        case .listsByName(let element):
            "\"type\": \"object\", \"additionalProperties\": {\"type\": \"array\", \"items\": {"
                + "\(type(element, indent + "  "))}}"
        case .list(let element): "\"type\": \"array\", \"items\": {\(type(element, indent + "  "))}"
        case .object(let members): "\n\(object(members, indent + "  "))\n\(indent)"
        case .optionalObject(let members): "\n\(object(members, indent + "  ", orNull: true))\n\(indent)"
        }
    }

    private static func quoted(_ text: String) -> String { JSONLines.string(text) }
}
