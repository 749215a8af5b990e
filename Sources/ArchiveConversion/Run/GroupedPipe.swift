package import NotificationTranslation

/// The second half of a cluster's work: lines that ``LinePipe`` gave keys to, sorted by key and time, are settled key
/// by key.
///
/// A group is a run of lines of one key; an empty line ends it too, and so does a line that is a time, which is its
/// ``SubscriptionJudge/Options/asOf``. Its events are written then, and nothing of it is kept. Every other line has its
/// answer here too: an error of the first half is passed on, and a line that is none of its lines is answered with an
/// error and costs only itself.
package struct GroupedPipe {
    /// Bytes of one key that are held at most.
    ///
    /// What is beyond is settled in parts, so that memory stays bounded whatever has the same key;
    /// ``SubscriptionJudge/most`` lines of usual length are half of it.
    private static let mostBytes = 256 << 20

    private let options: SubscriptionJudge.Options
    private let subscriptionJudge: SubscriptionJudge
    private let tellsEnds: Bool
    private var writer = CorrectedLineWriter()
    private let longestLine: Int
    private let feed: LineFeed
    /// The lines of the key that is being read, with their ends, where each ends, and its number in the input.
    private let held = OutputBuffer()
    private var ends: [(offset: Int, line: Int)] = []
    /// Lines of the input so far.
    private var number = 0
    private var key: [UInt8] = []
    /// Lines of the group so far.
    private var count = 0
    private var answers: OutputBuffer { writer.output }

    /// Prepares a pipe, which may answer an event that remains ambiguous with an error, and tell the end of each group.
    ///
    /// A line longer than `longestLine` is refused, as the first half never writes it: key, event and evidence of a record
    /// of 16 MiB that is one string have up to five times its length. `chunkSize` is the room for what is read at once,
    /// which grows for longer lines.
    package init(
        _ options: SubscriptionJudge.Options, rejectsAmbiguous: Bool = false, tellsEnds: Bool = false,
        longestLine: Int = 128 << 20, chunkSize: Int = 256 * 1024
    ) {
        self.options = options
        self.tellsEnds = tellsEnds
        writer.rejectsAmbiguous = rejectsAmbiguous
        writer.rejectAnswer = errorAnswer(.ambiguous)
        subscriptionJudge = SubscriptionJudge(options)
        self.longestLine = longestLine
        feed = LineFeed(longestLine: longestLine + 1, chunkSize: chunkSize)
    }

    /// Settles lines until the input ends.
    package mutating func run(from input: Descriptor, to output: Descriptor) throws(ArchiveError) {
        while let part = try feed.next(from: input) {
            try part.forEachLine(longest: longestLine) { (line, _) throws(ArchiveError) in
                // A line that is too long is replaced by one that gets the answer `record.not-keyed`.
                if let line { take(line) } else { withUnsafeBytes(of: UInt8(ascii: "?")) { take($0) } }
                if answers.count >= 1 << 20 { try write(to: output) }
            }
            try write(to: output)
        }
        if count > 0 { endGroup() }
        try write(to: output)
    }

    private mutating func take(_ line: UnsafeRawBufferPointer) {
        number += 1
        if line.isEmpty { return endGroup() }
        if let time = CivilTime.milliseconds(rfc3339: line) { return endGroup(asOf: time) }
        // What has no tab has no key, and parts no lines of one. What has an empty key is a group of its own; where nobody
        // asks for groups, those that are one notification delivered again are found among them, as in an archive.
        let found = line.firstIndex(of: 0x09).map { line[..<$0] }
        if let found, count > 0, found.isEmpty && tellsEnds || !found.elementsEqual(key) { endGroup() }
        if ends.count == SubscriptionJudge.most || held.count >= Self.mostBytes { settle() }
        if let found { key = Array(found) }
        held.append(line)
        ends.append((held.count, number))
        count += 1
    }

    /// Settles the lines of a group that have not been, as of a time where one is given, and tells its end.
    private mutating func endGroup(asOf time: Int64? = nil) {
        if let time {
            (subscriptionJudge.options.asOf, subscriptionJudge.options.viewEnd) = (time, time)
            subscriptionJudge.options.table = options.table?.moved(to: time)
        }
        settle()
        if tellsEnds {
            let next = subscriptionJudge.next
            let name = count > 0 ? jsonString(String(decoding: key, as: UTF8.self)) : "null"
            let instant = next < .max ? jsonString(EventTime(milliseconds: next).description) : "null"
            answers.append("{\"group\":{\"key\":\(name),\"lines\":\(count),\"settle_at\":\(instant)}}\n")
        }
        (key, count, subscriptionJudge.next) = ([], 0, .max)
        subscriptionJudge.options = options
    }

    /// Settles the lines that are held, and lets them go.
    private mutating func settle() {
        var start = 0
        let lines = ends.map { end in
            defer { start = end.offset }
            return KeyedLine(UnsafeRawBufferPointer(rebasing: held.bytes[start..<end.offset]))
        }
        // Lines of one time, and undated ones, are judged in the order of the archive: sorting puts them in that of
        // random ids.
        let order = lines.indices.sorted { one, other in
            (lines[one]?.position ?? (.max, .max, .max)) < (lines[other]?.position ?? (.max, .max, .max))
        }
        let makesTable = options.table != nil
        let verdicts = makesTable ? [:] : verdicts(lines, in: order)
        // Lines without a key have nothing to do with each other, and are answered as they came.
        for place in key.isEmpty ? Array(lines.indices) : order {
            var line = lines[place]
            // Errors of the first half pass.
            if line?.evidence != nil, makesTable || line?.hasNoEvent == true { continue }
            if let known = line, known.evidence != nil,
                let verdict = verdicts[place] ?? (writer.rejectsAmbiguous ? [] : nil)
            {
                if verdict.withUnsafeBytes({ writer.write(spilled: known.spilled.bytes, $0) }) { continue }
                line = nil
            }
            if let line {
                answers.append(line.event)
            } else {
                answers.append(errorAnswer(.notKeyed, line: ends[place].line))
            }
            answers.append(0x0A)
        }
        if makesTable {
            order.compactMap { lines[$0]?.evidence }.withBuffers { buffers in
                subscriptionJudge.rows(of: buffers) { answers.append($1) }
            }
        }
        held.removeAll()
        ends.removeAll(keepingCapacity: true)
    }

    /// What settling makes of the lines, by their places; a key other than the subscription may bring several together.
    private func verdicts(_ lines: [KeyedLine?], in order: [Int]) -> [Int: [UInt8]] {
        var groups: [UInt64: [(place: Int, evidence: [UInt8])]] = [:]
        var guests: [(place: Int, evidence: [UInt8])] = []
        var hosts: Set<UInt64> = []
        for place in order {
            guard let line = lines[place], let evidence = line.evidence else { continue }
            if line.isGuest { guests.append((place, evidence)) } else { hosts.insert(line.keyNumber) }
            if !line.isGuest || !line.hasNoEvent { groups[line.keyNumber, default: []].append((place, evidence)) }
        }
        var verdicts: [Int: (rank: UInt64, bytes: [UInt8])] = [:]
        for (key, group) in groups {
            let members = group + (hosts.contains(key) ? guests : [])
            members.map(\.evidence).withBuffers { evidence in
                subscriptionJudge.settle(key, evidence, hosts: group.count) { member, rank, verdict in
                    let place = members[member].place
                    if verdicts[place].map({ $0.rank <= rank }) ?? false { return }
                    verdicts[place] = (rank, Array(verdict))
                }
            }
        }
        return verdicts.mapValues(\.bytes)
    }

    private mutating func write(to output: Descriptor) throws(ArchiveError) {
        defer { writer.removeAll() }
        try output.writeAll(answers.bytes)
    }
}
