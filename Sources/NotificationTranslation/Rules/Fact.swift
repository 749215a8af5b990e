/// What a rule may ask.
///
/// Each fact has a closed set of values; `unknown` is one of them where it can be open. `facts` in
/// `Mappings/v1-to-v2.json` has them in their order and says what each means; loading the table checks that the facts are
/// the same, and a debug build that a value which code sets or asks for is one of the fact.
enum Fact: Int, FactKey {
    case subject, readable, environment, era, ownership, history, capped, gap, productChanged, previousUpgraded
    case newTransaction, nextProduct, offer, nextOffer, autoRenew, autoRenewConflict, changedAt, expirationIntent
    case billingRetry, grace, priceConsent, cancelledRow, refundNear, refundedRows, notified, revocationReason
    case openFailure, partnerRenewal, partnerPreference, partnerRecovery, priorState, lastPreference, partnerCancel
    case original, rowKind, beginning
    case groupHistory, switchedLater, answered

    static var list: FactList { DecisionTable.current.facts }
}
