import NotificationTranslation
import NotificationLibC

/// What an interrupted run needs to continue; a file beside the output.
///
/// It is written after the data it refers to was synced, under another name that is then renamed, so whatever is found
/// is whole and true. A text of `key value` lines with a hash at its end; made to be read by this program only.
struct Checkpoint: Hashable {
    /// State at the end of a whole chunk.
    var state = RunState()
    /// Up to where the output file is kept; what is between `state.outputLength` and `kept.length` is made again and
    /// thrown away.
    var kept = OutputPosition()
    /// Everything is written; only the names are missing.
    var isComplete = false
    /// All inputs are read; what is left is to settle and to write.
    var isRead = false
    /// What the run was asked to do.
    var options: UInt64 = 0
    /// The files it reads, their sizes and times.
    var inputs: UInt64 = 0

    private static let header = "notification-translator checkpoint 4"

    /// Where the checkpoint of an output is.
    static func path(of output: String) -> String { output + ".checkpoint" }

    /// A number of a checkpoint, whatever its type.
    private struct Number {
        let read: (Checkpoint) -> UInt64
        let write: (inout Checkpoint, UInt64) -> Void

        init<Value: FixedWidthInteger>(_ path: WritableKeyPath<Checkpoint, Value>) {
            read = { UInt64(truncatingIfNeeded: $0[keyPath: path]) }
            write = { $0[keyPath: path] = Value(truncatingIfNeeded: $1) }
        }

        init(_ path: WritableKeyPath<Checkpoint, Bool>) {
            read = { $0[keyPath: path] ? 1 : 0 }
            write = { $0[keyPath: path] = $1 == 1 }
        }
    }

    /// The numbers that are always there, by the key of their line.
    private static var numbers: [(key: String, numbers: [Number])] {
        [
            ("options", [Number(\.options)]), ("inputs", [Number(\.inputs)]), ("complete", [Number(\.isComplete)]),
            ("read", [Number(\.isRead)]), ("kept", [Number(\.kept.length), Number(\.kept.fileLength)]),
            ("position", [Number(\.state.position.input), Number(\.state.position.offset)]),
            ("splitter", [Number(\.state.position.splitter), Number(\.state.position.isEnd)]),
            ("tail", [Number(\.state.position.tailLength), Number(\.state.position.tailHash)]),
            ("lines", [Number(\.state.lines)]), ("input-bytes", [Number(\.state.inputBytes)]),
            ("written", [Number(\.state.outputLength), Number(\.state.rejectsLength)]),
            ("runs", [Number(\.state.runsLength)]), ("contradicted", [Number(\.state.contradicted)]),
            ("skipped-inputs", [Number(\.state.inputs.skippedInputs), Number(\.state.inputs.firstSkippedInput)]),
            ("of-several", [Number(\.state.inputs.inputsOfSeveral)]),
            ("of-input", [Number(\.state.inputs.records), Number(\.state.inputs.skipped)]),
        ]
    }

    var text: String {
        func line(_ key: String, _ numbers: [some BinaryInteger]) -> String {
            key + numbers.map { " \($0)" }.joined()
        }
        var lines = [Self.header] + Self.numbers.map { row in line(row.key, row.numbers.map { $0.read(self) }) }
        if let latest = state.latest { lines.append(line("latest", [UInt64(bitPattern: latest)])) }
        lines.append(line("tally", Tally.counts.map { state.tally[keyPath: $0] }))
        if let sign = state.inputs.firstSign { lines.append("sign \(sign.input) \(sign.line)") }
        lines.append(line("flags", state.tally.flags))
        if let report = state.report { lines.append("report \(report.text)") }
        for code in state.rejectCodes.sorted(by: { $0.key < $1.key }) { lines.append("code \(code.value) \(code.key)") }
        let body = lines.joined(separator: "\n") + "\n"
        return body + "hash \(Self.hash(of: body))\n"
    }

    init() {}

    /// Reads a file's text; `nil` when it is not whole or not of this version.
    init?(text: String) {
        guard let end = text.range(ofLast: "hash "), text.hasPrefix(Self.header + "\n") else { return nil }
        let body = String(text[..<end])
        guard text[end...] == "hash \(Self.hash(of: body))\n" else { return nil }
        for line in body.split(separator: "\n").dropFirst() {
            guard take(line.split(separator: " ").map(String.init)) else { return nil }
        }
        state.position.tailLength = min(state.position.tailLength, 4096)
    }

    private static func hash(of body: String) -> UInt64 {
        var hash = StableHash()
        hash.add(body)
        return hash.value
    }

