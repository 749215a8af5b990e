/// A V2 field that no V1 notification can fill; from `losses` in `Mappings/fields.json`.
public struct Loss: Hashable, Sendable {
    /// A name for it, in kebab-case.
    public var id: String
    /// The object of V2 the field belongs to: `notification`, `data`, `transaction` or `renewal`.
    public var object: String
    /// The field, in Apple's spelling.
    public var field: String
    /// Why V1 never had it.
    public var meaning: String
    /// Where it can still be had: `no`, `derivable`, or the name of a service of Apple's.
    public var recoverable: String
}
