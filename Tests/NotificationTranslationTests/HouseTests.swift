import Testing

/// The plan of the house in CONTRIBUTING.md holds: a room uses only rooms below it.
@Suite("The house")
struct HouseTests {
    private static let libraries = ["Sources/NotificationTranslation", "Sources/ArchiveConversion"]

    /// The rooms of a library from the top, as the plan lists them.
    private static func rooms(of library: String) throws -> [String] {
        let text = String(decoding: try Fixture.bytes("CONTRIBUTING.md"), as: UTF8.self)
        var rooms: [String] = []
        var isInside = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix(library + "/") {
                isInside = true
            } else if isInside {
                guard line.hasPrefix("    "), let name = line.split(separator: " ").first else { break }
                if name.hasSuffix("/") { rooms.append(String(name.dropLast())) }
            }
        }
        return rooms
    }

    /// The room of a file, by its place among the rooms: the innermost that has a place.
    private static func room(of file: SourceFile, in library: String, _ rooms: [String]) -> Int? {
        let path = file.path.dropFirst(library.count + 1)
        let around = rooms.indices.filter { path.hasPrefix(rooms[$0] + "/") }
        return around.max { rooms[$0].count < rooms[$1].count }
    }

    @Test("The plan of the house lists every room there is, and no other", arguments: libraries)
    func planIsWhole(library: String) throws {
        let rooms = try Self.rooms(of: library)
        // A room within a room stands beside all other folders of that.
        let outer = Set(rooms.filter { $0.contains("/") }.map { $0.prefix { $0 != "/" } + "/" })
        let folders = (outer.map(String.init) + [""]).flatMap { room in
            Fixture.names(in: "\(library)/\(room)").filter { !$0.contains(".") }.map { room + $0 }
        }
        #expect(rooms.sorted() == folders.sorted() && rooms.count > 5)
    }

    @Test("Targets that a dependent package loads have names that no other package has")
    func targetNamesAreOurs() throws {
        let text = String(decoding: try Fixture.bytes("Package.swift"), as: UTF8.self)
        let names = text.split(separator: "name: \"").dropFirst().map { $0.prefix { $0 != "\"" } }
        let ours = names.filter { $0.lowercased().contains("notification") || $0 == "PayloadVerification" }
        // SwiftPM refuses two targets of one name; those of tests are not loaded.
        let others = names.filter { !ours.contains($0) && !$0.hasSuffix("Tests") && $0 != "SimulatedLives" }
        #expect(others == [])
        #expect(ours.count > 8)
    }

    @Test("A room uses only rooms below it", arguments: libraries)
    func roomsHold(library: String) throws {
        let rooms = try Self.rooms(of: library)
        let files = try SourceFile.all(in: library)
        var room: [String: Int] = [:]
        for file in files {
            let place = try #require(Self.room(of: file, in: library, rooms), "\(file.path)")
            for type in file.types { room[type.name] = place }
        }
        #expect(room.count > 60)
        var upward: [String] = []
        for file in files {
            let place = Self.room(of: file, in: library, rooms) ?? 0
            for name in file.names.sorted() {
                if let other = room[name], other < place {
                    upward.append("\(file.path) uses \(name) of \(rooms[other])/")
                }
            }
        }
        #expect(upward == [])
    }

    @Test("No two types have one name")
    func namesAreUnique() throws {
        var places: [String: [String]] = [:]
        for file in try SourceFile.all(in: "Sources") {
            // Of the verification for Apple's systems and that for others, one is compiled.
            if file.path.hasSuffix("+Security.swift") { continue }
            for type in file.types { places[type.name, default: []].append(file.path) }
        }
        let twice = places.filter { $0.value.count > 1 }.map { "\($0.key): \($0.value)" }
        #expect(twice == [])
    }

    @Test("A type with all its extensions has at most 700 lines, the scanner and generated code aside")
    func typesAreShort() throws {
        var sizes: [String: Int] = [:]
        for file in try SourceFile.all(in: "Sources") where !file.path.contains("/Generated/") {
            for part in file.parts { sizes[part.name, default: 0] += part.lineCount }
        }
        let long = sizes.filter { $0.value > 700 && $0.key != "JSONWalker" }
        #expect(long == [:])
    }

    @Test("A function of the timeline and of the rules has at most ten decisions; elsewhere few have more")
    func functionsAreSimple() throws {
        let all = try SourceFile.paths(in: "Sources").flatMap(FunctionSize.all)
        #expect(all.count > 2000)
        let long = all.filter { $0.decisions > 10 }
        let rooms = ["/Timeline/", "/Rules/"]
        let inRooms = long.filter { function in rooms.contains { function.path.contains($0) } }.map(\.description)
        #expect(inRooms == [])
        // May only fall.
        #expect(long.count <= 41, "\(long)")
    }

    @Test("Public enums may grow without breaking a dependent, but for the sets that the contract closes")
    func enumsMayGrow() throws {
        let closed: Set = ["AppleRoot", "Certainty", "Entitlement", "Covers", "JSONValue"]
        var found = 0
        var faults: [String] = []
        for path in SourceFile.paths(in: "Sources") {
            let text = String(decoding: try Fixture.bytes(path), as: UTF8.self)
            let parts = text.split(separator: "public enum ", omittingEmptySubsequences: false)
            for (before, part) in zip(parts, parts.dropFirst()) {
                found += 1
                let name = String(part.prefix { $0.isLetter || $0.isNumber })
                let isOpen = before.suffix(40).contains("@nonexhaustive\n")
                if !isOpen, !closed.contains(name) { faults.append(name) }
            }
        }
        #expect(found > 15)
        #expect(faults == [])
    }

    @Test("Few files are shorter than 40 lines")
    func filesHoldASubject() throws {
        let short = try SourceFile.all(in: "Sources").filter { $0.lineCount < 40 }.map(\.path)
        // May only fall.
        #expect(short.count <= 35, "\(short.count)")
    }

    @Test("Names of tests are sentences, names of suites are what they are about")
    func testsHaveNames() throws {
        let names = try SourceFile.paths(in: "Tests").flatMap(TestName.all)
        #expect(names.count > 800)
        let faults = names.compactMap { name in name.fault.map { "\(name.place): \($0): \(name.text ?? "")" } }
        #expect(faults == [])
    }

    @Test(
        "A name that is not a sentence is found",
        arguments: [
            ("@Test(\"The table loads\")", nil), ("@Test(\n    \"The table loads\",\n", nil),
            ("@Suite(\"Tables\")", nil),
            ("@Test func loads()", "no name"), ("@Suite struct Tables {", "no name"),
            ("@Test(arguments: [1])", "no name"),
            ("@Test(\"the table loads\")", "does not begin with a capital letter"),
            ("@Test(\"The table loads.\")", "ends with a full stop"), ("@Test(\"Tables load\")", "not a sentence"),
            ("@Test(\"Is refused early\")", "begins with its verb"),
        ] as [(String, String?)])
    func badNameIsFound(text: String, fault: String?) {
        let faults = TestName.names(in: text, path: "").map(\.fault)
        #expect(faults == [fault])
    }

    @Test("No test leaves early as if it had passed: what is missing belongs into .enabled(if:) or #require")
    func testsDoNotLeaveEarly() throws {
        let files = SourceFile.paths(in: "Tests")
        #expect(files.count > 100)
        let returns = try files.flatMap(EarlyReturn.places)
        #expect(returns == [])
    }

    @Test(
        "A test that leaves early is found",
        arguments: [
            ("guard isThere else { return }", true), ("if !isThere { return }", true),
            ("guard isThere else {\n        print(1)\n        return\n    }", true),
            ("guard let a,\n        let b\n    else { return }", true),
            ("for name in names {\n        guard isThere else { return }\n    }", true),
            ("guard isThere else {\n        Issue.record(name)\n        return\n    }", false),
            ("names.forEach { name in\n        guard isThere else { return }\n    }", false),
            ("let count = names.filter { return $0 }", false),
        ])
    func earlyReturnIsFound(body: String, isFound: Bool) {
        let text = "@Test(arguments: 1)\nfunc name() {\n    \(body)\n    #expect(isThere)\n}\n"
        #expect(EarlyReturn.numbers(in: text).isEmpty != isFound)
    }
}
