/// What a rule may ask. Each fact has a closed set of values; `unknown` is one of them where it can be open.
///
/// The names and values are those of `facts` in `Mappings/v1-to-v2.json`, which says what each means; loading the
/// table checks that both lists are the same.
enum Fact: String, CaseIterable, Sendable {
    case subject, readable, environment, era, ownership, history, capped, gap, productChanged, previousUpgraded
    case newTransaction, nextProduct, offer, nextOffer, autoRenew, autoRenewConflict, changedAt, expirationIntent
    case billingRetry, grace, priceConsent, cancelledRow, refundNear, refundedRows, notified, revocationReason
    case openFailure, partnerRenewal, partnerPreference, partnerRecovery, priorState, lastPreference

    /// The place in ``Facts``.
    var index: Int { Self.indices[self] ?? 0 }
    private static let indices = Dictionary(uniqueKeysWithValues: allCases.enumerated().map { ($1, $0) })

    /// The names of its values, in the order of their numbers.
    var values: [String] {
        switch self {
        case .subject: FactValue.Subject.allCases.map(\.rawValue)
        case .readable, .capped, .autoRenewConflict: FactValue.Plain.allCases.map(\.rawValue)
        case .environment: FactValue.Environment.allCases.map(\.rawValue)
        case .era: FactValue.Era.allCases.map(\.rawValue)
        case .ownership: FactValue.Ownership.allCases.map(\.rawValue)
        case .history: FactValue.History.allCases.map(\.rawValue)
        case .gap: FactValue.Gap.allCases.map(\.rawValue)
        case .nextProduct, .lastPreference: self == .nextProduct
            ? FactValue.Product.allCases.map(\.rawValue) : ["different", "same", "unknown"]
        case .offer, .nextOffer: FactValue.Offer.allCases.map(\.rawValue)
        case .autoRenew: FactValue.Switch.allCases.map(\.rawValue)
        case .changedAt: FactValue.ChangedAt.allCases.map(\.rawValue)
        case .expirationIntent: FactValue.Intent.allCases.map(\.rawValue)
        case .grace: FactValue.Grace.allCases.map(\.rawValue)
        case .priceConsent: FactValue.Consent.allCases.map(\.rawValue)
        case .cancelledRow: FactValue.CancelledRow.allCases.map(\.rawValue)
        case .refundedRows: FactValue.RefundedRows.allCases.map(\.rawValue)
        case .notified: FactValue.Notified.allCases.map(\.rawValue)
        case .revocationReason: FactValue.Reason.allCases.map(\.rawValue)
        case .priorState: FactValue.PriorState.allCases.map(\.rawValue)
        case .productChanged, .previousUpgraded, .newTransaction, .billingRetry, .refundNear, .openFailure,
            .partnerRenewal, .partnerPreference, .partnerRecovery:
            FactValue.Answer.allCases.map(\.rawValue)
        }
    }

    /// The number of the value `unknown`, if the fact has it.
    var unknown: Int? { values.firstIndex(of: "unknown") }
}

/// The values of facts, by kind.
enum FactValue {
    protocol Value: RawRepresentable<String>, CaseIterable, Equatable {}

    enum Subject: String, Value { case certain, uncertain }
    enum Plain: String, Value { case yes, no }
    enum Answer: String, Value { case yes, no, unknown }
    enum Environment: String, Value { case production, sandbox, unknown }
    enum Ownership: String, Value { case purchased, family, unknown }
    enum History: String, Value { case rows, single, none }
    enum Product: String, Value { case same, different, unknown }
    enum Offer: String, Value { case none, code, promotional, unknown }
    enum Switch: String, Value { case on, off, unknown }
    enum Grace: String, Value { case running, none, unknown }
    enum Consent: String, Value { case absent, pending, agreed, unknown }
    enum CancelledRow: String, Value { case upgraded, superseded, plain, unknown }
    enum RefundedRows: String, Value { case one, several, none }
    enum Notified: String, Value { case latest, older, unknown }
    enum Reason: String, Value { case issue, other, unknown }

    enum Era: String, Value {
        case toAugust2019 = "to-2019-08"
        case toMarch2021 = "to-2021-03-09"
        case toApril2021 = "to-2021-04-03"
        case fromApril2021 = "from-2021-04-04"
        case unknown
    }

    enum Gap: String, Value {
        case first, overlap, contiguous, lapse
        case longLapse = "long-lapse"
        case unknown
    }

    enum ChangedAt: String, Value {
        case beforeExpiry = "before-expiry"
        case justBeforeExpiry = "just-before-expiry"
        case afterExpiry = "after-expiry"
        case retryEnd = "retry-end"
        case unknown
    }

    enum Intent: String, Value {
        case absent, voluntary
        case billingError = "billing-error"
        case priceIncrease = "price-increase"
        case productUnavailable = "product-unavailable"
        case other, unknown
    }

    enum PriorState: String, Value {
        case activeSame = "active-same"
        case activeOther = "active-other"
        case lapsed, unknown
    }
}
