/// Reads DER (X.690) element by element, strictly: one-byte tags, definite lengths in their shortest form.
///
/// Certificates and receipts are read with it; chains and signatures are judged by the system's library. Every index is
/// checked, whatever the bytes are, and nothing is read by recursion.
package struct DERReader {
    /// An element: its tag and where its content is.
    package struct Element {
        /// Its tag; `nil` for any that is not a ``Tag``.
        package var tag: Tag?
        /// Where its content is.
        package var content: Range<Int>
        /// Where all of it is, tag and length included.
        package var whole: Range<Int>
    }

    /// The tags that are read, by the names of X.690.
    ///
    /// `context…` are the constructed tags `[0]`, `[1]` and `[3]`, and the
    /// last two the ids of issuer and subject in certificates, which are the primitive tags `[1]` and `[2]`.
    package enum Tag: UInt8 {
        case boolean = 0x01, integer = 0x02, bitString = 0x03, octetString = 0x04, identifier = 0x06
        case utf8 = 0x0C, ia5 = 0x16, utcTime = 0x17, generalizedTime = 0x18, sequence = 0x30, set = 0x31
        case context0 = 0xA0, context1 = 0xA1, context3 = 0xA3, issuerID = 0x81, subjectID = 0x82
    }

    /// What is read.
    package let bytes: [UInt8]
    private var at: Int
    private let end: Int

    /// A reader of an element's content; without one, of all bytes.
    package init(_ bytes: [UInt8], in content: Range<Int>? = nil) {
        self.bytes = bytes
        at = max(content?.lowerBound ?? 0, 0)
        end = min(content?.upperBound ?? bytes.count, bytes.count)
    }

    /// Whether nothing is left.
    package var isAtEnd: Bool { at >= end }

    /// The tag that comes next, `nil` at the end and for one that is not in the list.
    package var nextTag: Tag? { at < end ? Tag(rawValue: bytes[at]) : nil }

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
        return Element(tag: Tag(rawValue: tag), content: content..<at, whole: start..<at)
    }

    /// The next element if it has this tag.
    package mutating func next(_ tag: Tag) -> Element? {
        guard nextTag == tag else { return nil }
        return next()
    }

    /// A reader of the content of the next element, if it has this tag.
    package mutating func enter(_ tag: Tag = .sequence) -> DERReader? {
        next(tag).map { DERReader(bytes, in: $0.content) }
    }

    /// The value of the next element, if it is an INTEGER of at most eight bytes in its shortest form.
    package mutating func integer() -> Int64? {
        guard let element = next(.integer), 1...8 ~= element.content.count else { return nil }
        let content = bytes[element.content]
        guard let first = content.first else { return nil }
        var value = Int64(Int8(bitPattern: first))
        for (index, byte) in content.dropFirst().enumerated() {
            if index == 0, first == 0 && byte < 0x80 || first == 0xFF && byte >= 0x80 { return nil }
            value = value << 8 | Int64(byte)
        }
        return value
    }
}
