import NotificationTranslation
import SystemLibC

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

    private static let header = "notification-translator checkpoint 3"

    /// Where the checkpoint of an output is.
    static func path(of output: String) -> String { output + ".checkpoint" }

    /// The text of the file.
    var text: String {
        let position = state.position
        var lines = [
            Self.header,
            "options \(options)", "inputs \(inputs)", "complete \(isComplete ? 1 : 0)",
            "read \(isRead ? 1 : 0)",
            "kept \(kept.length) \(kept.fileLength)",
            "position \(position.input) \(position.offset) \(position.splitter) \(position.isEnd ? 1 : 0)",
            "tail \(position.tailLength) \(position.tailHash)",
            "lines \(state.lines)",
            "bytes \(state.inputBytes) \(state.outputLength) \(state.rejectsLength)",
            "runs \(state.runsLength)",
        ]
        if let latest = state.latest { lines.append("latest \(UInt64(bitPattern: latest))") }
        let tally = state.tally
        lines.append(
            "tally \(tally.records) \(tally.converted) \(tally.rejected) \(tally.skipped) \(tally.exact) "
                + "\(tally.inferred) \(tally.ambiguous) \(tally.unmapped) \(tally.companions) \(tally.duplicates) "
                + "\(tally.deduced) \(tally.signs) \(tally.missedPointers) \(tally.received) \(tally.zoneless)"
        )
        let found = state.inputs
        lines.append(
            "inputs-found \(found.skippedInputs) \(found.firstSkippedInput) \(found.inputsOfSeveral) \(found.records) "
                + "\(found.skipped)")
        if let sign = found.firstSign { lines.append("sign \(sign.input) \(sign.line)") }
        if tally.receipts.present > 0 {
            let receipts = tally.receipts
            lines.append(
                "receipts \(receipts.present) \(receipts.verified) \(receipts.covering) \(receipts.contradicting) "
                    + "\(receipts.partly)")
        }
        if tally.uncatalogued > 0 { lines.append("uncatalogued \(tally.uncatalogued)") }
        if tally.premature > 0 { lines.append("premature \(tally.premature)") }
        if tally.overdue > 0 { lines.append("overdue \(tally.overdue)") }
        if tally.ambiguousDeduced > 0 { lines.append("ambiguous-deduced \(tally.ambiguousDeduced)") }
        lines.append("flags" + tally.flags.map { " \($0)" }.joined())
        if let report = state.report { lines.append("report \(report.text)") }
        lines.append("contradicted \(state.contradicted)")
        for code in state.rejectCodes.sorted(by: { $0.key < $1.key }) { lines.append("code \(code.value) \(code.key)") }
        let body = lines.joined(separator: "\n") + "\n"
        return body + "hash \(Self.hash(of: body))\n"
    }

    init() {}

    /// Reads a file's text.
    ///
    /// - Returns: `nil` when it is not whole or not of this version.
    init?(text: String) {
        guard let end = text.range(ofLast: "hash "), text.hasPrefix(Self.header + "\n") else { return nil }
        let body = String(text[..<end])
        guard text[end...] == "hash \(Self.hash(of: body))\n" else { return nil }
        for line in body.split(separator: "\n").dropFirst() {
            guard take(line.split(separator: " ").map(String.init)) else { return nil }
        }
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
        let signed = numbers.map { Int64(truncatingIfNeeded: $0) }
        let counts = numbers.map { Int(truncatingIfNeeded: $0) }
        switch (key, numbers.count) {
        case ("options", 1): options = numbers[0]
        case ("inputs", 1): inputs = numbers[0]
        case ("complete", 1): isComplete = numbers[0] == 1
        case ("read", 1): isRead = numbers[0] == 1
        case ("kept", 2): kept = OutputPosition(length: signed[0], fileLength: signed[1])
        case ("position", 4):
            state.position.input = counts[0]
            state.position.offset = signed[1]
            state.position.splitter = UInt8(truncatingIfNeeded: numbers[2])
            state.position.isEnd = numbers[3] == 1
        case ("tail", 2):
            state.position.tailLength = min(counts[0], 4096)
            state.position.tailHash = numbers[1]
        case ("lines", 1): state.lines = signed[0]
        case ("bytes", 3):
            (state.inputBytes, state.outputLength, state.rejectsLength) = (signed[0], signed[1], signed[2])
        case ("runs", 1): state.runsLength = signed[0]
        case ("latest", 1): state.latest = signed[0]
        case ("contradicted", 1): state.contradicted = counts[0]
        case ("inputs-found", 5):
            state.inputs.skippedInputs = counts[0]
            state.inputs.firstSkippedInput = counts[1]
            state.inputs.inputsOfSeveral = counts[2]
            state.inputs.records = counts[3]
            state.inputs.skipped = counts[4]
        case ("sign", 2): state.inputs.firstSign = .init(input: counts[0], line: signed[1])
        case ("tally", 15): take(tally: counts)
        case ("receipts", 5):
            state.tally.receipts.present = counts[0]
            state.tally.receipts.verified = counts[1]
            state.tally.receipts.covering = counts[2]
            state.tally.receipts.contradicting = counts[3]
            state.tally.receipts.partly = counts[4]
        case ("uncatalogued", 1): state.tally.uncatalogued = counts[0]
        case ("premature", 1): state.tally.premature = counts[0]
        case ("overdue", 1): state.tally.overdue = counts[0]
        case ("ambiguous-deduced", 1): state.tally.ambiguousDeduced = counts[0]
        case ("flags", _): state.tally.flags = counts
        default: return false
        }
        return true
    }

    private mutating func take(tally counts: [Int]) {
        state.tally.records = counts[0]
        state.tally.converted = counts[1]
        state.tally.rejected = counts[2]
        state.tally.skipped = counts[3]
        state.tally.exact = counts[4]
        state.tally.inferred = counts[5]
        state.tally.ambiguous = counts[6]
        state.tally.unmapped = counts[7]
        state.tally.companions = counts[8]
        state.tally.duplicates = counts[9]
        state.tally.deduced = counts[10]
        state.tally.signs = counts[11]
        state.tally.missedPointers = counts[12]
        state.tally.received = counts[13]
        state.tally.zoneless = counts[14]
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

    /// Reads the one beside an output.
    ///
    /// - Returns: `nil` when there is none.
    /// - Throws: ``ArchiveError`` when there is one that cannot be used.
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
