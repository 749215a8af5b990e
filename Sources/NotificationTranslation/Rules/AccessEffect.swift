/// What a V2 pair does to the access that its subscription or purchase gives.
enum AccessEffect: UInt8, CaseIterable, Sendable {
    /// Its transaction gives access until it ends.
    case gives
    /// Gives back the access of its transaction.
    case restores
    /// Changes nothing about access.
    case continues
    /// A renewal was not paid.
    case fails
    /// The subscription has ended.
    case ends
    /// Ends the access that its transaction gives, and no other.
    case cancels
    /// Says nothing about access.
    case none
    /// One word does not hold for all.
    case open

    /// The effect of a pair that the block `access` does not name.
    init(_ entitlement: Entitlement) {
        switch entitlement {
        case .grant: self = .gives
        case .keep: self = .continues
        case .withdraw: self = .ends
        case .unaffected: self = .none
        case .undecided: self = .open
        }
    }
}

/// The effects of all pairs that are possible.
struct AccessEffects: OptionSet, Hashable, Sendable {
    var rawValue: UInt8
}

extension AccessEffects {
    init(_ effect: AccessEffect) { rawValue = 1 << effect.rawValue }

    /// Whether it holds exactly one effect.
    var isSingle: Bool { rawValue.nonzeroBitCount == 1 }
}
