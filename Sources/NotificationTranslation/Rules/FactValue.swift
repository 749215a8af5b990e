/// The values of facts, by kind.
///
/// A value's number is its position; its raw value is its name in the table.
enum FactValue {
    protocol Value: RawRepresentable<String>, CaseIterable, Equatable where AllCases == [Self] {}

    enum Subject: String, Value {
        case certain, uncertain
    }

    enum Plain: String, Value {
        case yes, no
    }

    enum Answer: String, Value {
        case yes, no, unknown
    }

    enum Beginning: String, Value {
        case own, other, disputed, earlier
    }

    enum Answered: String, Value {
        case none, purchase, renewal, upgraded
    }

    enum GroupHistory: String, Value {
        case none, older
    }

    enum Environment: String, Value {
        case production, sandbox, unknown
    }

    enum Ownership: String, Value {
        case purchased, family, unknown
    }

    enum History: String, Value {
        case rows, single, none
    }

    enum Product: String, Value {
        case same, different, unknown
    }

    enum Offer: String, Value {
        case none, code, promotional, unknown
    }

    enum Switch: String, Value {
        case on, off, unknown
    }

    enum Grace: String, Value {
        case running, none, unknown
    }

    enum Consent: String, Value {
        case absent, pending, agreed, unknown
    }

    enum CancelledRow: String, Value {
        case upgraded, superseded, plain, unknown, over, refunded
        case refundAnswered = "refund-answered"
    }

    enum RefundedRows: String, Value {
        case one, several, none, late, mixed, only
    }

    enum Notified: String, Value {
        case latest, older, unknown
    }

    enum Reason: String, Value {
        case issue, other, unknown
    }

    enum Gap: String, Value {
        case first, overlap, contiguous, lapse, longLapse = "long-lapse", unknown
    }

    enum ChangedAt: String, Value {
        case beforeExpiry = "before-expiry", justBeforeExpiry = "just-before-expiry", afterExpiry = "after-expiry",
            retryEnd = "retry-end", unknown, retryLastDay = "retry-last-day"
    }

    enum Intent: String, Value {
        case absent, voluntary, billingError = "billing-error", priceIncrease = "price-increase",
            productUnavailable = "product-unavailable", other, unknown
    }

    enum PriorState: String, Value {
        case activeSame = "active-same", activeOther = "active-other", lapsed, unknown
    }

    enum Era: String, Value {
        case toAugust2019 = "to-2019-08", toMarch2021 = "to-2021-03-09", toApril2021 = "to-2021-04-03",
            toJanuary2022 = "to-2022-01", fromFebruary2022 = "from-2022-02", unknown
    }

    enum Upgraded: String, Value {
        case yes, no, unknown, likely, refunded
    }

    enum RowKind: String, Value {
        case subscription, oneTime = "one-time", unknown
    }
}

extension FactValue.Value {
    /// The value of a number; `nil` if there is none.
    init?(number: Int) {
        guard Self.allCases.indices.contains(number) else { return nil }
        self = Self.allCases[number]
    }

    /// The place among all values.
    var number: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
