import NotificationTranslation

@testable import NotificationArchives

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
        _ inputs: [String],
        in workspace: Workspace,
        output name: String = "out",
        _ change: (inout ConversionRequest) -> Void = { _ in }
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
    init(of text: String, _ change: (inout ConversionRequest) -> Void = { _ in }) throws {
        let workspace = try Workspace()
        try workspace.write(text, to: "a")
        try self.init(["a"], in: workspace, change)
    }

    /// Converts the same once more, in another way.
    func again(_ change: (inout ConversionRequest) -> Void) throws -> Trial {
        try Trial(inputs, in: workspace, change)
    }

    /// Line number and offset of every event, as `line@offset`.
    var places: [String] { Self.places(in: events) }

    /// Line number, offset, length and code of every reject, as `line@offset+length code`.
    var faults: [String] {
        rejects.split(separator: "\n").map { line in
            let code = line.text(between: "\"code\":\"", and: "\"") ?? "?"
            let length = line.text(between: "\"length\":", and: ",") ?? "?"
            return Self.place(in: line) + "+" + length + " " + code
        }
    }

    static func places(in events: String) -> [String] {
        events.split(separator: "\n").map { place(in: $0) }
    }

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
