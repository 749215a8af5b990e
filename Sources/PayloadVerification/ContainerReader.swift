import NotificationTranslation

/// Reads a container and says what is wrong with it: bytes that are not DER, or DER of something else.
struct ContainerReader {
    private var reader: DERReader
    /// Where it is, in the names of RFC 2315.
    let path: String

    init(_ reader: DERReader, _ path: String) {
        self.reader = reader
        self.path = path
    }

    var bytes: [UInt8] { reader.bytes }
    var isAtEnd: Bool { reader.isAtEnd }
    var nextTag: DERReader.Tag? { reader.nextTag }

    /// The next element, which must have this tag.
    mutating func element(_ tag: DERReader.Tag) throws(AuthenticityError) -> DERReader.Element {
        guard !reader.isAtEnd else { throw AuthenticityError(.receiptMalformed, path: path) }
        guard let element = reader.next() else { throw AuthenticityError(.receiptNotDER, path: path) }
        guard element.tag == tag else { throw AuthenticityError(.receiptMalformed, path: path) }
        return element
    }

    /// A reader of the content of the next element, which must have this tag.
    mutating func enter(_ tag: DERReader.Tag, _ name: String) throws(AuthenticityError) -> ContainerReader {
        ContainerReader(DERReader(reader.bytes, in: try element(tag).content), name)
    }

    mutating func integer() throws(AuthenticityError) -> Int64? {
        let element = try element(.integer)
        var number = DERReader(reader.bytes, in: element.whole)
        return number.integer()
    }

    /// Reads an object identifier, which must be this one.
    mutating func identifier(
        _ name: [UInt8],
        else reason: AuthenticityError.Reason
    ) throws(AuthenticityError) {
        let found = try element(.identifier).content
        guard reader.bytes[found].elementsEqual(name) else { throw AuthenticityError(reason, path: path) }
    }

    /// Refuses what is left.
    func finish() throws(AuthenticityError) {
        guard reader.isAtEnd else {
            throw AuthenticityError(path.isEmpty ? .receiptNotDER : .receiptMalformed, path: path)
        }
    }
}
