/// Reads bodies one after another, in memory that is used again: the first room of a notification that comes alone.
final class BodyReader {
    let decoder: NotificationDecoder
    private let body = OutputBuffer(capacity: 1024)
    /// Bodies longer than this are refused.
    private let longest: Int
    /// What is the longest where nobody says so, as in the command.
    static let usualLongest = 16 << 20
    /// A place in a body has 31 bits.
    private static let mostAddressable = 1 << 30

    /// A reader of bodies of at most `longest` bytes.
    init(_ policy: TrustPolicy, longest: Int = BodyReader.usualLongest) {
        decoder = NotificationDecoder(policy)
        self.longest = min(max(longest, 0), Self.mostAddressable)
    }

    /// Whether it holds so much memory that a new one is better than keeping this one.
    var isLarge: Bool { body.capacity > 1 << 20 }

    /// What is in a body, valid until the next one is read.
    ///
    /// - Throws: Why a notification in it cannot be read.
    func read(_ bytes: UnsafeRawBufferPointer) throws(NotificationError) -> Findings {
        guard bytes.count <= longest else {
            throw NotificationError(
                code: .tooLong, path: "", offset: longest, sentence: "the body is longer than \(longest) bytes")
        }
        body.removeAll()
        body.reserve(bytes.count + JSONScanner.slack)
        body.append(bytes)
        guard let memory = body.bytes.baseAddress, !bytes.isEmpty else {
            throw NotificationError(
                code: .init(rawValue: JSONFault.Code.unexpectedEnd.code), path: "", offset: 0,
                sentence: "the body is empty")
        }
        decoder.scan(memory, from: 0, to: bytes.count, stopsAtLineFeed: false)
        let findings = decoder.findings(in: memory, 0)
        if let failure = findings.failure { throw failure }
        return findings
    }
}
