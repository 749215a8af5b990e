/// What a rule may ask.
///
/// Each fact has a closed set of values; `unknown` is one of them where it can be open. `facts` in
/// `Mappings/v1-to-v2.json` lists the values and says what each fact means. Loading the table checks that both lists name
/// the same facts; debug builds assert that each value used in code is listed for its fact.
enum Fact: Int, FactKey {
    case subject, readable, environment, era, ownership, history, capped, gap, productChanged, previousUpgraded
    case newTransaction, nextProduct, offer, nextOffer, autoRenew, autoRenewConflict, changedAt, expirationIntent
    case billingRetry, grace, priceConsent, cancelledRow, refundNear, refundedRows, notified, revocationReason
    case openFailure, partnerRenewal, partnerPreference, partnerRecovery, priorState, lastPreference, partnerCancel
    case original, rowKind, beginning
    case groupHistory, switchedLater, answered

    static var list: FactList { DecisionTable.current.facts }
}
