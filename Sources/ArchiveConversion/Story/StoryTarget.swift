/// What a story is asked of.
package enum StoryTarget: Sendable, Hashable {
    /// The record of a line, or the record of that ordinal where the input is not a file of lines, counted from 1.
    case place(path: String, line: Int64)
    /// The event of an id.
    case id(String)
}
