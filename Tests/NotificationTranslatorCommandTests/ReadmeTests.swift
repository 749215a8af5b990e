import Testing

@testable import NotificationTranslation
@testable import notification_translator

/// README.md and the articles, so that nothing in them is only said.
///
/// Parts between `<!-- begin: name -->` and `<!-- end: name -->` are made by the program or by another file;
/// `RECORD=1 swift test --filter Readme` writes them and still fails.
@Suite("The README and the articles") struct ReadmeTests {
    private static let root = Command.root

    /// What stands between two texts.
    static func part(of text: String, from begin: String, to end: String) throws -> String {
        let first = try #require(text.firstRange(of: begin))
        let last = try #require(text[first.upperBound...].firstRange(of: end))
        return String(text[first.upperBound..<last.lowerBound])
    }

    static let catalogue = "Sources/NotificationTranslation/NotificationTranslation.docc/"

    /// README.md and the articles.
    private static func documents() throws -> [String] {
        ["README.md"] + (try Command.files(in: catalogue).filter { $0.hasSuffix(".md") }.map { catalogue + $0 })
    }

    /// The part of that name, wherever it stands.
    static func section(_ name: String) throws -> String {
        let begin = "<!-- begin: \(name) -->\n"
        let found = try documents().map(Command.file).filter { $0.contains(begin) }
            .map { try part(of: $0, from: begin, to: "<!-- end: \(name) -->") }
        #expect(found.count == 1, "\(name)")
        return try #require(found.first)
    }

    /// The code of the part of that name.
    static func code(of name: String) throws -> String {
        let lines = try section(name).split(separator: "\n", omittingEmptySubsequences: false)
        return lines.filter { !$0.hasPrefix("```") }.joined(separator: "\n")
    }

    /// Whether Python has all of the modules.
    static func python(has modules: String) -> Bool {
        (try? shell("python3 -c 'import \(modules)'", in: Command()).code) == 0
    }

