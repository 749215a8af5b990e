import NotificationArchives
import NotificationTranslation
import NotificationLibC

enum ExplainCommand {
    /// Bodies larger than this are for `convert`.
    private static let limit = 16 << 20

    /// Explains a body read from a file or standard input, a name of the tables, or a record of an archive.
    static func run(_ arguments: Arguments) throws -> Int32 {
        if let id = arguments.id {
            guard !arguments.operands.isEmpty || arguments.request.filesFrom != nil else {
                throw arguments.refusal("--id needs the archive: explain --id ID FILE|DIR...")
            }
            return try StoryCommand.run(.id(id), arguments.operands, arguments)
        }
        if let first = arguments.operands.first, let target = StoryTarget(place: first) {
            return try StoryCommand.run(target, Array(arguments.operands.dropFirst()), arguments)
        }
        guard arguments.operands.count < 2 else {
            throw arguments.refusal("explain takes one file or one name. An archive may follow FILE:LINE, or --id ID.")
        }
        let explanation = Explanation()
        guard let operand = arguments.operands.first, operand != "-" else {
            if isatty(0) == 1 { Program.say("reading a body from standard input; Ctrl-D ends it") }
            return try explain(.standardInput, explanation, arguments)
        }
        // A name of the tables wins over a file of the same name, as ./NAME always means the file.
        if let text = explanation.name(operand) { return try Program.print(text) }
        guard FileStatus(ofPath: operand) != nil else {
            let hint = Arguments.hint(operand, explanation.names)
            throw arguments.refusal("'\(operand)' is neither a file nor a name in the tables.\(hint)")
        }
        let file = try Descriptor.reading(operand)
        defer { file.closeQuietly() }
        return try explain(file, explanation, arguments)
    }

    private static func explain(
        _ input: Descriptor, _ explanation: Explanation, _ arguments: Arguments
    ) throws -> Int32 {
        let bytes = try input.readAll(limit: limit + 1)
        guard bytes.count <= limit else {
            throw arguments.refusal("\(input.path) is larger than 16 MiB; explain takes one body.")
        }
        func explained(_ body: [UInt8]) -> Result<String, NotificationError> {
            Result { () throws(NotificationError) in try explanation.body(body) }
        }
        switch explained(bytes) {
        case .success(let text): return try Program.print(text)
        case .failure(let error) where error.code.rawValue != "json.trailing-content":
            let before = bytes.prefix(error.offset)
            let column = error.offset - (before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0)
            return refuse(error, input.path, line: 1 + before.count { $0 == 0x0A }, column: column)
        case .failure: break
        }
        // A file of lines is explained line by line.
        var code = Program.ExitCode.done
        for (place, line) in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
            guard line.contains(where: { $0 > 0x20 }) else { continue }
            switch explained(Array(line)) {
            case .success(let text): _ = try Program.print(text)
            case .failure(let error): code = refuse(error, input.path, line: place + 1, column: error.offset)
            }
        }
        return code
    }

    private static func refuse(_ error: NotificationError, _ path: String, line: Int, column: Int) -> Int32 {
        Program.say("\(path):\(line):\(column + 1): reject[\(error.code)]: \(error)", isFirst: false)
        return Program.ExitCode.findings
    }
}
