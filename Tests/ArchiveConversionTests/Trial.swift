import NotificationTranslation
import Testing

@testable import NotificationArchives

typealias Change = (inout ConversionRequest) -> Void

/// Asks for chunks of a size, workers, records of a length at most and a format.
func asking(
    _ chunkSize: Int? = nil, jobs: Int? = nil, longest: Int? = nil, as format: ConversionRequest.InputFormat? = nil
) -> Change {
    {
        $0.chunkSize = chunkSize ?? $0.chunkSize
        $0.jobs = jobs ?? $0.jobs
        $0.longestRecord = longest ?? $0.longestRecord
        $0.inputFormat = format ?? $0.inputFormat
    }
}

/// Asks for whole subscriptions in view, with little memory if nothing else is said.
func settle(_ inference: SilentInference = .off, asOf: Int64? = nil, in request: TimelineRequest = .frugal) -> Change {
    {
        $0.timeline = request
        $0.timeline?.inference = inference
        $0.timeline?.asOf = asOf
    }
}

/// An input by its name, and what is expected of it.
struct Sample<Expected: Sendable>: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var text: String
    var expected: Expected

    init(_ name: String, _ text: String, _ expected: Expected) {
        (testDescription, self.text, self.expected) = (name, text, expected)
    }
}

extension Sequence where Element: StringProtocol {
    /// The texts, each as a line.
    var asLines: String { map { $0 + "\n" }.joined() }
}

/// A conversion inside the test's own process.
struct Trial {
    var events: String
    var rejects: String
    var outcome: ConversionOutcome
    /// Where it ran.
    private let workspace: Workspace
    private let inputs: [String]

    /// Runs one, with the output in `name` and the rejects in `name.rejects`.
    init(
        _ inputs: [String], in workspace: Workspace, output name: String = "out", _ change: Change = { _ in }
    ) throws {
        (self.workspace, self.inputs) = (workspace, inputs)
        var request = ConversionRequest(records: .init())
        request.inputs = inputs.map(workspace.path)
        request.output = workspace.path(name)
        request.rejects = workspace.path(name + ".rejects")
        request.overwrites = true
        request.jobs = 1
        change(&request)
        outcome = try Conversion(request, messages: Messages(isQuiet: true)).run()
        events = try workspace.read(name)
        rejects = request.rejects == nil ? "" : try workspace.read(name + ".rejects")
    }

    /// Converts a file of this text.
    init(of text: String, _ change: Change = { _ in }) throws {
        try self.init(["a"], in: Workspace(["a": text]), change)
    }

    /// Converts the same once more, in another way.
    func again(_ change: Change) throws -> Trial { try Trial(inputs, in: workspace, change) }

    var lines: [Substring] { events.split(separator: "\n") }

    var decoded: [UnifiedEvent] { get throws { try lines.map { try UnifiedEvent(line: Array($0.utf8)) } } }

    var tally: Tally { outcome.tally }

    /// Line number and offset of every event, as `line@offset`.
    var places: [String] { Self.places(in: lines) }

    /// The line number alone.
    var numbers: [Substring] { lines.map { Self.place(in: $0).prefix { $0 != "@" } } }

    /// Line number, offset, length and code of every reject, as `line@offset+length code`.
    var faults: [String] {
        rejects.split(separator: "\n").map { line in
            let code = line.text(between: "\"code\":\"", and: "\"") ?? "?"
            let length = line.text(between: "\"length\":", and: ",") ?? "?"
            return Self.place(in: line) + "+" + length + " " + code
        }
    }

    static func places(in events: [Substring]) -> [String] { events.map { place(in: $0) } }

    private static func place(in line: Substring) -> String {
        let number = line.text(between: "\"line\":", and: ",") ?? "?"
        let rest = line.text(between: "\"offset\":", and: ",") ?? line.text(between: "\"offset\":", and: "}") ?? "?"
        return number + "@" + String(rest.prefix { $0.isNumber })
    }
}

extension Substring {
    /// The text between two others, at the last occurrence of the first.
    func text(between start: String, and end: Character) -> String? {
        let tail = ranges(of: start).last.map { self[$0.upperBound...] }
        return tail.flatMap { tail in tail.firstIndex(of: end).map { String(tail[..<$0]) } }
    }
}