    private mutating func take(_ words: [String]) -> Bool {
        if words.count == 3, words[0] == "code", let number = Int(words[1]) {
            state.rejectCodes[words[2]] = number
            return true
        }
        if words.count == 2, words[0] == "report" {
            state.report = ReportTally(text: words[1])
            return state.report != nil
        }
        let numbers = words.dropFirst().compactMap { UInt64($0) }
        guard let key = words.first, numbers.count == words.count - 1 else { return false }
        let counts = numbers.map { Int(truncatingIfNeeded: $0) }
        switch (key, numbers.count) {
        case ("latest", 1): state.latest = Int64(bitPattern: numbers[0])
        case ("sign", 2): state.inputs.firstSign = .init(input: counts[0], line: Int64(counts[1]))
        case ("tally", Tally.counts.count):
            for (path, count) in zip(Tally.counts, counts) { state.tally[keyPath: path] = count }
        case ("flags", _): state.tally.flags = counts
        default:
            guard let row = Self.numbers.first(where: { $0.key == key }), row.numbers.count == numbers.count else {
                return false
            }
            for (number, value) in zip(row.numbers, numbers) { number.write(&self, value) }
        }
        return true
    }
}

extension String {
    /// Where the last occurrence of a text at the start of a line begins.
    fileprivate func range(ofLast text: String) -> String.Index? {
        var found: String.Index?
        var at = startIndex
        while at < endIndex {
            if self[at...].hasPrefix(text) { found = at }
            guard let end = self[at...].utf8.firstIndex(of: 0x0A) else { break }
            at = utf8.index(after: end)
        }
        return found
    }
}

extension Checkpoint {
    /// Writes it beside the output.
    func write(for output: String) throws(ArchiveError) {
        let path = Self.path(of: output)
        let file = try Descriptor.writing(path + ".new", flags: O_CREAT | O_TRUNC)
        do throws(ArchiveError) {
            try file.writeAll(text)
            try file.sync()
        } catch {
            file.closeQuietly()
            throw error
        }
        try file.close()
        guard rename(path + ".new", path) == 0 else {
            throw ArchiveError(.outputUnwritable, "cannot rename to", path: path, systemCode: errno)
        }
        try OutputFile.syncFolder(of: path)
    }

    /// Reads the one beside an output; `nil` when there is none.
    static func read(for output: String) throws(ArchiveError) -> Checkpoint? {
        let path = path(of: output)
        guard FileStatus(ofPath: path) != nil else { return nil }
        let file = try Descriptor.reading(path)
        defer { file.closeQuietly() }
        let bytes = try file.readAll(limit: 64 << 20)
        guard let checkpoint = Checkpoint(text: String(decoding: bytes, as: UTF8.self)) else {
            throw ArchiveError(
                .checkpointMismatch,
                "cannot resume from",
                path: path,
                detail: "it is damaged or of another version; remove it to start again"
            )
        }
        return checkpoint
    }

    /// Removes the one beside an output.
    static func remove(for output: String) {
        unlink(path(of: output))
        unlink(path(of: output) + ".new")
    }

    /// What a request asks for, as far as it decides what is written.
    ///
    /// Field by field, as printing values by reflection took a sixth of the program's start.
    static func identity(of request: ConversionRequest) -> UInt64 {
        var hash = StableHash()
        hash.add(request.programVersion)
        hash.add(request.records.envelope)
        hash.add(request.records.keepsEvidence)
        hash.add(request.records.spillsEvents)
        hash.add(request.records.dropsCompanions)
        hash.add(request.records.rejectsAmbiguous)
        hash.add(request.records.shape.identity)
        hash.add(request.records.receivedAt.identity)
        hash.add(request.timeline?.identity)
        if let catalogue = request.records.catalogue { hash.add("catalogue \(catalogue.fingerprint)") }
        hash.add(request.policyIdentity)
        hash.add(request.redactionKey?.fingerprint)
        hash.add(request.inputFormat.rawValue)
        hash.add(request.compression.rawValue)
        hash.add(String(request.longestRecord))
        hash.add(request.failsFast)
        hash.add(request.rejects)
        hash.add(request.rejectsAreRaw)
        for report in request.reports { hash.add(report.path) }
        return hash.value
    }

    /// The inputs, in order, with what would show a change: size, time and inode.
    static func identity(of inputs: [InputFile]) -> UInt64 {
        var hash = StableHash()
        for input in inputs {
            hash.add(input.path)
            guard let status = input.status, status.kind == .regular else { continue }
            hash.add("\(status.size) \(status.modified) \(status.inode)")
        }
        return hash.value
    }
}

extension ReceivedAt {
    /// The same text for the same source of times.
    fileprivate var identity: String {
        switch self {
        case .auto: "auto"
        case .none: "none"
        case .modificationTime: "mtime"
        case .pointer(let steps): "/" + steps.joined(separator: "\u{0}")
        }
    }
}
