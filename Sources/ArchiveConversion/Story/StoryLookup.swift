import NotificationTranslation

/// Finds a record in an archive and shows the story of its subscription.
///
///     first pass    every record is judged alone; the record is found, and with it the key of its subscription
///     second pass   the evidence of that key is kept, and of those that share a notification with it
///
/// Where the first pass finds no event of an id, it may be one that only a whole subscription gives (a numbered id, or
/// a deduced event): the second pass then keeps everything as a conversion does, settles it, and looks again.
package struct StoryLookup {
    private var request: ConversionRequest
    /// How the subscription is settled; `nil` judges each record by itself.
    private let timeline: TimelineRequest?
    private let target: StoryTarget
    private let inputs: [InputFile]
    /// How many entries of a subscription are shown.
    private let most: Int
    /// Records of one key that are judged together.
    private let mostTogether: Int

    /// Prepares a search.
    ///
    /// - Parameters:
    ///   - target: What is asked for.
    ///   - request: How records are read and judged, and the inputs; a place's input is added if they lack it.
    ///   - most: How many entries of a subscription are shown.
    ///   - mostTogether: Records of one key that are judged together; a conversion has the same limit.
    /// - Throws: ``ArchiveError`` when an input is not there, or cannot be read twice.
    package init(
        _ target: StoryTarget, _ request: ConversionRequest, most: Int = 500,
        mostTogether: Int = SubscriptionJudge.most
    ) throws(ArchiveError) {
        self.most = most
        self.mostTogether = mostTogether
        self.request = request
        timeline = request.timeline
        // Events are read as those of a timeline in any case, without their line numbers.
        self.request.timeline = request.timeline ?? TimelineRequest()
        self.request.records.keepsEvidence = true
        self.request.records.spillsEvents = true
        var inputs = try InputFile.all(of: request, besides: []).files
        var target = target
        if case .place("-", _) = target {
            inputs.insert(InputFile(path: "-"), at: 0)
        } else if case .place(let path, let line) = target {
            guard let status = FileStatus(ofPath: path) else {
                throw ArchiveError(.inputUnreadable, "cannot open", path: path, detail: "no such file")
            }
            if let same = inputs.first(where: { $0.status.map { $0.isSameFile(as: status) } ?? false }) {
                target = .place(path: same.path, line: line)
            } else {
                inputs.insert(InputFile(path: path), at: 0)
            }
        }
        for input in inputs where input.isStandardInput || input.status.map({ $0.kind == .other }) ?? false {
            throw ArchiveError(
                .inputUnreadable, "cannot read", path: input.isStandardInput ? "standard input" : input.path,
                detail: "explain reads the archive twice, so it needs a file; save the input to a file first")
        }
        self.target = target
        self.inputs = inputs
    }

    /// Searches.
    package func run() throws(ArchiveError) -> ArchiveStory {
        var story = ArchiveStory()
        story.files = inputs.count
        let search = StorySearch(target, among: inputs)
        story.wasDamaged = try pass(search, spill: nil).wasDamaged
        story.hasMoreGuests = search.hasMoreGuests
        if case .place(_, let line) = target { story.nothing = nothing(search, line) }
        guard let timeline else {
            story.alone = search.hits.map(\.event)
            return story
        }
        var keys = Set(search.hits.flatMap { [$0.mark.key] + $0.mark.possibleKeys })
        let isFound = !keys.isEmpty
        // A line without an event has no story.
        if !isFound, case .place = target { return story }
        let spill = TimelineSpill(
            timeline, in: request.temporaryFolder, keeping: isFound ? search.keys(around: keys) : nil)
        spill.answerPlaces = []
        _ = try pass(nil, spill: spill)
        try spill.lines.close()
        var options = timeline.settling(latest: spill.latest)
        // The story also shows what an option leaves out of the output.
        options.dropped = []
        let reader = StoryReader(spill: spill, options: options, inputs: inputs, mostTogether: mostTogether)
        // An id that no record alone has may be one of a story.
        if !isFound, case .id(let id) = target { keys = try reader.keys(givingAnyOf: StorySearch.spellings(of: id)) }
        guard !keys.isEmpty else { return story }
        story.subscriptions = try reader.subscriptions(target, of: keys, within: search.keys(around: keys), most)
        return story
    }

    /// Reads the whole archive.
    private func pass(_ search: StorySearch?, spill: TimelineSpill?) throws(ArchiveError) -> ConversionOutcome {
        let state = RunState(inputs, Messages(isQuiet: true))
        try state.read(inputs, request) { (chunk) throws(ArchiveError) in
            try search?.look(at: chunk)
            try spill?.add(chunk.output, input: chunk.chunk.input)
        }
        return state.outcome
    }

    /// What is in a line where it is not an event, or is not only events.
    private func nothing(_ search: StorySearch, _ line: Int64) -> ArchiveStory.Nothing? {
        if let reject = search.reject { return .rejected(reject) }
        if let skip = search.skip { return .skipped(skip.reason, hasSigns: skip.hasSigns) }
        if !search.hits.isEmpty { return nil }
        if search.isAnswer { return .answer }
        return line > search.lastLine ? .afterEnd(lines: search.lastLine) : .noRecord(before: search.recordBefore)
    }
}

/// What a story is asked of.
package enum StoryTarget: Sendable, Hashable {
    /// The record of a line, or the record of that ordinal where the input is not a file of lines, counted from 1.
    case place(path: String, line: Int64)
    /// The event of an id.
    case id(String)
}
