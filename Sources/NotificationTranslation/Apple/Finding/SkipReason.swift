/// Why a record that can be read holds no notification of Apple's; a run counts its skips by these.
///
/// In the order of what they explain: of several in one record the last one is told.
package enum SkipReason: String, Sendable, CaseIterable {
    /// Nothing in it has the type of a notification.
    case noNotification = "no-notification"
    /// The log of a POST whose body was not kept, unlike a health check.
    case emptyPost = "empty-post"
    /// It has a type where a notification has one, and neither the type nor what is beside it is Apple's.
    case notApples = "not-apples"
    /// A notification of Google Play.
    case googlePlay = "google-play"
    /// The request of Get Notification History, which names a type too.
    case historyRequest = "history-request"
    /// A request of the Retention Messaging API, which is signed like a notification.
    case retentionRequest = "retention-request"
    /// An event of this program, alone, in a CloudEvent or with its evidence.
    case ownEvent = "own-event"
    /// What `pipe` answers to a companion in the shape of version 2.
    case ownCompanion = "own-companion"
    /// What `pipe` answers to a record without an event.
    case ownError = "own-error"
    /// A line of the file of rejects.
    case ownReject = "own-reject"
    /// A row of states, transactions, questions or differences.
    case ownTable = "own-table"
    /// What `settle --ends` writes after a group.
    case ownGroup = "own-group"
    /// A report in JSON.
    case ownReport = "own-report"
    /// The tables as `mapping` writes them.
    case ownMapping = "own-mapping"
    /// A schema as `schema` writes it.
    case ownSchema = "own-schema"

    /// What the record is, without a full stop.
    package var sentence: String {
        switch self {
        case .noNotification: "valid JSON that carries no Apple notification"
        case .emptyPost: "a POST whose body was not kept, which may have been a notification"
        case .notApples: "its notification type is not Apple's, and no field beside it is"
        case .googlePlay: "a notification of Google Play"
        case .historyRequest: "a request of Get Notification History, not its answer"
        case .retentionRequest: "a request of Apple's Retention Messaging API, no notification"
        case .ownEvent: "an event that this program wrote, not Apple's notification"
        case .ownCompanion: "the answer of this program's pipe to a companion"
        case .ownError: "the answer of this program's pipe to a record without an event"
        case .ownReject: "a line of this program's file of rejects"
        case .ownTable: "a row that state, transactions or worklist of this program wrote"
        case .ownGroup: "the line that settle of this program writes after a group"
        case .ownReport: "a report of this program"
        case .ownMapping: "the tables of this program"
        case .ownSchema: "a schema of this program's output"
        }
    }
}

/// What was recognized in a record without being a notification, and which signs of one that explains.
struct ExplainedSkip {
    /// Which signs in the range are none.
    enum Quiet: Comparable {
        /// The others in it count.
        case types, all
    }

    var reason: SkipReason
    /// Where it is in the text being read; `nil` inside of a text that was opened.
    var range: Range<Int>?
    /// `nil` if it has none.
    var quiet: Quiet?
}

extension [ExplainedSkip] {
    /// The one that says most.
    var reason: SkipReason {
        let order = SkipReason.allCases
        let places = map { order.firstIndex(of: $0.reason) ?? 0 }
        return order[places.max() ?? 0]
    }

    /// Places everything from an index on, which was found in an opened text, where that text is.
    mutating func enclose(from first: Int, in range: Range<Int>?) {
        guard count > first else { return }
        let quiet = self[first...].compactMap(\.quiet).min()
        for place in first..<count {
            self[place].range = range
            if self[place].quiet != nil { self[place].quiet = quiet }
        }
    }

    /// Whether a record that was skipped shows signs of a notification beside those that are explained.
    func leaveSigns(in text: UnsafeRawBufferPointer, at start: Int) -> Bool {
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
