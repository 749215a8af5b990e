/// Decodes a record: finds the notifications in it, through whatever envelope they are in, and leaves their fields as
/// ranges.
///
/// One for each worker, used again and again. ``DirectReader`` reads what is where it usually is; anything else becomes
/// a tree, in which ``Finder`` searches.
package final class NotificationDecoder {
    /// How many bytes after the end of a text must be readable (their values do not matter).
    package static var slack: Int { JSONScanner.slack }

    private var scanner = JSONScanner()
    private let direct: DirectReader
    private let finder: Finder

    /// A decoder of what the policy accepts.
    ///
    /// - Parameters:
    ///   - policy: What is believed.
    ///   - keepsPayload: Whether the text of version 2 payloads is kept, to be passed on as a whole.
    package init(_ policy: TrustPolicy, keepsPayload: Bool = false) {
        direct = DirectReader(policy, keepsPayload: keepsPayload)
        finder = Finder(policy: policy, keepsPayload: keepsPayload)
    }

    /// Where the record scanned last ends: its line feed, or the end given.
    package var end: Int { scanner.end }

    /// Looks for the end of the record and everything that needs no grammar.
    ///
    /// Must come before ``findings(in:_:at:receivedAt:)``.
    package func scan(_ memory: UnsafeRawPointer, from start: Int, to limit: Int, stopsAtLineFeed: Bool) {
        scanner.scan(memory, from: start, to: limit, stopsAtLineFeed: stopsAtLineFeed)
    }

    /// What is in the record scanned last; valid until the next one is decoded.
    ///
    /// - Parameters:
    ///   - memory: The memory that was scanned.
    ///   - start: Where the record begins.
    ///   - pointer: Steps of a JSON pointer to the body, none for the record itself, or `nil` to find it.
    ///   - receivedAt: The time of arrival known from outside.
    /// - Returns: What is in it; its failure is placed within the record.
    package func findings(
        in memory: UnsafeRawPointer, _ start: Int, at pointer: [String]? = nil, receivedAt: ReceiveTime? = nil
    ) -> Findings {
        var around = Surroundings(receivedAt: receivedAt)
        around.isWithoutEnvelope = pointer?.isEmpty ?? false
        if pointer == nil, scanner.fault == nil {
            var walker = scanner.walker(memory)
            // If the text has faults, the search below reports the first one.
            if let found = try? direct.read(walker.root(), &walker, around, isWhole: true) {
                return Findings(found: [found])
            }
        }
        return finder.find(inText: memory, start..<max(start, end), nil, around, at: pointer ?? []).failingIfTranslated
    }

    /// The time of arrival at a JSON pointer in the record scanned last; `nil` where nothing is there that is a time.
    package func time(at steps: [String], _ memory: UnsafeRawPointer, _ start: Int) -> ReceiveTime? {
        var value = try? JSONTree(memory, start..<end)
        for step in steps { value = value?.child(step) }
        return value.flatMap(EnvelopeTimes.time)
    }

    /// The notifications that are somewhere in a text, such as the line of a log.
    ///
    /// - Parameters:
    ///   - text: Followed by ``JSONScanner/slack`` readable bytes.
    ///   - pointer: Steps of a JSON pointer to the body in each object, or `nil` to find it.
    ///   - times: Gives each part its time of arrival.
    ///   - comparing: Whether what says the same as one before is passed over.
    /// - Returns: What is in it; its failure is the first of what has signs of a notification.
    package func findings(
        inPartsOf text: UnsafeRawBufferPointer, _ pointer: [String]?, _ times: inout some PartTimes, comparing: Bool
    ) -> Findings {
        var around = Surroundings()
        around.isWithoutEnvelope = pointer?.isEmpty ?? false
        return finder.findParts(of: text, nil, around, at: pointer ?? [], &times, comparing: comparing)
            .failingIfTranslated
    }
}
