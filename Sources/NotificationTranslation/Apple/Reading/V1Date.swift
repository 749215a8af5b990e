/// One date of a version 1 body, which may be there in up to five forms, of which the digits are the surest.
struct V1Date: Sendable {
    /// Milliseconds since 1970.
    var milliseconds: Int64
    // Two bytes, and not the name itself: a reading holds nine dates, and is passed on with every one of them.
    let forms: V1DateForms
    let form: Form
    /// Whether it was read from an hour of California that happened twice; the earlier instant is given.
    var isAmbiguous = false

    /// Which of its forms was read, by how far its slot is from that of the text.
    enum Form: Int {
        case text, milliseconds, pacific, formatted, formattedPacific
    }

    /// Whether it is the end of a period, which may be later than everything reported.
    var isEnd: Bool { forms == .expires || forms == .gracePeriodExpires }

    /// The name of the field it was read from.
    var field: EventText { forms.keys.text(forms.text + form.rawValue) }
}
