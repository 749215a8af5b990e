import NotificationTranslation

/// What was noticed of inputs as wholes, so that nothing is skipped in silence.
struct InputFindings: Hashable, Sendable {
    /// A record of an input: the input's place in the list, and the number of the record's line from 1.
    struct Place: Hashable, Sendable {
        var input: Int
        var line: Int64
    }

    /// The first record that was skipped and shows signs of a notification.
    var firstSign: Place?
    /// A damaged input, by its place in the list, and how many of its records were converted; `nil` if it cannot be opened.
    struct Damage: Hashable, Sendable {
        var input: Int
        var converted: Int?
    }

    /// Inputs of which only what comes before the damage was read, or nothing.
    var damages: [Damage] = []
    /// Inputs of which every record was skipped, and the first of them.
    var skippedInputs = 0
    var firstSkippedInput = 0
    /// Inputs with more than one record.
    var inputsOfSeveral = 0
    /// Records of the current input, and how many of them were converted and skipped.
    var records = 0
    var converted = 0
    var skipped = 0

    /// Takes in what a part of the current input became.
    mutating func add(_ tally: Tally) {
        records += tally.records
        converted += tally.converted
        skipped += tally.skipped
    }

    /// Ends the current input, by its place in the list.
    mutating func endInput(_ input: Int) {
        if records > 0, skipped == records {
            if skippedInputs == 0 { firstSkippedInput = input }
            skippedInputs += 1
        }
        if records > 1 { inputsOfSeveral += 1 }
        (records, converted, skipped) = (0, 0, 0)
    }
}
