/// Walks the attributes of a receipt or of one of its records: a SET of `SEQUENCE { type, version, value }`.
///
///     31 82 01 2C                       SET
///        30 1B                          SEQUENCE
///           02 01 02                    type 2: the bundle id
///           02 01 01                    version 1
///           04 12                       value
///              0C 10 636F6D2E…          UTF8String
///        30 …
///
/// Apple writes them in no order, and adds types that nobody documents; those are passed over.
struct ReceiptAttributes {
    /// One attribute.
    struct Attribute {
        var type: Int64
        /// Where the content of its value is.
        var value: Range<Int>
    }

    private var reader: DERReader

    /// The attributes of a range, `nil` if it is not one whole SET.
    init?(_ bytes: [UInt8], in range: Range<Int>) {
        var outer = DERReader(bytes, in: range)
        guard let set = outer.next(DERReader.Tag.set), outer.isAtEnd else { return nil }
        reader = DERReader(bytes, in: set.content)
    }

    var isAtEnd: Bool { reader.isAtEnd }

    /// The next attribute, `nil` if there is no well-formed one.
    mutating func next() -> Attribute? {
        guard let sequence = reader.next(DERReader.Tag.sequence) else { return nil }
        var parts = DERReader(reader.bytes, in: sequence.content)
        guard let type = parts.integer(), parts.integer() != nil, let value = parts.next(DERReader.Tag.octetString),
            parts.isAtEnd
        else { return nil }
        return Attribute(type: type, value: value.content)
    }
}

extension DERReader {
    /// The value of the next element, if it is an INTEGER of at most eight bytes in its shortest form.
    package mutating func integer() -> Int64? {
        guard let element = next(Tag.integer), 1...8 ~= element.content.count else { return nil }
        let content = bytes[element.content]
        guard let first = content.first else { return nil }
        var value = Int64(Int8(bitPattern: first))
        for (place, byte) in content.dropFirst().enumerated() {
            if place == 0, first == 0 && byte < 0x80 || first == 0xFF && byte >= 0x80 { return nil }
            value = value << 8 | Int64(byte)
        }
        return value
    }
}
