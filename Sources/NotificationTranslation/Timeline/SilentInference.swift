/// Which events that V1 never sent are deduced from what it did send.
@nonexhaustive
public enum SilentInference: String, Hashable, Sendable, Codable, CaseIterable {
    /// None; `none` in options.
    case off = "none"
    /// Those that the evidence proves.
    case safe
    /// Those that it makes likely, too.
    case all
}
