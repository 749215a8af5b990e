import NotificationArchives
import NotificationTranslation

/// A key of a report in JSON: what its value is and means, for the schema, and where the value comes from.
struct ReportKey<Subject> {
    let member: ReportSchema.Member
    private let value: (Subject) -> JSONLines?

    private init(_ member: ReportSchema.Member, _ value: @escaping (Subject) -> JSONLines?) {
        self.member = member
        self.value = value
    }

    /// A value in one line; JSON already.
    init(_ name: String, _ type: ReportSchema.Value, _ meaning: String = "", _ value: @escaping (Subject) -> String) {
        self.init(ReportSchema.Member(name, type, meaning)) { .inline(value($0)) }
    }

    static func text(_ name: String, _ meaning: String = "", _ value: @escaping (Subject) -> String) -> Self {
        Self(name, .text, meaning) { JSONLines.string(value($0)) }
    }

    static func optionalText(_ name: String, _ meaning: String = "", _ value: @escaping (Subject) -> String?) -> Self {
        Self(name, .optionalText, meaning) { JSONLines.string(value($0)) }
    }

    /// One of the words of an enum.
    static func word<Word: RawRepresentable<String> & CaseIterable>(
        _ name: String, _ value: @escaping (Subject) -> Word
    ) -> Self {
        Self(name, .word(Word.allCases.map(\.rawValue))) { JSONLines.string(value($0).rawValue) }
    }

    static func number(_ name: String, _ meaning: String = "", _ value: @escaping (Subject) -> Int) -> Self {
        Self(name, .number, meaning) { "\(value($0))" }
    }

    static func optionalNumber(_ name: String, _ meaning: String = "", _ value: @escaping (Subject) -> Int?) -> Self {
        Self(name, .optionalNumber, meaning) { value($0).map { "\($0)" } ?? "null" }
    }

    static func truth(_ name: String, _ meaning: String = "", _ value: @escaping (Subject) -> Bool) -> Self {
        Self(name, .truth, meaning) { value($0) ? "true" : "false" }
    }

    /// An object of numbers by name.
    static func counts(
        _ name: String, _ meaning: String = "", _ value: @escaping (Subject) -> [ReportFigures.Count]
    ) -> Self {
        Self(name, .counts, meaning) { Self.counts(value($0)) }
    }

    static func optionalCounts(
        _ name: String, _ meaning: String = "", _ value: @escaping (Subject) -> [ReportFigures.Count]?
    ) -> Self {
        Self(name, .optionalCounts, meaning) { value($0).map(Self.counts) ?? "null" }
    }

    private static func counts(_ counts: [ReportFigures.Count]) -> String {
        JSONLines.object(counts.map { ($0.name, "\($0.count)") })
    }

    /// An object in one line.
    static func object<Part>(
        _ name: String, _ keys: [ReportKey<Part>], _ meaning: String = "", _ part: @escaping (Subject) -> Part
    ) -> Self {
        Self(name, keys.type(), meaning) { keys.object(part($0)) }
    }

    static func optionalObject<Part>(
        _ name: String, _ keys: [ReportKey<Part>], _ meaning: String = "", _ part: @escaping (Subject) -> Part?
    ) -> Self {
        Self(name, .optionalObject(keys.map(\.member)), meaning) { part($0).map(keys.object) ?? "null" }
    }

    /// An object with a line for each key.
    static func lines<Part>(
        _ name: String, _ keys: [ReportKey<Part>], _ meaning: String = "", _ part: @escaping (Subject) -> Part
    ) -> Self {
        Self(ReportSchema.Member(name, keys.type(), meaning)) { keys.lines(part($0)) }
    }

    /// The same; the key is left out where the object is `nil`.
    static func requestedLines<Part>(
        _ name: String, _ keys: [ReportKey<Part>], _ meaning: String, _ part: @escaping (Subject) -> Part?
    ) -> Self {
        Self(ReportSchema.Member(name, keys.type(), meaning, optional: true)) { part($0).map(keys.lines) }
    }

    /// An array of objects, one per line.
    static func list<Element>(
        _ name: String, _ keys: [ReportKey<Element>], _ meaning: String = "",
        _ elements: @escaping (Subject) -> [Element]
    ) -> Self {
        Self(ReportSchema.Member(name, .list(keys.type()), meaning)) { .list(elements($0).map(keys.object)) }
    }

    /// The same key of something that is part of another.
    func of<Whole>(_ part: @escaping (Whole) -> Subject) -> ReportKey<Whole> {
        ReportKey<Whole>(member) { value(part($0)) }
    }

    fileprivate func line(_ subject: Subject) -> (key: String, value: JSONLines)? {
        value(subject).map { (member.key, $0) }
    }
}

extension Array {
    /// What an object with these keys is.
    func type<Subject>() -> ReportSchema.Value where Element == ReportKey<Subject> { .object(map(\.member)) }

    /// An object with these keys, in one line.
    func object<Subject>(_ subject: Subject) -> String where Element == ReportKey<Subject> {
        JSONLines.object(compactMap { $0.line(subject) }.map { ($0.key, $0.value.text()) })
    }

    /// An object with a line for each of these keys.
    func lines<Subject>(_ subject: Subject) -> JSONLines where Element == ReportKey<Subject> {
        .object(compactMap { $0.line(subject) })
    }
}
