/// What a rule may ask.
///
/// Each fact has a closed set of values; `unknown` is one of them where it can be open.
///
/// The names and values are those of `facts` in `Mappings/v1-to-v2.json`, which says what each means; loading the
/// table checks that both lists are the same.
enum Fact: Int, FactKey {
    case subject, readable, environment, era, ownership, history, capped, gap, productChanged, previousUpgraded
    case newTransaction, nextProduct, offer, nextOffer, autoRenew, autoRenewConflict, changedAt, expirationIntent
    case billingRetry, grace, priceConsent, cancelledRow, refundNear, refundedRows, notified, revocationReason
    case openFailure, partnerRenewal, partnerPreference, partnerRecovery, priorState, lastPreference, partnerCancel
    case original, rowKind, beginning
    case groupHistory, switchedLater, answered

    static let list = FactList(allCases.map { "\($0)" }, allCases.map(\.namesOfValues), first: Fact.answered.rawValue)

    private var namesOfValues: [String] {
        switch self {
        case .subject: FactValue.Subject.names
        case .readable, .capped, .autoRenewConflict: FactValue.Plain.names
        case .environment: FactValue.Environment.names
        case .era: FactValue.Era.names
        case .ownership: FactValue.Ownership.names
        case .history: FactValue.History.names
        case .gap: FactValue.Gap.names
        case .nextProduct, .lastPreference: FactValue.Product.names
        case .offer, .nextOffer: FactValue.Offer.names
        case .autoRenew: FactValue.Switch.names
        case .changedAt: FactValue.ChangedAt.names
        case .expirationIntent: FactValue.Intent.names
        case .grace: FactValue.Grace.names
        case .priceConsent: FactValue.Consent.names
        case .cancelledRow: FactValue.CancelledRow.names
        case .refundedRows: FactValue.RefundedRows.names
        case .notified: FactValue.Notified.names
        case .revocationReason: FactValue.Reason.names
        case .priorState: FactValue.PriorState.names
        case .previousUpgraded: FactValue.Upgraded.names
        case .rowKind: FactValue.RowKind.names
        case .beginning: FactValue.Beginning.names
        case .groupHistory: FactValue.GroupHistory.names
        case .answered: FactValue.Answered.names
        case .productChanged, .newTransaction, .billingRetry, .refundNear, .openFailure,
            .partnerRenewal, .partnerPreference, .partnerRecovery, .partnerCancel, .original,
            .switchedLater:
            FactValue.Answer.names
        }
    }
}
