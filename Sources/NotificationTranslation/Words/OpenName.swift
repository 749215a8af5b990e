/// A name or number to which somebody may add more, so that any value is kept.
protocol OpenName: RawRepresentable, CustomStringConvertible where RawValue: CustomStringConvertible {}

extension OpenName {
    /// The value as it is written.
    public var description: String { rawValue.description }
}
