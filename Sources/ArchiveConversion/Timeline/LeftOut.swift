/// What `--infer safe` would have added to a run that deduced nothing.
///
/// Deducing costs half as much again as settling, so in large archives only some subscriptions are looked at, chosen by
/// their keys: the same ones in every run.
package struct LeftOut: Sendable, Hashable {
    /// How many events of each pair; an estimate unless ``isExact``.
    package var pairs: [String: Int]
    /// How many events in all.
    package var events: Int { pairs.values.reduce(0, +) }
    /// Whether every subscription was looked at.
    package var isExact: Bool

    /// Every how many subscriptions of a large archive one is looked at.
    package static let stride: UInt64 = 16
}
