/// Reads DER (X.690) element by element, strictly: one-byte tags, definite lengths in their shortest form.
///
/// Only what is asked of a certificate beyond its chain is read with it; the chain itself is judged by the system's
/// library. Every index is checked, whatever the bytes are.
struct DERReader {
    /// An element: its tag and where its content stands.
    struct Element {
        var tag: UInt8
        var content: Range<Int>
        /// Tag and length included.
        var whole: Range<Int>
    }

    /// The tags of a certificate.
    enum Tag {
        static let boolean: UInt8 = 0x01
        static let integer: UInt8 = 0x02
        static let bitString: UInt8 = 0x03
        static let octetString: UInt8 = 0x04
        static let identifier: UInt8 = 0x06
        static let utcTime: UInt8 = 0x17
        static let generalizedTime: UInt8 = 0x18
        static let sequence: UInt8 = 0x30
        static let version: UInt8 = 0xA0
        static let issuerID: UInt8 = 0x81
        static let subjectID: UInt8 = 0x82
        static let extensions: UInt8 = 0xA3
    }

    let bytes: [UInt8]
    private var at: Int
    private let end: Int

    /// A reader of all bytes.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        at = 0
        end = bytes.count
    }

    /// A reader of an element's content.
    init(_ bytes: [UInt8], in content: Range<Int>) {
        self.bytes = bytes
        at = content.lowerBound
        end = min(content.upperBound, bytes.count)
    }

    /// Whether nothing is left.
    var isAtEnd: Bool { at >= end }

    /// The tag that comes next, `nil` at the end.
    var nextTag: UInt8? { at < end ? bytes[at] : nil }

    /// The next element, `nil` if there is no well-formed one.
    mutating func next() -> Element? {
        let start = at
        guard end - at >= 2 else { return nil }
        let tag = bytes[at]
        guard tag & 0x1F != 0x1F else { return nil }
        var length = Int(bytes[at + 1])
        var content = at + 2
        if length >= 0x80 {
            let count = length & 0x7F
            guard 1...3 ~= count, end - content >= count, bytes[content] != 0 else { return nil }
            length = bytes[content..<content + count].reduce(0) { $0 << 8 | Int($1) }
            guard length >= 0x80 else { return nil }
            content += count
        }
        guard end - content >= length else { return nil }
        at = content + length
        return Element(tag: tag, content: content..<at, whole: start..<at)
    }

    /// The next element if it has this tag.
    mutating func next(_ tag: UInt8) -> Element? {
        guard nextTag == tag else { return nil }
        return next()
    }

    /// A reader of the content of the next element, if it is a SEQUENCE.
    mutating func sequence() -> DERReader? {
        next(Tag.sequence).map { DERReader(bytes, in: $0.content) }
    }
}
