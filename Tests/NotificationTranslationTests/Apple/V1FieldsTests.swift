import Testing

@testable import NotificationTranslation

@Suite("The fields of a version 1 body")
struct V1FieldsTests {
    /// The bodies of all cases, each as it is and with a field that cannot be read, in two ways.
    private static func bodies() throws -> [String] {
        try Fixture.names(in: "Fixtures/v1-to-v2").flatMap { name -> [String] in
            let body = String(decoding: try Fixture.bytes("Fixtures/v1-to-v2/\(name)/input.json"), as: UTF8.self)
            return [body, body]
                + ["{}", "[1]"].map { value in
                    body.replacing(#""bid": "com.example.news""#, with: #""bvrs2": 1, "bid": \#(value)"#)
                }
        }
    }

    @Test("Two equal notifications have one hash, one set of flags and one translation")
    func equality() throws {
        let normalizer = NotificationNormalizer(policy: .trustingTheSource)
        var translations: [V1Notification: [EventTime?: Translation]] = [:]
        var repeated = 0
        for body in try Self.bodies() {
            guard let notification = try? V1Notification(Array(body.utf8)) else { continue }
            let judged = try #require(try normalizer.judgements(of: Array(body.utf8)).all.first)
            let translation = try #require(judged.translation)
            let receivedAt = judged.event.source.receivedAt
            if let other = translations[notification]?[receivedAt] {
                repeated += 1
                #expect(other == translation)
            }
            translations[notification, default: [:]][receivedAt] = translation
        }
        #expect(translations.count > 200 && repeated > 200)
    }

    @Test("Equality, hash and copy take in everything that is stored")
    func values() {
        // A value that is added belongs into V1Fields.Values, too.
        #expect(Mirror(reflecting: V1Fields()).children.count == 12)
        let fields = V1Fields()
        let changes: [(V1Fields) -> Void] = [
            { $0.root.addRow { $0[0] = JSONText(1, 2, escaped: false) } },
            { $0.rows.addRow { $0[0] = JSONText(1, 2, escaped: false) } },
            { $0.pending.addRow { $0[0] = JSONText(1, 2, escaped: false) } },
            { $0.unifiedRows = 1 }, { $0.unifiedEnvironment = JSONText(1, 2, escaped: false) },
            { $0.hasMisplacedValue = true }, { $0.oddities = .texts }, { $0.addReceiptRow { _ in } },
        ]
        for change in changes {
            let changed = V1Fields()
            change(changed)
            let copy = V1Fields()
            copy.copy(changed)
            #expect(changed != fields)
            #expect(copy == changed && copy.hashValue == changed.hashValue)
        }
    }
}
