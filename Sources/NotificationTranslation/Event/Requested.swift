/// The value of a field that is only there where it was asked for.
public enum Requested<Value: Hashable & Sendable>: Hashable, Sendable {
    /// Nobody asked; the key is left out of a line.
    case notRequested
    /// Asked for, and there is nothing to say: `null`.
    case nothing
    /// What was found.
    case found(Value)

    /// What was found; `nil` where nothing was, or nobody asked.
    public var value: Value? {
        if case .found(let value) = self { value } else { nil }
    }

    /// Which of the three it is.
    var presence: Presence {
        switch self {
        case .notRequested: .notRequested
        case .nothing: .nothing
        case .found: .found
        }
    }

    /// Takes on another presence, and has a value that is there changed.
    mutating func exchange(_ presence: Presence, _ new: Value, _ change: (inout Value) -> Void) {
        switch presence {
        case .notRequested: self = .notRequested
        case .nothing: self = .nothing
        case .found:
            var value = value ?? new
            change(&value)
            self = .found(value)
        }
    }
}

/// Whether a value was asked for and is there.
enum Presence: UInt8 {
    case notRequested, nothing, found
}
