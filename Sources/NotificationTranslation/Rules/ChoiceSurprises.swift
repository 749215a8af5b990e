/// How unlikely each way is in which the choice of a plan may reach an archive.
///
/// The `choice_` constants of `Mappings/v1-to-v2.json`, natural logarithms.
struct ChoiceSurprises: Hashable, Sendable {
    /// Received seconds after a later one.
    var outOfOrder: Int64
    /// Received up to an hour late.
    var late: Int64
    /// First received at a retry.
    var atRetry: Int64
    /// Delivered again at an hour of the retries.
    var again: Int64
    /// The same two where much else of the subscription was received at retries.
    var atRetryOften: Int64
    var againOften: Int64
    /// In the archive twice, received at once.
    var keptTwice: Int64
    /// One of its own, received when an equal one would be delivered again.
    var coincidence: Int64
    /// Delivered again at another hour.
    var atOddHours: Int64
    /// Made and not in the archive.
    var untold: Int64
    /// How much likelier an explanation must be to be clear.
    var clear: Int64
}
