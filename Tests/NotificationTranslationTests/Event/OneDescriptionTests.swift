import Testing

@testable import NotificationTranslation

/// A field of the event is described once: what is written by hand names few of them, and generated code names all.
@Suite("The one description of the event")
struct OneDescriptionTests {
    private static let library = "Sources/NotificationTranslation"

    /// The files that name keys of the event in quotation marks, and why.
    private static let reasons = [
        "Evidence/Answers/AnswerReader.swift": "names that people give to the subscription and the time of an answer",
        "Evidence/RowDetails.swift": "a key of the details of an event",
        "Apple/Finding/Envelope.swift": "names that other people's archives give to times",
        "Apple/Finding/KnownShapes.swift": "what other shapes than a notification hold, the event's among them",
        "Apple/Reading/PartReader.swift": "names that other people give to the parts of a payload",
        "Apple/Reading/V2Details.swift": "Apple's keys, one of which is the same word",
        "Event/EventDraft+Parts.swift": "the time of arrival as the basis of a time",
        "Event/Version2Writer.swift": "a member of the version 2 shape, which is the same word",
        "Rules/EventTable.swift": "a key of the table of pairs, which is the same word",
        "Rules/Rule.swift": "keys of the rules, which are the same words",
        "Rules/SilentTable.swift": "a key of the rules, which is the same word",
        "Rules/TypeRules.swift": "a key of the types, which is the same word",
        "Timeline/Tables/StateComparison.swift": "columns of a table of subscriptions",
        "Timeline/State/SubscriptionState.swift": "the columns of the states, the only list of them",
        "Timeline/Tables/SubscriptionTransaction.swift": "the columns of the transactions, the only list of them",
        "Timeline/Tables/WorklistItem.swift": "the columns of the questions, the only list of them",
        "Trust/AppReceipt+Reading.swift": "a field of Apple's receipts",
    ]

    /// The keys that are neither short words nor names of Apple's, which would be found everywhere.
    private static func keys() -> [String] {
        let tables = [
            V1Keys.root, V1Keys.unified, V1Keys.row, V1Keys.pending, V2Keys.data, V2Keys.transaction, V2Keys.renewal,
            V2Keys.appTransaction,
        ]
        let apples = Set(tables.flatMap(\.allNames))
        return Set(EventFieldTable.current.objects.flatMap(\.fields).map(\.key))
            .filter { $0.utf8.count > 8 && !apples.contains($0) }.sorted()
    }

    @Test("A key stands in generated code, and by hand only in files that have a reason and name few keys")
    func keysStandOnce() throws {
        let keys = Self.keys()
        #expect(keys.count > 30)
        var found: [String: [String]] = [:]
        for path in SourceFile.paths(in: Self.library) where !path.contains("/Generated/") {
            let lines = String(decoding: try Fixture.bytes(path), as: UTF8.self).split(separator: "\n")
            let code = lines.filter { !$0.drop { $0 == " " }.hasPrefix("//") }.joined(separator: "\n")
            let named = keys.filter { code.contains("\"\($0)\"") }
            if !named.isEmpty { found[String(path.dropFirst(Self.library.count + 1))] = named }
        }
        #expect(found.keys.sorted() == Self.reasons.keys.sorted())
        // Tables of other rows have lists of their own.
        let tables = ["Timeline/State/SubscriptionState.swift", "Timeline/Tables/SubscriptionTransaction.swift"]
        let lists = found.filter { $0.value.count * 3 > keys.count && !tables.contains($0.key) }
        #expect(lists.isEmpty, "a list of fields beside Mappings/event.json")
    }

    @Test("A field that is added to the table is in all generated code that has the field beside it")
    func oneLineIsEnough() throws {
        let text = String(decoding: try Fixture.mapping("event.json"), as: UTF8.self)
        let line = try #require(text.split(separator: "\n").first { $0.contains("\"bundle_version\"") })
        let added = line.replacing("bundle_version", with: "store_name").replacing("bundleVersion", with: "storeName")
        let table = try EventFieldTable(Array(text.replacing(line, with: "\(line)\n\(added)").utf8))
        let files = try EventSource.$table.withValue(table) {
            try EventSource.files.map { (path: $0.path, text: try $0.text()) }
        }
        let having = files.filter { $0.text.contains("bundleVersion") }
        #expect(having.count == 4)
        #expect(having.filter { !$0.text.contains("storeName") }.map(\.path) == [])
        #expect(files.contains { $0.text.contains("store_name") })
    }
}
