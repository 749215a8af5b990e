/// A command line that cannot be carried out.
struct UsageError: Error, Hashable {
    /// One or two sentences.
    var message: String
    /// The command whose help says more.
    var command: String?

    init(_ message: String, command: String? = nil) {
        self.message = message
        self.command = command
    }
}
