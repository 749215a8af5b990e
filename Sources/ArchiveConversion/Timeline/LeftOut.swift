/// What `--infer safe` would have added to a run that deduced nothing.
///
/// Deducing costs half as much again as settling, so in large archives only some subscriptions are looked at, chosen by
/// their keys: the same ones in every run.
package struct LeftOut: Sendable, Hashable {
    /// How many events; an estimate unless ``isExact``.
    package var events: Int
    /// Whether every subscription was looked at.
    package var isExact: Bool

    /// Every how many subscriptions of a large archive one is looked at.
    package static let stride: UInt64 = 16
}
