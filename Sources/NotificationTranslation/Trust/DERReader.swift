/// Reads DER (X.690) element by element, strictly: one-byte tags, definite lengths in their shortest form.
///
/// Certificates and receipts are read with it; chains and signatures are judged by the system's library. Every index is
/// checked, whatever the bytes are, and nothing is read by recursion.
package struct DERReader {
    /// An element: its tag and where its content is.
    package struct Element {
        /// Its tag, one byte.
        package var tag: UInt8
        /// Where its content is.
        package var content: Range<Int>
        /// Where all of it is, tag and length included.
        package var whole: Range<Int>
    }

    /// The tags that are met.
    package enum Tag {
        /// BOOLEAN.
        package static let boolean: UInt8 = 0x01
        /// INTEGER.
        package static let integer: UInt8 = 0x02
        /// BIT STRING.
        package static let bitString: UInt8 = 0x03
        /// OCTET STRING.
        package static let octetString: UInt8 = 0x04
        /// OBJECT IDENTIFIER.
        package static let identifier: UInt8 = 0x06
        /// UTF8String.
        package static let utf8: UInt8 = 0x0C
        /// IA5String.
        static let ia5: UInt8 = 0x16
        /// UTCTime.
        package static let utcTime: UInt8 = 0x17
        /// GeneralizedTime.
        package static let generalizedTime: UInt8 = 0x18
        /// SEQUENCE.
        package static let sequence: UInt8 = 0x30
        /// SET.
        package static let set: UInt8 = 0x31
        /// The version of a certificate.
        package static let version: UInt8 = 0xA0
        /// The unique id of an issuer.
        package static let issuerID: UInt8 = 0x81
        /// The unique id of a subject.
        package static let subjectID: UInt8 = 0x82
        /// The extensions of a certificate.
        package static let extensions: UInt8 = 0xA3
        /// [0], constructed.
        package static let context0: UInt8 = 0xA0
        /// [1], constructed.
        package static let context1: UInt8 = 0xA1
    }

    /// What is read.
    package let bytes: [UInt8]
    private var at: Int
    private let end: Int

    /// A reader of all bytes.
    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        at = 0
        end = bytes.count
    }

    /// A reader of an element's content.
    package init(_ bytes: [UInt8], in content: Range<Int>) {
        self.bytes = bytes
        at = max(content.lowerBound, 0)
        end = min(content.upperBound, bytes.count)
    }

    /// Whether nothing is left.
    package var isAtEnd: Bool { at >= end }

    /// The tag that comes next, `nil` at the end.
    package var nextTag: UInt8? { at < end ? bytes[at] : nil }

    /// The next element, `nil` if there is no well-formed one.
    package mutating func next() -> Element? {
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
    package mutating func next(_ tag: UInt8) -> Element? {
        guard nextTag == tag else { return nil }
        return next()
    }

    /// A reader of the content of the next element, if it is a SEQUENCE.
    package mutating func sequence() -> DERReader? {
        next(Tag.sequence).map { DERReader(bytes, in: $0.content) }
    }
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
