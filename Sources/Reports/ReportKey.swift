import NotificationArchives
import NotificationTranslation

/// A value of a report in JSON: what it is, and how it is written.
protocol ReportValue {
    static var type: SchemaType { get }
    static var isNullable: Bool { get }
    var json: String { get }
}

extension ReportValue {
    static var isNullable: Bool { false }
}

extension String: ReportValue {
    static var type: SchemaType { .text }
    var json: String { JSONSchema.quoted(self) }
}

extension Int: ReportValue {
    static var type: SchemaType { .number }
    var json: String { "\(self)" }
}

extension Bool: ReportValue {
    static var type: SchemaType { .truth }
    var json: String { self ? "true" : "false" }
}

extension Optional: ReportValue where Wrapped: ReportValue {
    static var type: SchemaType { Wrapped.type }
    static var isNullable: Bool { true }
    var json: String { self?.json ?? "null" }
}

/// An object of numbers by name.
extension [ReportFigures.Count]: ReportValue {
    static var type: SchemaType { .map(.number) }
    var json: String { ReportJSON.object(map { ($0.name, "\($0.count)") }) }
}

/// A key of a report in JSON: what its value is and means, for the schema, and where the value comes from.
struct ReportKey<Subject> {
    let field: SchemaField
    /// The value as JSON, where it stands inside of so many objects that have a line for each key.
    private let value: (Subject, _ depth: Int) -> String

    init(
        _ name: String, _ type: SchemaType, nullable: Bool = false, _ meaning: String = "",
        _ value: @escaping (Subject, _ depth: Int) -> String
    ) {
        field = SchemaField(name, type, nullable: nullable, meaning)
        self.value = value
    }

    static func key<Value: ReportValue>(
        _ name: String, _ meaning: String = "", _ value: @escaping (Subject) -> Value
    ) -> Self {
        Self(name, Value.type, nullable: Value.isNullable, meaning) { subject, _ in value(subject).json }
    }

    /// One of the words of an enum.
    static func word<Word: RawRepresentable<String> & CaseIterable>(
        _ name: String, _ value: @escaping (Subject) -> Word
    ) -> Self {
        Self(name, .word(Word.allCases.map(\.rawValue))) { subject, _ in value(subject).rawValue.json }
    }

    /// An object in one line, `null` where there is none.
    static func object<Part>(
        _ name: String, _ keys: [ReportKey<Part>], nullable: Bool = false, _ meaning: String = "",
        _ part: @escaping (Subject) -> Part?
    ) -> Self {
        Self(name, keys.type(), nullable: nullable, meaning) { subject, _ in part(subject).map(keys.object) ?? "null" }
    }

    /// An object with a line for each key.
    static func lines<Part>(
        _ name: String, _ keys: [ReportKey<Part>], _ meaning: String = "", _ part: @escaping (Subject) -> Part
    ) -> Self {
        Self(name, keys.type(), meaning) { keys.lines(part($0), depth: $1) }
    }

    /// An array of objects, one per line.
    static func list<Element>(
        _ name: String, _ keys: [ReportKey<Element>], _ meaning: String = "",
        _ elements: @escaping (Subject) -> [Element]
    ) -> Self {
        Self(name, .list(keys.type()), meaning) { ReportJSON.lines("[", elements($0).map(keys.object), "]", $1) }
    }

    /// The same key of something that is part of another.
    func of<Whole>(_ part: @escaping (Whole) -> Subject) -> ReportKey<Whole> {
        let field = field
        return ReportKey<Whole>(field.key, field.type, nullable: field.isNullable, field.meaning) {
            value(part($0), $1)
        }
    }

    fileprivate func member(_ subject: Subject, _ depth: Int) -> (key: String, json: String) {
        (field.key, value(subject, depth))
    }
}

extension Array {
    /// What an object with these keys is.
    func type<Subject>() -> SchemaType where Element == ReportKey<Subject> { .object(map(\.field)) }

    /// An object with these keys, in one line.
    func object<Subject>(_ subject: Subject) -> String where Element == ReportKey<Subject> {
        ReportJSON.object(map { $0.member(subject, 0) })
    }

    /// An object with a line for each of these keys, so that two reports can be compared line by line.
    func lines<Subject>(_ subject: Subject, depth: Int = 0) -> String where Element == ReportKey<Subject> {
        ReportJSON.lines("{", map { ReportJSON.member($0.member(subject, depth + 1)) }, "}", depth)
    }
}
