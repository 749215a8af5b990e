/// The values of facts, by kind.
///
/// A raw value is the index of the value in its fact's list `values`, so the order of the cases matters.
enum FactValue {
    protocol Value: RawRepresentable<Int> {
        /// The name in the table.
        var name: String { get }
    }

    enum Subject: Int, Value { case certain, uncertain }
    enum Plain: Int, Value { case yes, no }
    enum Answer: Int, Value { case yes, no, unknown }
    enum Beginning: Int, Value { case own, other, disputed, earlier }
    enum Answered: Int, Value { case none, purchase, renewal, upgraded }
    enum GroupHistory: Int, Value { case none, older }
    enum Environment: Int, Value { case production, sandbox, unknown }
    enum Ownership: Int, Value { case purchased, family, unknown }
    enum History: Int, Value { case rows, single, none }
    enum Product: Int, Value { case same, different, unknown }
    enum Offer: Int, Value { case none, code, promotional, unknown }
    enum Switch: Int, Value { case on, off, unknown }
    enum Grace: Int, Value { case running, none, unknown }
    enum Consent: Int, Value { case absent, pending, agreed, unknown }
    enum CancelledRow: Int, Value { case upgraded, superseded, plain, unknown, over, refunded, refundAnswered }
    enum RefundedRows: Int, Value { case one, several, none, late, mixed, only }
    enum Notified: Int, Value { case latest, older, unknown }
    enum Reason: Int, Value { case issue, other, unknown }
    enum Gap: Int, Value { case first, overlap, contiguous, lapse, longLapse, unknown }
    enum PriorState: Int, Value { case activeSame, activeOther, lapsed, unknown }
    enum Upgraded: Int, Value { case yes, no, unknown, likely, refunded }
    enum RowKind: Int, Value { case subscription, oneTime, unknown }

    enum ChangedAt: Int, Value {
        case beforeExpiry, justBeforeExpiry, afterExpiry, retryEnd, unknown, retryLastDay
    }

    enum Intent: Int, Value {
        case absent, voluntary, billingError, priceIncrease, productUnavailable, other, unknown
    }

    enum Era: Int, Value {
        case toAugust2019, toMarch2021, toApril2021, toJanuary2022, fromFebruary2022, unknown

        var name: String {
            ["to-2019-08", "to-2021-03-09", "to-2021-04-03", "to-2022-01", "from-2022-02", "unknown"][rawValue]
        }
    }
}

extension FactValue.Value {
    /// The name of the case in lower case, with a hyphen before each word: `longLapse` is `long-lapse`.
    var name: String { BodyReshaper.snakeCase("\(self)").replacing("_", with: "-") }
}
