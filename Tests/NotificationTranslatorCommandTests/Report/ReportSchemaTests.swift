#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import NotificationTranslation
import Testing

/// The schema of a report in JSON, held against reports by a validator of the few words that it uses.
@Suite("The schema of reports") struct ReportSchemaTests {
    /// What of a value is not as the schema says; a key that the schema does not know is one too.
    private static func problems(_ value: JSONValue, _ schema: JSONValue, at path: String) -> [String] {
        if case .array(let words)? = schema["enum"] { return words.contains(value) ? [] : ["\(path): no such word"] }
        var names: [String] = []
        if let name = schema["type"]?.string { names = [name] }
        if case .array(let all)? = schema["type"] { names = all.compactMap(\.string) }
        guard names.contains(name(of: value)) else { return ["\(path): \(name(of: value)), not \(names)"] }
        switch value {
        case .array(let elements):
            guard let items = schema["items"] else { return ["\(path): nothing is said of its elements"] }
            return elements.flatMap { problems($0, items, at: path + "[]") }
        case .object(let members):
            var found: [String] = []
            if case .array(let required)? = schema["required"] {
                for key in required.compactMap(\.string) where members[key] == nil {
                    found.append("\(path).\(key): missing")
                }
            }
            for (key, member) in members {
                if let known = schema["properties"]?[key] ?? schema["additionalProperties"] {
                    found += problems(member, known, at: path + "." + key)
                } else {
                    found.append("\(path).\(key): not in the schema")
                }
            }
            return found
        default: return []
        }
    }

    private static func name(of value: JSONValue) -> String {
        switch value {
        case .null: "null"
        case .bool: "boolean"
        case .number(let text): text.contains(where: { $0 == "." || $0 == "e" || $0 == "E" }) ? "number" : "integer"
        case .string: "string"
        case .array: "array"
        case .object: "object"
        }
    }

    private static func tree(_ text: String) throws -> JSONValue {
        try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
    }

    private static func schema(_ command: Command) throws -> JSONValue {
        let run = try command.run("schema", "--format", "json-schema", "--shape", "report")
        #expect(run.code == 0 && run.errors == "")
        return try tree(run.output)
    }

    @Test(
        "Every report is as the schema says and has nothing else",
        arguments: [[], ["--context", "record"], ["--infer", "all"], ["--companions", "drop"]])
    func everyReportIsAsTheSchemaSaysAndHasNothingElse(options: [String]) throws {
        let command = try Command()
        let overlap = OverlapArchive(lives: 6, wrong: ("DID_RENEW", "DID_FAIL_TO_RENEW")).lines
        let lines = Cluster.archive(lives: 4) + overlap.map { String(decoding: $0, as: UTF8.self) }
        try command.write(lines.joined(separator: "\n") + "\n", to: "a.ndjson")
        let run = try command.run(["report", "-q", "--format", "json", "--max-rejects", "9", "a.ndjson"] + options)
        #expect(run.code == 0)
        let problems = Self.problems(try Self.tree(run.output), try Self.schema(command), at: "")
        #expect(Array(Set(problems)).sorted() == [])
    }

    @Test("A report of nothing is as the schema says too") func aReportOfNothingIsAsTheSchemaSaysToo() throws {
        let command = try Command()
        let run = try command.run(["report", "-q", "--format", "json", "-"], input: .pipe([]))
        #expect(run.code == 0)
        #expect(Self.problems(try Self.tree(run.output), try Self.schema(command), at: "") == [])
    }

    @Test("The validator finds what is wrong") func theValidatorFindsWhatIsWrong() throws {
        let schema = try Self.schema(try Command())
        let found = Self.problems(try Self.tree(#"{"report_version":"2","records":1.5,"x":1}"#), schema, at: "")
        #expect(found.contains(".report_version: no such word"))
        #expect(found.contains(".records: number, not [\"integer\"]"))
        #expect(found.contains(".x: not in the schema"))
        #expect(found.contains(".agreement: missing"))
    }

    @Test("A report has no columns for a database") func aReportHasNoColumnsForADatabase() throws {
        let run = try Command().run("schema", "--format", "duckdb", "--shape", "report")
        #expect(run.code == 2)
        #expect(
            run.errors.hasPrefix("notification-translator: --shape report needs --format json-schema.\n"))
    }
}
