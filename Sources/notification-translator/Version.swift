/// The version of the program.
enum Version {
    /// As in CHANGELOG.
    static let number = "0.1.0"
}
