/// What settling changes of an event that was judged alone; everything else of it stays.
///
/// Small enough to be kept for every notification of an archive: the decision is not in it, only what it was made of.
package struct Verdict {
    /// The type and the facts that decide now; `nil` where the judgement stays.
    var judged: (type: Int, facts: Facts)?
    /// The pair of a companion that became the event; -1 for none.
    var pair = -1
    /// Whether that companion may be one all the same, because its event may be after the end of the view.
    var mayBePart = false
    /// The pair of the event that a companion is part of, whose kind it takes; -1 for none.
    var leadingPair = -1
    var disposition = Disposition.event
    /// A ceiling for the certainty.
    var limit: Certainty?
    var removedFlags = FlagSet()
    var addedFlags = FlagSet()
    var companionOf: EventDraft.ID?
    /// The id, where the canonical text belongs to another event.
    var id: EventID?
    /// When it happened and the number of the field that says so, where a rule changes that; ``TimeField/none`` where no
    /// date is left.
    var time: (milliseconds: Int64, field: UInt8)?
    /// The transaction it is about, where the body does not name it and others do.
    var transaction: NamedTransaction?
    /// What an answer of Apple's adds to the transaction.
    var details: AnsweredDetails?
    /// What it says about access, where that is other than before.
    var access: Access?
    /// How the subscription stood after it, as `data.status` says it, where that is asked for and known.
    var status: Int64?
    /// The auto-renew status after it, where that is asked for and differs from the body, which has no date of its own.
    var autoRenewStatus: Int64?
    /// The app, where the body does not name it and others of its subscription do; used where version 2 is written.
    package var bundleID = EventText.absent
    /// Why a duplicate is there, for reports.
    package var repetition: Repetition?
    /// Whether the event is left out.
    package var isDropped = false

    /// Whether every field stays.
    var changesNothing: Bool {
        judged == nil && access == nil && removedFlags.isEmpty && addedFlags.isEmpty && companionOf == nil && id == nil
            && time == nil && transaction == nil && details == nil && status == nil && autoRenewStatus == nil
            && bundleID.isAbsent && !isDropped
    }

    /// Its parts; read by the same build only.
    mutating func code(_ coder: inout some ByteCoder) {
        coder.optional(&judged, of: (0, .unknown)) {
            $0.position(&$1.type)
            $1.facts.code(&$0)
        }
        coder.position(&pair)
        coder.truth(&mayBePart)
        coder.position(&leadingPair)
        coder.word(&disposition)
        coder.optional(&limit, of: .exact) { $0.word(&$1) }
        coder.flags(&removedFlags)
        coder.flags(&addedFlags)
        coder.optional(&companionOf, of: .text(.absent)) { $0.id(&$1) }
        coder.optional(&id, of: EventID(high: 0, low: 0)) { $0.id(&$1) }
        coder.optional(&time, of: (0, 0)) {
            $0.signed(&$1.milliseconds)
            $0.byte(&$1.field)
        }
        coder.optional(&transaction, of: NamedTransaction(.absent, TimelineRow())) { $1.code(&$0) }
        coder.optional(&details, of: AnsweredDetails()) { $1.code(&$0) }
        coder.optional(&access, of: .unaffected) { $1.code(&$0) }
        coder.signed(&status)
        coder.signed(&autoRenewStatus)
        coder.text(&bundleID)
        coder.optional(&repetition, of: .notKnown) { $0.word(&$1) }
        coder.truth(&isDropped)
    }
}

/// Why the same notification is there again.
package enum Repetition: String, Sendable, CaseIterable {
    /// With the same time of arrival: whoever kept the archive stored it again.
    case storedTwice = "stored_twice"
    /// It came at another time: Apple sent it again.
    case deliveredAgain = "delivered_again"
    /// The other version reports the same event.
    case bothVersions = "both_versions"
    /// The archive does not say when it came.
    case notKnown = "not_known"
}

/// What settling makes of one record's event: the verdict on it, and the deduced events that follow it.
package struct RecordVerdict {
    package var verdict: Verdict?
    package var silent: [SilentEvent] = []

    init(verdict: Verdict?, silent: [SilentEvent] = []) {
        self.verdict = verdict
        self.silent = silent
    }

    /// Reads one, whose texts are in the memory of `bytes`; `nil` for bytes that are none.
    ///
    /// No bytes change nothing.
    package init?(_ bytes: UnsafeRawBufferPointer) {
        if bytes.isEmpty { return }
        var reader = ByteReader(bytes)
        code(&reader)
        guard !reader.failed, reader.isAtEnd else { return nil }
    }

    mutating func append(to output: OutputBuffer) {
        var writer = ByteWriter(output: output)
        code(&writer)
    }

    /// Its parts; read by the same build only.
    private mutating func code(_ coder: inout some ByteCoder) {
        coder.optional(&verdict, of: Verdict()) { $1.code(&$0) }
        coder.list(&silent, of: SilentEvent()) { $1.code(&$0) }
    }
}