    /// The lines of all code blocks of a language.
    private static func code(_ language: String, in text: String) -> [String] {
        var lines: [String] = []
        var isInside = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let fence = line.drop { $0 == " " }
            if fence.hasPrefix("```") {
                isInside = fence == "```" + language
            } else if isInside {
                lines.append(String(line))
            }
        }
        return lines
    }

    /// A folder that looks like the repository, with `archive` beside `Fixtures`.
    static func folder() throws -> Command {
        let command = try Command()
        command.makeFolder("Fixtures")
        let copies = [
            "Fixtures/archive": "archive", "archive": "archive", "Fixtures/overlap": "overlap", "overlap": "overlap",
        ]
        for (name, source) in copies {
            try FileManager.default.copyItem(atPath: root + "/Fixtures/" + source, toPath: command.path(name))
        }
        return command
    }

    /// What programs from elsewhere need: the built program on the path, and where databases and libraries are.
    static let environment: [String] = {
        let place = Command.program.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        let here = ProcessInfo.processInfo.environment
        let path = "PATH=" + place.joined(separator: "/") + ":" + (here["PATH"] ?? "/usr/bin:/bin")
        let names = ["PYTHONPATH", "NODE_PATH", "JAVA_HOME", "HOME", "PGHOST", "PGPORT"]
        return names.compactMap { name in here[name].map { "\(name)=\($0)" } } + [path, "PGUSER=postgres"]
    }()

    /// Runs a line as a shell would, with what programs from elsewhere need.
    static func shell(_ line: String, in command: Command) throws -> Command.Result {
        try command.run(["-c", line], environment: environment, program: "/bin/sh")
    }

    // MARK: Generated parts

    /// Four records of the archive and what they become, and why.
    private static func rows() throws -> String {
        let shown = [
            ("2020.ndjson\",\"line\":4", "auto-renew was switched off before the period ended"),
            ("2020.ndjson\",\"line\":2", "the old period is marked as upgraded, the new one is another product"),
            ("2020.ndjson\",\"line\":3", "the other half of that upgrade, which V2 reports once"),
            ("cancel.json", "a refund, or half of an upgrade whose other half is not there"),
        ]
        let lines = try shell("notification-translator convert -q Fixtures/archive", in: folder()).output
            .split(separator: "\n")
        func words(_ pair: String) -> String {
            let parts = members(of: pair).map { $0.value.filter { $0 != "\"" } }.filter { $0 != "null" }
            return parts.isEmpty ? "nothing of its own" : "`\(parts.joined(separator: "/"))`"
        }
        let rows = try shown.map { place, why in
            let event = try members(of: String(#require(lines.first { $0.contains(place) })))
            let value = { (name: String) in event.first { $0.key == name }?.value ?? "" }
            let source = members(of: value("source"))
            let type = source.first { $0.key == "type" }?.value.filter { $0 != "\"" } ?? ""
            let certainty = value("certainty").filter { $0 != "\"" }
            return "| `\(type)` | \(words(value("v2"))) | \(certainty) | \(why) |\n"
        }
        return "| V1 body | V2 pair | certainty | why |\n|---|---|---|---|\n" + rows.joined()
    }

    private static func fenced(_ language: String, _ text: String) -> String { "```\(language)\n\(text)```\n" }

    /// The body and the event it becomes, one key on each line; of the larger objects, what matters.
    private static func picture() throws -> String {
        let run = try shell("notification-translator convert -q Fixtures/archive/cancel.json", in: folder())
        #expect(run.code == 0)
        let event = members(of: run.output)
        let shown = [
            "id", "type", "occurred_at", "occurred_at_basis", "entitlement", "v2", "certainty", "candidates", "flags",
            "transaction", "source",
        ]
        let inner = ["original_transaction_id", "product_id", "expires_at", "version", "type", "authenticity", "rule"]
        let lines = event.filter { shown.contains($0.key) }.map { key, value in
            guard key == "transaction" || key == "source" else { return "  \"\(key)\": \(spaced(value))" }
            let some = members(of: value).filter { inner.contains($0.key) }
            return "  \"\(key)\": {" + some.map { "\"\($0.key)\": \($0.value), " }.joined() + "…}"
        }
        return fenced("json", try Command.file("Fixtures/archive/cancel.json")) + "\nbecomes\n\n"
            + fenced("json", "{\n" + lines.joined(separator: ",\n") + "\n}\n")
    }

    /// The members of a JSON object as they stand in it.
    private static func members(of object: String) -> [(key: String, value: String)] {
        let tree = JSONTree.parsed(Array(object.utf8))
        return tree?.pairs.map { key, value in
            let quote = value.string == nil ? "" : "\""
            return (key.characters, quote + String(decoding: value.bytes, as: UTF8.self) + quote)
        } ?? []
    }

    private static func spaced(_ json: String) -> String {
        var text = ""
        var isQuoted = false
        for character in json {
            if character == "\"" { isQuoted.toggle() }
            text.append(character)
            if !isQuoted, character == "," || character == ":" {
                // One candidate on each line.
                text += text.hasSuffix("},") ? "\n    " : " "
            }
        }
        return text
    }

    /// The summary of the first command of the quick start, without the time it took.
    private static func summary() throws -> String {
        let run = try shell("notification-translator convert Fixtures/archive", in: folder())
        #expect(run.code == 0)
        let lines = run.errors.split(separator: "\n").map(String.init)
        let first = try #require(lines.first)
        let upToTime = try first[..<#require(first.firstRange(of: " in ")).lowerBound]
        #expect(run.lines.count == 11)
        return fenced("", ([upToTime + " in … s"] + lines.dropFirst()).asLines)
    }

    /// The record that the article explains, without those of its story that come before and behind.
    private static func story() throws -> String {
        let run = try shell("notification-translator explain Fixtures/archive/2020.ndjson:3", in: folder())
        #expect(run.code == 0)
        let entries = run.output.split(separator: "\n\n").filter { $0.hasPrefix("=> ") }
        #expect(entries.count == 1)
        return fenced("", entries.joined() + "\n")
    }

    /// The fields of the event, one a row.
    private static func event() -> String {
        var text = "| field | written as | meaning |\n|---|---|---|\n"
        for item in EventFieldTable.current.paths {
            let null = item.field.null.map { "; null where \($0)" } ?? ""
            text += "| `\(item.path)` | \(item.field.kind.code)\(null) | \(item.field.meaning) |\n"
        }
        return text
    }

    /// How values are written.
    private static func kinds() -> String {
        var text = "| written as | in a line |\n|---|---|\n"
        for kind in EventFieldTable.Kind.allCases { text += "| \(kind.code) | \(kind.sentence) |\n" }
        return text
    }

    /// The words that may stand in fields, one set behind the other.
    private static func words() -> String {
        var text = ""
        for set in EventFieldTable.current.words {
            text += "\n### \(set.field)\(set.isClosed ? "" : " (Apple may add)")\n\n| word | meaning |\n|---|---|\n"
            for row in set.words { text += "| `\(row.word)` | \(row.meaning) |\n" }
        }
        return text
    }

    /// What to expect: of each V1 type, the pairs and how sure they are.
    private static func mapping() -> String {
        let rows = MappingTables.decisions.rows("types").map { type in
            func answers(_ isWanted: (String) -> Bool) -> String {
                var names: [String] = []
                for rule in type.rows("rules") where isWanted(rule.text("certainty")) {
                    if let name = rule.answer, !names.contains(name) { names.append(name) }
                }
                return names.joined(separator: ", ")
            }
            return "| `\(type.text("type"))` | \(answers { $0 == "exact" }) | \(answers { $0 != "exact" }) |\n"
        }
        return "| V1 | V2, exact | V2, inferred or ambiguous |\n|---|---|---|\n" + rows.joined()
    }

    private static func snippet() throws -> String {
        let source = try Command.file("Tests/NotificationTranslationTests/Documentation/ServerSnippetTests.swift")
        return fenced("swift", try part(of: source, from: "// begin: snippet\n", to: "// end: snippet"))
    }

    private static func server() throws -> String {
        let source = try Command.file("Tests/NotificationTranslatorCommandTests/ServerExample.swift")
        let lines = try part(of: source, from: "// begin: server\n", to: "// end: server")
            .split(separator: "\n").map { $0.dropFirst(4) + "\n" }
        return fenced("swift", lines.joined())
    }

    @Test("Generated parts are up to date with their sources") func generatedPartsAreWhatTheyAreMadeOf() throws {
        let parts = [
            ("rows", try Self.rows()), ("picture", try Self.picture()), ("summary", try Self.summary()),
            ("server", try Self.server()),
            ("story", try Self.story()), ("event", Self.event()), ("kinds", Self.kinds()), ("words", Self.words()),
            ("mapping", Self.mapping()), ("snippet", try Self.snippet()),
            ("options", HelpText.optionTable),
        ]
        for (name, made) in parts {
            let stands = try Self.section(name)
            #expect(made.split(separator: "\n") == stands.split(separator: "\n"), "\(name)")
            guard ProcessInfo.processInfo.environment["RECORD"] == "1" else { continue }
            for path in try Self.documents() {
                var text = try Command.file(path)
                guard let begin = text.firstRange(of: "<!-- begin: \(name) -->\n"),
                    let end = text.firstRange(of: "<!-- end: \(name) -->")
                else { continue }
                text.replaceSubrange(begin.upperBound..<end.lowerBound, with: "\n" + made + "\n")
                if try text != Command.file(path) {
                    try Data(text.utf8).write(to: URL(filePath: Self.root + "/" + path))
                }
            }
        }
    }

    @Test("The README is short") func theReadmeIsShort() throws {
        let lines = try Command.file("README.md").split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count < 130)
        #expect(lines.filter { $0.count > 160 } == [])
    }

    // MARK: Written parts

    @Test("The commands of the quick start that read fixtures run") func theQuickStartRuns() throws {
        let lines = Self.code("sh", in: try Command.file("README.md")).filter { $0.contains(" Fixtures/") }
        #expect(lines.count == 3)
        let command = try Self.folder()
        for line in lines {
            let run = try Self.shell(line, in: command)
            #expect(run.code == 0 && !run.output.isEmpty, "\(line)\n\(run.errors)")
        }
    }

    @Test("Commands can be run as they are written") func commandsCanBeRunAsTheyStand() throws {
        var count = 0
        for path in try Self.documents() {
            // Each document is followed in a folder of its own.
            let command = try Self.folder()
            let lines = Self.code("sh", in: try Command.file(path)).filter { !$0.hasPrefix("swift ") }
            for line in lines {
                let run = try Self.shell(line, in: command)
                #expect(run.code == 0, "\(path): \(line)\n\(run.errors)")
            }
            count += lines.count
        }
        #expect(count > 6)
    }

    /// Commands that build, test or need a server are held against what they name; all others are run, here and by
    /// ``MovingToV2Tests``.
    @Test("What cannot be run in a test names what is there") func commandsNameWhatIsThere() throws {
        let tests = try Self.sources("Tests").joined()
        var count = 0
        for path in try Self.documents() + ["CONTRIBUTING.md"] {
            let lines = try ["sh", "text", "bash"].flatMap { Self.code($0, in: try Command.file(path)) }
            for line in lines.map({ $0.prefix { $0 != "#" } }) where line.contains(where: { $0 != " " }) {
                let words = line.split { " '".contains($0) }.map(String.init)
                let command = words.drop { $0.wholeMatch(of: /[A-Z]+=\S*/) != nil }
                for word in words.prefix(words.count - command.count) {
                    let name = word.prefix { $0 != "=" }
                    #expect(tests.contains("\"\(name)\""), "\(path): \(line)")
                }
                guard let program = command.first, ["swift", "docker", ".ci/run", "python3"].contains(program) else {
                    #expect(path != "CONTRIBUTING.md" || command.first == "git", "\(path): \(line)")
                    continue
                }
                count += 1
                if program == ".ci/run" || program == "python3" {
                    let file = command.first { $0.contains("/") } ?? ""
                    #expect(FileManager.default.fileExists(atPath: Self.root + "/" + file), "\(path): \(line)")
                }
                guard let filter = command.firstIndex(of: "--filter") else { continue }
                for name in command[command.index(after: filter)].split(separator: "|") {
                    #expect(tests.contains("\(name)"), "\(path): \(line)")
                }
            }
        }
        #expect(count > 6)
    }

    /// The texts of all Swift files of a folder.
    private static func sources(_ folder: String) throws -> [String] {
        let names = try FileManager.default.subpathsOfDirectory(atPath: root + "/" + folder)
        return try names.filter { $0.hasSuffix(".swift") }.map { try Command.file(folder + "/" + $0) }
    }

    @Test(
        "Container logs are joined as the article says", .enabled(if: Command.isInstalled("jq"), "jq is not installed"))
    func containerLogs() throws {
        let lines = Self.code("bash", in: try Command.file(Self.catalogue + "ArchivesAndDatabases.md"))
        let start = try #require(lines.firstIndex { $0.hasPrefix("jq ") })
        let awk = try #require(lines.firstIndex { $0.hasPrefix("awk ") })
        let body = #"{\"notification_type\":\"CANCEL\",\"environment\":\"PROD\"}"#
        let halves = [body.prefix(20), body.dropFirst(20)]
        let time = "2021-03-04T05:06:07.000000000Z"
        let docker = zip(halves, ["", #"\n"#]).map { #"{"log":"\#($0)\#($1)","stream":"stdout","time":"\#(time)"}"# }
        let plain = halves.map { $0.replacing("\\", with: "") }
        let kubernetes = zip(plain, "PF").map { "\(time) stdout \($1) \($0)" }
        for (script, log) in [(lines[start..<awk], docker), (lines[awk...].prefix(2), kubernetes)] {
            let command = try Command(["container.log": log.asLines])
            let run = try Self.shell(
                script.joined(separator: "\n") + "\nnotification-translator convert archive.log -i log", in: command)
            #expect(
                run.code == 0 && run.output.contains("\"received_at\":\"2021-03-04T05:06:07.000Z\""), "\(run.errors)")
        }
    }

    /// The snippets, with what a caller adds: three bodies, one of them broken, and the types of the answers.
    private static let snippets: [(name: String, interpreter: String, more: String)] = [
        (
            "python", "python3",
            """
            bodies = [json.load(open("archive/cancel.json")), {"a": 1}, {"notification_type": "DID_RENEW"}]
            answers = [translate(body) for body in bodies]
            print(*[answer["error"]["code"] if "error" in answer else answer["type"] for answer in answers])
            pipe.stdin.close()
            """
        ),
        (
            "node", "node",
            """
            const bodies = [require(process.cwd() + '/archive/cancel.json'), { a: 1 }, { notification_type: 'DID_RENEW' }]
            Promise.all(bodies.map(translate)).then((answers) => {
              console.log(answers.map((answer) => answer.error?.code ?? answer.type).join(' '))
              pipe.stdin.end()
            })
            """
        ),
        (
            "php", "php",
            #"""
            $cancel = json_decode(file_get_contents('archive/cancel.json'), true);
            $bodies = [$cancel, ['a' => 1], ['notification_type' => 'DID_RENEW']];
            foreach (array_map($translate, $bodies) as $answer) echo $answer['error']['code'] ?? $answer['type'], "\n";
            """#
        ),
        (
            "ruby", "ruby",
            """
            bodies = [JSON.parse(File.read('archive/cancel.json')), { a: 1 }, { notification_type: 'DID_RENEW' }]
            puts(bodies.map { |body| translate(body) }.map { |answer| answer.dig('error', 'code') || answer['type'] })
            """
        ),
    ]

    @Test(
        "The snippet of each language that is installed runs",
        arguments: snippets.filter { Command.isInstalled($0.interpreter) })
    func snippet(name: String, interpreter: String, more: String) throws {
        let command = try Self.folder()
        try command.write(try Self.code(of: name) + "\n" + more + "\n", to: "snippet")
        let run = try Self.shell("\(interpreter) snippet", in: command)
        let types = run.output.split { $0 == " " || $0 == "\n" }
        #expect(types == ["refund.issued", "record.skipped", "subscription.renewed"], "\(run.errors)")
        #expect(run.code == 0)
    }

    /// A name in code quotes, then `in` and a file of tests: the name stands in that file.
    @Test("Tests that articles name exist") func testsThatArticlesNameAreThere() throws {
        var count = 0
        for path in try Self.documents() {
            let text = try Command.file(path)
            var rest = text[...]
            while let middle = rest.firstRange(of: "` in `Tests/") {
                let name = rest[..<middle.lowerBound].split(separator: "`").last.map(String.init) ?? ""
                rest = rest[middle.upperBound...]
                let file = "Tests/" + rest.prefix { $0 != "`" }
                let stands = try Command.file(file).contains(name)
                #expect(stands, "\(path): \(name)")
                count += 1
            }
        }
        #expect(count > 20)
    }

    /// Links are those that a forge shows: paths from the document, with headings of the file that they lead to.
    @Test("Links lead somewhere") func linksLeadSomewhere() throws {
        var count = 0
        for path in try Self.documents() + ["CONTRIBUTING.md", "CHANGELOG.md"] {
            let text = try Command.file(path)
            let folder = path.split(separator: "/").dropLast().map { $0 + "/" }.joined()
            for link in text.matches(of: /\]\(([^)\s]+)\)/).map(\.output.1) where !link.contains("://") {
                let parts = link.split(separator: "#", omittingEmptySubsequences: false).map(String.init)
                let file = parts[0].isEmpty ? path : folder + parts[0]
                let target = try? Command.file(file)
                #expect(target != nil, "\(path): \(link)")
                count += 1
                guard parts.count > 1, let target else { continue }
                let headings = target.split(separator: "\n").filter { $0.hasPrefix("#") }.map { line in
                    line.drop { $0 == "#" }.dropFirst().lowercased().replacing(" ", with: "-")
                        .filter { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
                }
                #expect(headings.contains(parts[1]), "\(path): \(link)")
            }
            // The page of the library lists the articles for DocC, and in a table for a forge.
            let isFrontPage = path.hasSuffix("/NotificationTranslation.md")
            #expect(isFrontPage || !text.contains("<doc:"), "\(path)")
        }
        #expect(count > 20)
    }
}
