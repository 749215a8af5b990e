/// Why a record is not an event: the code, the place and one sentence; never a value of the record.
///
/// Thrown by everything in this module that reads bytes.
public struct NotificationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A code of the documented list, such as `json.duplicate-key` or `jws.malformed`.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible, OpenName {
        /// The code as it is in rejects and messages.
        public var rawValue: String

        /// The code of this name.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// What is wrong.
    public var code: Code
    /// Where, made of known keys and indexes only: `unified_receipt.latest_receipt_info[3].purchase_date_ms`.
    ///
    /// An unknown key shows as `?`; empty for the record itself.
    public var path = ""
    /// Offset in bytes from the start of the record.
    public var offset = 0
    /// One sentence for people, without any value of the record.
    public var sentence: String

    /// The path, if any, and the sentence.
    public var description: String { path.isEmpty ? sentence : "\(path): \(sentence)" }

    /// What a caller can do about an error.
    @nonexhaustive
    public enum Cause: Hashable, Sendable, CaseIterable {
        /// The policy does not trust it: forged, for another app, or without the proof that is asked for.
        ///
        /// Answer with an error of the caller, such as 401.
        case untrusted
        /// Your side cannot check it: no cryptography, no root, no verifier, or no secret for the app of the notification.
        ///
        /// Answer 503 and mend the setup; Apple sends the notification again.
        case misconfigured
        /// Your verifier cannot answer at the moment. Answer 503; Apple sends the notification again.
        case unavailable
        /// A version 1 body, where the policy takes version 2 alone. Answer 400: it was not meant for this endpoint.
        case unexpectedVersion
        /// The bytes are not what a notification is made of. Keep them and answer 200: a repetition would be the same.
        case unreadable
        /// Valid JSON that carries no notification, or one of ours. It was not meant for this endpoint.
        case noNotification
        /// Several notifications where one is wanted; ``NotificationNormalizer/events(from:receivedAt:)`` takes them.
        case severalNotifications
        /// More bytes or levels than are read. The limits are fixed, so keep the bytes and answer 200.
        case overLimit

        /// The status to answer Apple with: 200, 400, 401, or 503 where a repetition may succeed.
        public var httpStatus: Int {
            switch self {
            case .unreadable, .severalNotifications, .overLimit: 200
            case .noNotification, .unexpectedVersion: 400
            case .untrusted: 401
            case .misconfigured, .unavailable: 503
            }
        }
    }

    /// What a caller can do about it.
    public var cause: Cause {
        switch code {
        case .notANotification, .translated: .noNotification
        case .severalNotifications: .severalNotifications
        case .tooLong, .tooManyNotifications, .tooManyEnvelopes, .tooDeep: .overLimit
        case .noSecrets where path.isEmpty: .unexpectedVersion
        default: AuthenticityError.Reason(code: code.rawValue)?.cause ?? .unreadable
        }
    }
}

extension AuthenticityError.Reason {
    /// What a caller can do about it.
    fileprivate var cause: NotificationError.Cause {
        switch self {
        case .malformed: .unreadable
        case .tooLong, .receiptTooLong: .overLimit
        case .notNow: .unavailable
        case .noVerifier, .noSecret, .unavailable, .badRoot, .noRoots, .receiptSHA1: .misconfigured
        default: .untrusted
        }
    }
}

extension NotificationError {
    /// Places it in a text that begins at an index of the memory.
    mutating func move(back start: Int) { offset = max(0, offset - start) }

    /// The refusal as the error of a record.
    ///
    /// - Parameters:
    ///   - refusal: Why the notification is not believed.
    ///   - offset: Where in the record the notification's signed text, or its password, is.
    package init(_ refusal: AuthenticityError, offset: Int = 0) {
        self.init(code: refusal.code, path: refusal.path, offset: offset, sentence: refusal.sentence)
    }
}

extension NotificationError.Code {
    /// The record carries several notifications, and one was asked for.
    package static let severalNotifications = Self(rawValue: "notification.several")
    /// The record carries no Apple notification.
    package static let notANotification = Self(rawValue: "notification.not-found")
    /// A translation that this program wrote, which is not Apple's word, whoever signed it.
    package static let translated = Self(rawValue: "record.translated")
    /// `notification_type` or `notificationType` is there but is not a string.
    package static let badType = Self(rawValue: "notification.bad-type")
    /// Not three parts of base64url.
    package static let malformedJWS = Self(rawValue: "jws.malformed")
    /// A payload inside a JWS that is not the JSON object it should be.
    package static let badPayload = Self(rawValue: "jws.bad-payload")
    /// More nested envelopes than are read.
    package static let tooManyEnvelopes = Self(rawValue: "envelope.too-deep")
    /// More nested objects and arrays than are read.
    package static let tooDeep = Self(rawValue: JSONFault.Code.tooDeep.code)
    /// An array of notifications where one record should be.
    package static let notAnObject = Self(rawValue: "record.not-an-object")
    /// The record holds more notifications than are taken from one.
    package static let tooManyNotifications = Self(rawValue: "record.too-many-notifications")
    /// No secret is known: for the app in `bid`, or without a path for any, as version 1 is not taken.
    static let noSecrets = Self(rawValue: AuthenticityError.Reason.noSecret.code)
    /// The record is longer than records may be.
    package static let tooLong = Self(rawValue: "record.too-long")
}

extension AuthenticityError {
    /// The code as it is in rejects and messages.
    public var code: NotificationError.Code { NotificationError.Code(rawValue: reason.code) }
}
