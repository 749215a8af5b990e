import NotificationArchives
import NotificationTranslation

/// The closed list of codes that rejects and messages use, each with what it means.
enum ErrorCodes {
    private typealias Code = NotificationError.Code

    /// Every code: of JSON, of notifications, of archives and lines, of trust.
    static let all: [(code: String, meaning: String)] =
        JSONFault.Code.allCases.map { ($0.code, "Not the JSON of RFC 8259 as read here: \($0.sentence).") }
        + pairs([
            Code.tooManyNotifications.rawValue:
                "The record holds more than 10,000 notifications; those after them were not read.",
            Code.tooManyEnvelopes.rawValue:
                "More than eight nested encodings: JSON in strings, base64, signed payloads.",
            Code.malformedJWS.rawValue:
                "A signed payload that is not three parts of base64url with dots between them.",
            Code.badPayload.rawValue: "A signed payload whose contents are not a notification.",
            Code.severalNotifications.rawValue:
                "A body with several notifications where the library was asked for one event.",
            Code.badType.rawValue: "notification_type is there, but it is not a string.",
            Code.notAnObject.rawValue:
                "There is an array of notifications where one record should be, as on a line of its own; "
                + "`--input-format json` reads a file that is one array.",
            Code.translated.rawValue:
                "A translation that this program wrote with `--to v2`, read again. It is not Apple's word, whoever signed "
                + "it; read the records that it was made of.",
            Code.notANotification.rawValue: "JSON that carries no Apple notification; archives count it as skipped.",
        ])
        + ArchiveFault.allCases.filter { $0.skip == nil }.map { fault in
            (fault.code, fault.sentence.prefix(1).uppercased() + fault.sentence.dropFirst() + ".")
        } + AuthenticityError.Reason.allCases.map { ($0.code, "Refused: \($0.sentence).") }

    /// What the summary of a run counts, and why it skips.
    static let summaryWords: [(word: String, meaning: String)] =
        pairs([
            "converted": "Records whose notification became an event, a companion or a duplicate.",
            "evidence":
                "Records with Apple's answers and no notification; in timeline context they settle what is open.",
            "rejected":
                "Records that could not be converted, by the code of the error; `--rejects` lists their places.",
            "skipped": "Valid JSON that carries no notification of Apple's, by the reason.",
            "deduced": "Events that no notification reports, which `--infer` added; they are not records.",
            "missing":
                "What was surely sent and is not in the input: renewals that the lists in other bodies prove, and "
                + "notifications that only pages of Apple's notification history have.",
            "covering": "Receipts that verify and prove all that the event says of its transaction, or some of it.",
            "states": "Subscriptions and one-time purchases by whether they give access at the instant asked for.",
            "differing": "Subscriptions of which the compared table says something else than the archive.",
        ]) + SkipReason.allCases.map { ($0.code, "Why a record was skipped: \($0.sentence).") }

    private static func pairs(_ words: KeyValuePairs<String, String>) -> [(String, String)] { words.map { $0 } }
}
