import NotificationArchives
import NotificationTranslation

/// What a run says after its summary: what was skipped, which times were guessed, and which option helps.
struct Notes {
    let outcome: ConversionOutcome
    let request: ConversionRequest

    /// One sentence each, without a full stop.
    var sentences: [String] {
        [
            links, missedPointer, missedTimes, signs, skippedInputs,
            about(
                request.records.receivedAt == .modificationTime ? outcome.inputsOfSeveral : 0,
                "--received-at mtime gave all records of a file one time of arrival; # input[s] [holds|hold] several"),
            about(tally.zoneless, "# time[s] without a time zone read as UTC"), premature, overdue, lowerBounds,
            about(
                request.timeline == nil ? tally.evidence : 0,
                "# record[s] with Apple's answers not used: that needs --context timeline"),
            about(tally.unprovenAnswers, "# part[s] of Apple's answers not used, as nothing proves [it|them]"),
            rehearsal,
        ].compactMap { $0 }
    }

    private var tally: Tally { outcome.tally }

    /// A sentence about a number of things; `nil` where there are none.
    private func about(_ number: Int, _ text: String) -> String? { number > 0 ? agreeing(number, text) : nil }

    /// Links in folders are not followed, as they may lead to files that are read anyway, or to circles.
    private var links: String? {
        let (number, first) = outcome.links
        return about(number, "# link[s] in folders [was|were] not followed (").map {
            $0 + printable(first) + (number > 1 ? " is the first" : "")
                + "); to read what a link leads to, name it on the command line"
        }
    }

    /// What was rehearsed, and what was left out of it.
    private var rehearsal: String? {
        guard let figures = outcome.rehearsal else { return nil }
        let app = [figures.app?.bundleID, figures.app?.environment].compactMap { $0 }.joined(separator: " ")
        let reasons: [(RehearsalEntry.LeftOut, String)] = [
            (.otherApp, "of other apps or environments"),
            (
                .noApp,
                "of no known app or environment (if all are of one app, name it with --expect-bundle-id and "
                    + "--expect-environment)"
            ),
            (.undated, "without any date"),
            (.externalToken, "about external purchases, which Apple's libraries take in no environment but Sandbox"),
        ]
        let leftOut = reasons.compactMap { reason, words in
            figures.leftOut[reason].map { "\(count($0, "event")) \(words)" }
        }
        return agreeing(figures.bodies, "# bod[y|ies] to post") + (app.isEmpty ? "" : " of \(printable(app))")
            + (leftOut.isEmpty ? "" : "; left out: " + leftOut.joined(separator: ", "))
    }

    /// `--received-at /POINTER` that never leads to a time.
    private var missedTimes: String? {
        guard case .pointer = request.records.receivedAt, tally.converted > 0, tally.received == 0 else { return nil }
        return "--received-at did not match a time in any record; without it the time of arrival is searched"
    }

    /// `--envelope` that never leads to anything.
    private var missedPointer: String? {
        guard let envelope = request.records.envelope, !envelope.isEmpty, tally.missedPointers > 0,
            tally.converted == 0
        else { return nil }
        return "--envelope \(printable(envelope)) matches nothing in \(count(tally.missedPointers, "record")); "
            + Self.withoutEnvelope
    }

    private static let withoutEnvelope = "without --envelope, the notification is searched for in the whole record"

    private var signs: String? {
        guard tally.signs > 0, let place = outcome.firstSign else { return nil }
        return "\(printable(place.input)):\(place.line): not read in full, but it shows signs of a notification"
            + (tally.signs > 1 ? " (one of \(grouped(tally.signs)) such records)" : "") + "; \(advice)"
    }

    private var skippedInputs: String? {
        guard outcome.skippedInputs > 0 else { return nil }
        let others = outcome.skippedInputs - 1
        let isOwn = tally.skipReasons.allSatisfy(\.reason.isOwn)
        return "\(printable(outcome.firstSkippedInput)): every record was skipped, because "
            + (isOwn ? "this program wrote it" : "none holds a notification")
            + (others > 0 ? " (also in \(count(others, "further input")))" : "") + "; "
            + (isOwn ? "convert the archive that it was made from" : advice)
    }

    /// Which option may help.
    private var advice: String {
        request.records.envelope != nil
            ? Self.withoutEnvelope
            : "--envelope /POINTER names its place, --input-format csv, tsv or log a table or a log; what a program "
                + "printed of its own values (print_r, %+v, toString, YAML) has to be written as JSON, hexadecimal and gzip "
                + "in base64 decoded; 'help formats' lists what is searched"
    }

    /// Times of arrival that cannot be true; local times read as UTC look like that.
    private var premature: String? {
        about(
            tally.premature,
            "# notification[s] [has|have] a time of arrival more than an hour before the first purchase or the cancellation "
                + "that [it names|they name]; if these are local times without a time zone, use --received-at none, or "
                + "write them in UTC")
    }

    /// Times of arrival that cannot be true; those of an export or import look like that.
    private var overdue: String? {
        about(
            tally.overdue,
            "# V1 notification[s] [has|have] a time of arrival more than \(EventDraft.overdueHours) hours after [it|they] "
                + "happened, and Apple does not repeat a delivery for so long; if these are times of an import, "
                + "--received-at /POINTER names the field with the real time"
                + (request.timeline == nil
                    ? ", and --received-at none uses none"
                    : "; of a subscription that has mostly such times none is used"))
    }

    private var lowerBounds: String? {
        guard tally.received == 0 else { return nil }
        return about(
            tally.namedFlags.first { $0.flag.rawValue == "TIME_LOWER_BOUND" }?.count ?? 0,
            "no record has a time of arrival, so # event[s] happened at the time that is given or later (TIME_LOWER_BOUND)"
                + (request.records.receivedAt == ReceivedAt.none
                    ? "" : "; --received-at /POINTER says where it is, --received-at mtime takes the time of the file"))
    }
}
