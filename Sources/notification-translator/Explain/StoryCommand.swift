import NotificationArchives
import NotificationTranslation

/// `explain FILE:LINE` and `explain --id ID FILE|DIR...`: what `convert` did there.
enum StoryCommand {
    /// Explains a record, or the event of an id, with its subscription in view.
    static func run(_ target: StoryTarget, _ inputs: [String], _ arguments: Arguments) throws -> Int32 {
        var request = try ConvertCommand.judging(arguments)
        request.inputs = inputs
        if request.filesFrom == "-" {
            throw arguments.refusal("--files-from - : explain needs the names in a file.")
        }
        try Interruption.listen()
        let story = try StoryLookup(target, request).run()
        var text = ""
        for subscription in story.subscriptions {
            text += (text.isEmpty ? "" : "\n") + StoryText(subscription: subscription).text
        }
        if !text.isEmpty {
            text += "\n" + HelpText.wrapped(scope(story, request)) + "\n"
            _ = try Program.print(text)
        }
        if story.wasDamaged { Program.say("an input is damaged or cannot be read; the rest is in view") }
        return say(story, target)
    }

    private static func scope(_ story: ArchiveStory, _ request: ConversionRequest) -> String {
        guard let timeline = request.timeline else {
            return "Judged by itself (--context record), as convert does with the same options."
        }
        let files = count(story.files, "file")
        let deduced = timeline.inference == .off ? "; --infer was not given, so no events are deduced" : ""
        return "Judged as convert judges \(files) with the same options\(deduced)."
            + " To include other files, name them as well: explain FILE:LINE FILE|DIR..."
    }

    /// Says what is there beside events, and turns that into an exit code.
    private static func say(_ story: ArchiveStory, _ target: StoryTarget) -> Int32 {
        switch target {
        case .id(let id):
            if !story.subscriptions.isEmpty { return Program.ExitCode.done }
            Program.say(
                "no event has the id '\(printable(id))' in \(count(story.files, "file")) judged with these options; "
                    + "events that only --infer adds need the same --infer here")
            return Program.ExitCode.findings
        case .place(let path, let line):
            return story.nothing.map { say($0, "\(printable(path)):\(line)") } ?? Program.ExitCode.done
        }
    }

    private static func say(_ nothing: ArchiveStory.Nothing, _ place: String) -> Int32 {
        var code = Program.ExitCode.findings
        var text = ""
        switch nothing {
        case .rejected(let reject):
            let field = reject.path.isEmpty ? "" : "\(reject.path): "
            text = "\(reject.column + 1): reject[\(reject.code)]: \(field)\(reject.message)"
            if let meaning = Explanation().name(reject.code) { text += "\n" + meaning.dropLast() }
        case .skipped(let reason, let hasSigns):
            text = " skipped: \(reason.sentence)"
            if hasSigns { text += "; it shows signs of a notification, so --envelope /POINTER may help to find it" }
            if !hasSigns { code = Program.ExitCode.done }
        case .answer:
            text =
                " an answer from Apple: it is evidence, not an event; to see what it changed, run explain --id with the "
                + "original transaction id of a subscription in it"
            code = Program.ExitCode.done
        case .noRecord(let before):
            text =
                " no record begins there: the line is blank, a table's header, or inside of a record that spans lines"
                + (before.map { "; the record before it is \($0)" } ?? "")
        case .afterEnd(let lines): text = " the input has only \(lines) lines or records"
        }
        Program.say("\(place):\(text)", isFirst: false)
        return code
    }
}

extension StoryTarget {
    /// Takes apart `FILE:LINE` (the line, or the record's ordinal, from 1), or `FILE:LINE:COLUMN` out of a message; `nil`
    /// if a word is neither, or if there is a file of exactly that name.
    init?(place word: String) {
        func number(_ text: Substring) -> Int64? { text.utf8.allSatisfy { 0x30...0x39 ~= $0 } ? Int64(text) : nil }
        var parts = word.split(separator: ":", omittingEmptySubsequences: false)
        if parts.count > 1, parts.last == "" { parts.removeLast() }
        if parts.count > 2, parts.suffix(2).allSatisfy({ number($0) != nil }),
            FileStatus(ofPath: parts.dropLast().joined(separator: ":")) == nil
        {
            parts.removeLast()
        }
        guard parts.count > 1, let line = parts.popLast().flatMap(number), line > 0, parts != [""],
            FileStatus(ofPath: word) == nil
        else { return nil }
        self = .place(path: parts.joined(separator: ":"), line: line)
    }
}
