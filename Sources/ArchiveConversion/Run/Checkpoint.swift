/// What an interrupted run needs to go on.
struct Checkpoint {
    /// Where the checkpoint of an output lies.
    static func path(of output: String) -> String { output + ".checkpoint" }
}
