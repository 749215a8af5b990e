/// A fault that a score found in a life.
struct Finding {
    /// What is wrong, in words that are the same for all faults of one kind.
    var what: String
    /// The original transaction id it is about.
    var id: String
    /// When that was, in milliseconds.
    var at: Int64
}
