import NotificationArchives
import NotificationTranslation

/// What a run says after its summary: what was skipped, which times were guessed, and which option helps.
struct Notes {
    private let outcome: Conversion.Outcome
    private let request: ConversionRequest

    init(_ outcome: Conversion.Outcome, _ request: ConversionRequest) {
        self.outcome = outcome
        self.request = request
    }

    /// One sentence each, without a full stop.
    var sentences: [String] {
        [
            links, missedPointer, missedTimes, signs, skippedInputs, modificationTimes, zoneless, premature, overdue,
            lowerBounds, answers, unprovenAnswers, rehearsal,
        ].compactMap { $0 }
    }

    /// Links in folders are not followed, as they may lead to files that are read anyway, or to circles.
    private var links: String? {
        let (number, first) = outcome.links
        guard number > 0 else { return nil }
        return "\(count(number, "link")) in folders \(number == 1 ? "was" : "were") not followed (\(printable(first))"
            + (number > 1 ? " is the first" : "") + "); to read what a link leads to, name it on the command line"
    }

    /// Answers of Apple's, where no subscription is in view.
    private var answers: String? {
        guard outcome.tally.evidence > 0, request.timeline == nil else { return nil }
        let number = count(outcome.tally.evidence, "record")
        return "\(number) with Apple's answers not used: they need --context timeline"
    }

    private var unprovenAnswers: String? {
        guard outcome.tally.unprovenAnswers > 0 else { return nil }
        return "\(count(outcome.tally.unprovenAnswers, "part")) of Apple's answers not used, as nothing proves "
            + "\(outcome.tally.unprovenAnswers == 1 ? "it" : "them")"
    }

    /// What was rehearsed, and what was left out of it.
    private var rehearsal: String? {
        guard let figures = outcome.rehearsal else { return nil }
        let app = [figures.app?.bundleID, figures.app?.environment].compactMap { $0 }.joined(separator: " ")
        let reasons: [(RehearsalEntry.LeftOut, String)] = [
            (.otherApp, "of other apps or environments"),
            (.noApp, "without app or environment (--expect-bundle-id and --expect-environment name them)"),
            (.undated, "without any date"),
            (.externalToken, "about external purchases, which Apple's libraries take in no environment but Sandbox"),
        ]
        let leftOut = reasons.compactMap { reason, words in
            figures.leftOut[reason].map { "\(count($0, "event")) \(words)" }
        }
        return "\(grouped(figures.bodies)) \(figures.bodies == 1 ? "body" : "bodies") to post"
            + (app.isEmpty ? "" : " of \(printable(app))")
            + (leftOut.isEmpty ? "" : "; left out: " + leftOut.joined(separator: ", "))
    }

    /// `--received-at /POINTER` that never leads to a time.
    private var missedTimes: String? {
        guard case .pointer = request.records.receivedAt, outcome.tally.converted > 0, outcome.tally.received == 0
        else { return nil }
        return "--received-at did not match a time in any record; "
            + "without it the time of arrival is searched"
    }

    /// `--envelope` that never leads to anything.
    private var missedPointer: String? {
        guard let envelope = request.records.envelope, !envelope.isEmpty, outcome.tally.missedPointers > 0,
            outcome.tally.converted == 0
        else { return nil }
        return "--envelope \(printable(envelope)) matches nothing in \(count(outcome.tally.missedPointers, "record")); "
            + "without --envelope, the notification is searched for in the whole record"
    }

    private var signs: String? {
        guard outcome.tally.signs > 0, let place = outcome.firstSign else { return nil }
        return "\(printable(place.input)):\(place.line): skipped, but it shows signs of a notification"
            + (outcome.tally.signs > 1 ? " (one of \(grouped(outcome.tally.signs)) such records)" : "") + "; \(advice)"
    }

    private var skippedInputs: String? {
        guard outcome.skippedInputs > 0 else { return nil }
        let others = outcome.skippedInputs - 1
        return "\(printable(outcome.firstSkippedInput)): every record was skipped, because none holds a notification"
            + (others > 0 ? " (and of \(count(others, "further input")))" : "") + "; \(advice)"
    }

    /// Which option may help.
    private var advice: String {
        if request.records.envelope != nil {
            return "without --envelope, the notification is searched for in the whole record"
        }
        return "--envelope /POINTER names its place, --input-format csv, tsv or log a table or a log; what a program "
            + "printed of its own values (print_r, %+v, toString, YAML) has to be written as JSON, hexadecimal and gzip "
            + "in base64 decoded; 'help formats' lists what is searched"
    }

    private var modificationTimes: String? {
        guard request.records.receivedAt == .modificationTime, outcome.inputsOfSeveral > 0 else { return nil }
        return "--received-at mtime gave all records of a file one time of arrival; "
            + "\(count(outcome.inputsOfSeveral, "input")) \(outcome.inputsOfSeveral == 1 ? "holds" : "hold") several"
    }

    private var zoneless: String? {
        guard outcome.tally.zoneless > 0 else { return nil }
        return "\(count(outcome.tally.zoneless, "time")) without a time zone read as UTC"
    }

    /// Times of receipt that cannot be true; local times read as UTC look like that.
    private var premature: String? {
        let number = outcome.tally.premature
        guard number > 0 else { return nil }
        return "\(count(number, "notification")) \(number == 1 ? "has" : "have") a time of arrival more than an hour "
            + "before the first purchase or the cancellation that \(number == 1 ? "it names" : "they name"); if these are "
            + "local times without a time zone, use --received-at none, or write them in UTC"
    }

    /// Times of receipt that cannot be true; those of an export or import look like that.
    private var overdue: String? {
        let number = outcome.tally.overdue
        guard number > 0 else { return nil }
        return "\(count(number, "V1 notification")) \(number == 1 ? "has" : "have") a time of arrival more than "
            + "\(Tally.horizonHours) hours after \(number == 1 ? "it" : "they") happened, and Apple does not repeat a "
            + "delivery for so long; if these are times of an import, --received-at /POINTER names the field with the real "
            + "time"
            + (request.timeline == nil
                ? ", and --received-at none uses none"
                : "; of a subscription that has mostly such times none is used")
    }

    private var lowerBounds: String? {
        let bounds = outcome.tally.namedFlags.first { $0.flag.rawValue == "TIME_LOWER_BOUND" }?.count ?? 0
        guard bounds > 0, outcome.tally.received == 0 else { return nil }
        return "no record has a time of arrival, so \(count(bounds, "event")) \(bounds == 1 ? "has" : "have") only a "
            + "lower bound of the time when it happened (TIME_LOWER_BOUND)"
            + (request.records.receivedAt == .none ? "" : "; --received-at /POINTER or mtime names one")
    }
}
