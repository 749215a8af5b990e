/// Why a record that can be read holds no notification of Apple's; a run counts its skips by these.
///
/// In the order of what they explain: of several in one record the last one is told.
package enum SkipReason: String, Sendable, ExplainedWord {
    /// Nothing in it has the type of a notification.
    case noNotification = "no-notification: valid JSON that carries no Apple notification"
    /// The log of a POST whose body was not kept, unlike a health check.
    case emptyPost = "empty-post: a POST whose body was not kept, which may have been a notification"
    /// It has a type where a notification has one, and neither the type nor what is beside it is Apple's.
    case notApples = "not-apples: its notification type is not Apple's, and no field beside it is"
    case googlePlay = "google-play: a notification of Google Play"
    /// The request of Get Notification History, which names a type too.
    case historyRequest = "history-request: a request of Get Notification History, not its answer"
    /// A request of the Retention Messaging API, which is signed like a notification.
    case retentionRequest = "retention-request: a request of Apple's Retention Messaging API, no notification"
    /// An event of this program, alone, in a CloudEvent or with its evidence.
    case ownEvent = "own-event: an event that this program wrote, not Apple's notification"
    /// What `pipe` answers to a companion in the shape of version 2.
    case ownCompanion = "own-companion: the answer of this program's pipe to a companion"
    case ownError = "own-error: the answer of this program's pipe to a record without an event"
    case ownReject = "own-reject: a line of this program's file of rejects"
    /// A row of states, transactions, questions or differences.
    case ownTable = "own-table: a row that state, transactions or worklist of this program wrote"
    case ownGroup = "own-group: the line that settle of this program writes after a group"
    /// A report in JSON.
    case ownReport = "own-report: a report of this program"
    /// The tables as `mapping` writes them.
    case ownMapping = "own-mapping: the tables of this program"
    /// A schema as `schema` writes it.
    case ownSchema = "own-schema: a schema of this program's output"

    /// Whether this program wrote the record.
    package var isOwn: Bool { rawValue.hasPrefix("own-") }
}

/// What was recognized in a record without being a notification, and which signs of one that explains.
package struct ExplainedSkip {
    /// Which signs in the range are none.
    enum Quiet: Comparable {
        /// The others in it count.
        case types, all
    }

    package var reason: SkipReason
    /// Where it is in the text being read; `nil` inside of a text that was opened.
    var range: Range<Int>?
    /// `nil` if it has none.
    var quiet: Quiet?
}

extension [ExplainedSkip] {
    /// The one that says most.
    package var reason: SkipReason {
        let order = SkipReason.allCases
        let places = map { order.firstIndex(of: $0.reason) ?? 0 }
        return order[places.max() ?? 0]
    }

    /// Places everything from an index on, which was found in an opened text, where that text is.
    package mutating func enclose(from first: Int, in range: Range<Int>?) {
        guard count > first else { return }
        let quiet = self[first...].compactMap(\.quiet).min()
        for place in first..<count {
            self[place].range = range
            if self[place].quiet != nil { self[place].quiet = quiet }
        }
    }

    /// Whether a record that was skipped shows signs of a notification beside those that are explained.
    package func leaveSigns(in text: UnsafeRawBufferPointer, at start: Int) -> Bool {
        var rest = Array<UInt8>()
        for kind in [ExplainedSkip.Quiet.all, .types] {
            for skip in self where skip.quiet == kind {
                guard let range = skip.range?.clamped(to: start..<start + text.count), !range.isEmpty else { continue }
                if rest.isEmpty { rest = Swift.Array(text) }
                let part = range.lowerBound - start..<range.upperBound - start
                if kind == .types, rest[part].withUnsafeBytes({ NotificationSigns.stand(in: $0, types: false) }) {
                    return true
                }
                for place in part { rest[place] = 0x20 }
            }
        }
        if rest.isEmpty { return NotificationSigns.stand(in: text) }
        return rest.withUnsafeBytes { NotificationSigns.stand(in: $0) }
    }
}
