extension TextView {
    /// The date that is in slots, and whether something is there that is not a date.
    func date(_ forms: V1DateForms, _ text: (Int) -> JSONText) -> (date: V1Date?, isUnreadable: Bool) {
        let digits = text(forms.text + V1Date.Form.milliseconds.rawValue)
        if !digits.isBlank, let value = milliseconds(digits) {
            return (V1Date(milliseconds: value, forms: forms, form: .milliseconds), false)
        }
        var found: (date: V1Date?, isUnreadable: Bool) = (nil, !digits.isBlank && !isZero(digits))
        func take(_ form: V1Date.Form) {
            let text = text(forms.text + form.rawValue)
            guard !text.isBlank, found.date == nil else { return }
            if let value = textDate(text) {
                found.date = V1Date(
                    milliseconds: value.milliseconds, forms: forms, form: form, isAmbiguous: value.isAmbiguous)
            } else if !isZero(text) {
                found.isUnreadable = true
            }
        }
        take(.text)
        if forms == .expires { take(.formatted) }
        take(.pacific)
        if forms == .expires { take(.formattedPacific) }
        return found
    }

    private func textDate(_ text: JSONText) -> (milliseconds: Int64, isAmbiguous: Bool)? {
        text.withCharacters(in: memory) { bytes in
            let written = AppleDate.written(bytes)
            let zoned = { CivilTime.read(bytes).flatMap { $0.hasZone ? $0.milliseconds : nil } }
            guard let value = written?.milliseconds ?? JSONNumber.rounded(bytes) ?? zoned(),
                AppleDate.opening...CivilTime.latest ~= value
            else { return nil }
            return (value, written?.isAmbiguous ?? false)
        }
    }

    /// A number of milliseconds since the App Store opened.
    func milliseconds(_ text: JSONText) -> Int64? {
        guard let value = JSONNumber.integer(bytes(text)) ?? JSONNumber.rounded(bytes(text)),
            AppleDate.opening...CivilTime.latest ~= value
        else { return nil }
        return value
    }

    /// The same, or a time as text: in payloads that a program decoded and wrote again.
    ///
    /// A time without a zone is read as UTC, as times of arrival are.
    func instant(_ text: JSONText) -> Int64? {
        textDate(text)?.milliseconds ?? zonelessDate(text)
    }

    /// A time as text that names no zone, read as UTC; `nil` for anything else.
    func zonelessDate(_ text: JSONText) -> Int64? {
        guard text.count > 18, !text.hasEscapes, let time = CivilTime.read(bytes(text)), !time.hasZone,
            AppleDate.opening...CivilTime.latest ~= time.milliseconds
        else { return nil }
        return time.milliseconds
    }
}
