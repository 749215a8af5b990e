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

    /// The reader of notifications that are read directly.
    var reader: NotificationReader { direct.reader }

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
    /// Must come before ``decode``.
    package func scan(_ memory: UnsafeRawPointer, from start: Int, to limit: Int, stopsAtLineFeed: Bool) {
        scanner.scan(memory, from: start, to: limit, stopsAtLineFeed: stopsAtLineFeed)
    }

    /// Decodes the record scanned last and passes every notification in it to the visitor.
    ///
    /// - Parameters:
    ///   - memory: The memory that was scanned.
    ///   - start: Where the record begins.
    ///   - visit: Called with each of them; what it is given is valid only while it runs.
    /// - Returns: What the record is if it holds none.
    /// - Throws: Why a notification cannot be read, placed within the record.
    @discardableResult func decode(
        _ memory: UnsafeRawPointer, from start: Int, _ visit: (FoundNotification) -> Void
    ) throws(NotificationError) -> SkipReason {
        let (failure, reason) = withoutActuallyEscaping(visit) { visit in
            let visitor = FoundVisitor(visit)
            return (outcome(memory, start, nil, nil, visitor), visitor.explained.reason)
        }
        if let failure { throw failure }
        return reason
    }

    /// Decodes the record scanned last.
    ///
    /// - Parameters:
    ///   - memory: The memory that was scanned.
    ///   - start: Where the record begins.
    ///   - pointer: Steps of a JSON pointer to the body, or `nil` to find it.
    ///   - receivedAt: The time of arrival known from outside.
    ///   - visitor: Receives every notification, or one that is foreign.
    /// - Returns: Why it failed, placed within the record.
    package func outcome(
        _ memory: UnsafeRawPointer, _ start: Int, _ pointer: [String]?, _ receivedAt: ReceiveTime?,
        _ visitor: FoundVisitor
    ) -> NotificationError? {
        let around = Surroundings(receivedAt: receivedAt)
        let pointer = pointer ?? []
        if let steps = visitor.timeSteps { visitor.received = .some(time(at: steps, memory, start)) }
        if pointer.isEmpty, scanner.fault == nil {
            var walker = scanner.walker(memory)
            do throws(JSONFault) {
                if let found = try direct.read(walker.root(), &walker, around, isWhole: true) {
                    visitor.visit(found)
                    return nil
                }
            } catch {
                // The search reports the first fault.
            }
        }
        return deliver(finder.find(inText: memory, start..<max(start, end), nil, around, at: pointer), memory, visitor)
    }

    /// Hands over what was found, or that it is foreign; returns why the record fails.
    private func deliver(
        _ findings: Findings, _ memory: UnsafeRawPointer, _ visitor: FoundVisitor
    ) -> NotificationError? {
        visitor.explained += findings.explained
        visitor.openedTexts += findings.openedTexts
        if findings.missedPointer { visitor.missedPointer = true }
        for found in findings.found { visitor.visit(found) }
        if findings.isNothing, findings.translated == nil {
            visitor.visit(FoundNotification(.foreign, memory, direct.reader, findings.receivedAt))
        }
        return findings.failure ?? findings.translated
    }

    /// The time of arrival at a JSON pointer; `nil` where nothing is there that is a time.
    private func time(at steps: [String], _ memory: UnsafeRawPointer, _ start: Int) -> ReceiveTime? {
        var value = try? JSONTree(memory, start..<end, repeating: V1Keys.row)
        for step in steps { value = value?.child(step) }
        return value.flatMap(EnvelopeTimes.time)
    }

    /// Decodes the notifications that are somewhere in a text, such as the line of a log.
    ///
    /// - Parameters:
    ///   - text: Followed by ``JSONScanner/slack`` readable bytes.
    ///   - pointer: Steps of a JSON pointer to the body in each object, or `nil` to find it.
    ///   - times: Gives each part its time of arrival.
    ///   - comparing: Whether what says the same as one before is passed over.
    ///   - visitor: Receives every notification.
    /// - Returns: The first failure of what has signs of a notification.
    package func outcome(
        ofPartsOf text: UnsafeRawBufferPointer, _ pointer: [String]?, _ times: inout some PartTimes, comparing: Bool,
        _ visitor: FoundVisitor
    ) -> NotificationError? {
        guard let memory = text.baseAddress else { return nil }
        let findings = finder.findParts(
            of: text, nil, Surroundings(), at: pointer ?? [], &times, comparing: comparing)
        return deliver(findings, memory, visitor)
    }
}
