/// One date of a version 1 body, which may stand there in up to five forms.
struct V1Date: Hashable, Sendable {
    /// Milliseconds since 1970.
    var milliseconds: Int64
    /// The name of the field it was read from.
    var field: StaticString

    static func == (one: V1Date, other: V1Date) -> Bool {
        one.milliseconds == other.milliseconds
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(milliseconds)
    }
}

/// The forms of one date, the surest first.
struct V1DateForms {
    /// Digits: milliseconds since 1970.
    var milliseconds: (slot: Int, field: StaticString)
    /// Texts with a zone; the first one may hold milliseconds too, as `expires_date` did until 2019.
    var texts: [(slot: Int, field: StaticString)]

    static let purchase = forms(
        (.purchaseDateMs, "purchase_date_ms"),
        [(.purchaseDate, "purchase_date"), (.purchaseDatePst, "purchase_date_pst")])
    static let originalPurchase = forms(
        (.originalPurchaseDateMs, "original_purchase_date_ms"),
        [
            (.originalPurchaseDate, "original_purchase_date"),
            (.originalPurchaseDatePst, "original_purchase_date_pst"),
        ])
    static let expires = forms(
        (.expiresDateMs, "expires_date_ms"),
        [
            (.expiresDate, "expires_date"), (.expiresDateFormatted, "expires_date_formatted"),
            (.expiresDatePst, "expires_date_pst"), (.expiresDateFormattedPst, "expires_date_formatted_pst"),
        ])
    static let cancellation = forms(
        (.cancellationDateMs, "cancellation_date_ms"),
        [(.cancellationDate, "cancellation_date"), (.cancellationDatePst, "cancellation_date_pst")])
    static let gracePeriodExpires = V1DateForms(
        milliseconds: (V1Keys.Pending.gracePeriodExpiresDateMs.rawValue, "grace_period_expires_date_ms"),
        texts: [
            (V1Keys.Pending.gracePeriodExpiresDate.rawValue, "grace_period_expires_date"),
            (V1Keys.Pending.gracePeriodExpiresDatePst.rawValue, "grace_period_expires_date_pst"),
        ])
    static let rootCancellation = V1DateForms(
        milliseconds: (V1Keys.Root.cancellationDateMs.rawValue, "cancellation_date_ms"),
        texts: [
            (V1Keys.Root.cancellationDate.rawValue, "cancellation_date"),
            (V1Keys.Root.cancellationDatePst.rawValue, "cancellation_date_pst"),
        ])
    static let statusChange = V1DateForms(
        milliseconds: (V1Keys.Root.statusChangeDateMs.rawValue, "auto_renew_status_change_date_ms"),
        texts: [
            (V1Keys.Root.statusChangeDate.rawValue, "auto_renew_status_change_date"),
            (V1Keys.Root.statusChangeDatePst.rawValue, "auto_renew_status_change_date_pst"),
        ])

    private static func forms(
        _ milliseconds: (V1Keys.Row, StaticString), _ texts: [(V1Keys.Row, StaticString)]
    ) -> V1DateForms {
        V1DateForms(
            milliseconds: (milliseconds.0.rawValue, milliseconds.1), texts: texts.map { ($0.0.rawValue, $0.1) })
    }
}

extension TextView {
    /// The date that stands in a row of a table, and whether something stands there that is no date.
    @inline(__always)
    func date(_ forms: V1DateForms, _ table: TextTable, _ row: Int) -> (date: V1Date?, isUnreadable: Bool) {
        let digits = table[row, forms.milliseconds.slot]
        if !digits.isBlank, let value = milliseconds(digits) {
            return (V1Date(milliseconds: value, field: forms.milliseconds.field), false)
        }
        return textDate(forms, table, row, isUnreadable: !digits.isBlank)
    }

    @inline(never)
    private func textDate(
        _ forms: V1DateForms, _ table: TextTable, _ row: Int, isUnreadable: Bool
    ) -> (date: V1Date?, isUnreadable: Bool) {
        var isUnreadable = isUnreadable
        for form in forms.texts {
            let text = table[row, form.slot]
            guard !text.isBlank else { continue }
            let value =
                text.hasEscapes
                ? KeyLog.characters(text, memory).withUnsafeBytes { AppleDate.milliseconds($0) }
                : AppleDate.milliseconds(bytes(text))
            if let value = value ?? milliseconds(text) {
                return (V1Date(milliseconds: value, field: form.field), isUnreadable)
            }
            isUnreadable = true
        }
        return (nil, isUnreadable)
    }

    /// A number of milliseconds that four digits of year can write.
    @inline(__always)
    func milliseconds(_ text: JSONText) -> Int64? {
        guard let value = JSONNumber.integer(bytes(text)) ?? JSONNumber.rounded(bytes(text)),
            AppleDate.earliest...AppleDate.latest ~= value
        else { return nil }
        return value
    }
}
