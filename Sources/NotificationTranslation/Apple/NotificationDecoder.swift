/// Finds the notification in a record, through whatever envelope it is in, and leaves its fields as ranges.
///
/// One for each worker, used again and again. A body that is inside a string (escaped JSON, the payload of a JWS)
/// is written out into memory of this decoder and read by a decoder of its own, the `inner` one.
final class NotificationDecoder {
    /// What a record turned out to be.
    enum Finding {
        /// A version 1 body; see ``Found/v1``.
        case v1
        /// A version 2 payload; see ``Found/v2``.
        case v2
        /// Valid JSON that carries no Apple notification.
        case foreign
    }

    /// A notification that was found.
    ///
    /// Valid only during the call that receives it.
    struct Found {
        /// What the record says beside the notification that makes it doubtful.
        struct Doubts: OptionSet {
            var rawValue: UInt8

            /// A row names another type than the notification beside it has.
            static let otherType = Doubts(rawValue: 1)
            /// Beside the fields of a row is something with signs of a notification that cannot be read.
            static let unreadable = Doubts(rawValue: 2)
            /// Its keys were changed, and fit either version.
            static let version = Doubts(rawValue: 4)
        }

        var finding: Finding
        /// The memory that the ranges of the body or payload belong to.
        var memory: UnsafeRawPointer
        /// The memory that the ranges of a version 2 transaction and renewal info belong to.
        var transactionMemory: UnsafeRawPointer
        var renewalMemory: UnsafeRawPointer
        /// The same of an app transaction.
        var appTransactionMemory: UnsafeRawPointer
        /// The decoder whose `v1` or `v2` holds the fields; not counted, as it outlives the call.
        unowned(unsafe) let holder: NotificationDecoder
        /// When the server received it, in milliseconds since 1970, as far as the envelope says.
        var receivedAt: Int64? { received?.milliseconds }
        /// The same, with what is known of its zone.
        var received: ReceiveTime?
        /// How far its sender was checked.
        var authenticity = Authenticity.unverified
        /// What makes it doubtful.
        var doubts: Doubts = []

        init(
            _ finding: Finding, _ memory: UnsafeRawPointer, _ holder: NotificationDecoder, _ receivedAt: ReceiveTime?
        ) {
            self.finding = finding
            self.memory = memory
            transactionMemory = memory
            renewalMemory = memory
            appTransactionMemory = memory
            self.holder = holder
            received = receivedAt
        }
    }

    let v1 = V1Fields()
    // Run-time exclusivity checks on both cost 1.5 % of a small record.
    @exclusivity(unchecked) var v2 = V2Fields()
    @exclusivity(unchecked) var scanner = JSONScanner()
    var partScanner = JSONScanner()
    /// The record, where it was inside a string of another.
    let scratch = OutputBuffer(capacity: 1024)
    /// Characters of a string with escapes; not `scratch`, which may be what is being read.
    let plainText = OutputBuffer(capacity: 1024)
    let transactionPart = OutputBuffer(capacity: 1024)
    let renewalPart = OutputBuffer(capacity: 1024)
    let orders = KeyOrders()
    let policy: TrustPolicy
    /// Whether the text of version 2 payloads is kept, to be passed on as a whole.
    var keepsPayload = false
    /// Keys followed so far, from the record to what is read here.
    var level: Int
    /// Texts opened so far: JSON in strings, base64, signed payloads, rewritten bodies.
    let texts: Int
    /// How often a text that this one reads was rewritten by a ``BodyReshaper``.
    var reshapings = 0
    /// Rows with a type of their own that are around what is read.
    var rowsAround = 0
    /// Parts of a payload that are beside the object which holds it, in the text being read.
    var partsAround = Nested()
    private var innerDecoder: NotificationDecoder?

    /// A decoder of what the policy accepts.
    init(_ policy: TrustPolicy, level: Int = 0, texts: Int = 0) {
        self.policy = policy
        self.level = level
        self.texts = texts
    }

    /// The decoder of what is inside a string of this one's record.
    func inner() throws(NotificationError) -> NotificationDecoder {
        guard texts < Envelope.mostTexts else {
            throw NotificationError(
                code: .tooManyEnvelopes, path: "", offset: 0,
                sentence: "more than 8 nested encodings (JSON in strings, base64, signed payloads)")
        }
        if let innerDecoder {
            // It was made for whatever depth this one was at then.
            innerDecoder.level = level
            innerDecoder.reshapings = reshapings
            innerDecoder.rowsAround = rowsAround
            innerDecoder.keepsPayload = keepsPayload
            innerDecoder.partsAround = Nested()
            return innerDecoder
        }
        let made = NotificationDecoder(policy, level: level, texts: texts + 1)
        made.reshapings = reshapings
        made.rowsAround = rowsAround
        made.keepsPayload = keepsPayload
        innerDecoder = made
        return made
    }

    /// Where the record scanned last ends: its line feed, or the end given.
    var end: Int { scanner.end }

    /// Looks for the end of the record and everything that needs no grammar.
    ///
    /// Must come before ``decode``.
    func scan(_ memory: UnsafeRawPointer, from start: Int, to limit: Int, stopsAtLineFeed: Bool) {
        scanner.scan(memory, from: start, to: limit, stopsAtLineFeed: stopsAtLineFeed)
    }

    /// Decodes the record scanned last and passes every notification in it to the visitor.
    ///
    /// - Parameters:
    ///   - memory: The memory that was scanned.
    ///   - start: Where the record begins.
    ///   - envelope: Steps of a JSON pointer to the body, or `nil` to find it.
    ///   - receivedAt: The time of receipt known from outside.
    ///   - visit: Called with each of them; what it is given is valid only while it runs.
    /// - Returns: What the record is if it holds none.
    /// - Throws: Why a notification cannot be read, placed within the record.
    @discardableResult func decode(
        _ memory: UnsafeRawPointer, from start: Int, envelope: [String]?, receivedAt: ReceiveTime?,
        _ visit: (Found) -> Void
    ) throws(NotificationError) -> SkipReason {
        let (failure, reason) = withoutActuallyEscaping(visit) { visit in
            let visitor = ClosureVisitor(visit)
            return (outcome(memory, start, envelope, receivedAt, visitor), visitor.explained.reason)
        }
        if let failure { throw failure }
        return reason
    }

    /// Decodes the record scanned last; returns why it failed, placed within the record.
    func outcome(
        _ memory: UnsafeRawPointer, _ start: Int, _ envelope: [String]?, _ receivedAt: ReceiveTime?,
        _ visitor: FoundVisitor
    ) -> NotificationError? {
        var failure: NotificationError?
        do throws(JSONFault) {
            if end - start > 1, memory.loadUnaligned(fromByteOffset: start, as: UInt16.self).littleEndian == 0x7965 {
                failure = takeBareText(memory, start, receivedAt, visitor)
            } else {
                if let fault = scanner.fault { throw fault }
                failure = try decodeText(memory, envelope, receivedAt, visitor)
            }
        } catch {
            let text = UnsafeRawBufferPointer(start: memory + start, count: end - start)
            if error.code == .syntax || error.code == .invalidEscape, RubyHash.mayBe(in: text) {
                let explained = visitor.explained.count
                defer { visitor.explained.enclose(from: explained, in: start..<end) }
                switch takeRubyHash(text, envelope, receivedAt, visitor) {
                case .some(let outcome): return outcome ?? (texts == 0 ? visitor.translated : nil)
                case nil: break
                }
            }
            return NotificationError(error, in: memory, from: start, to: end)
        }
        if texts == 0 { failure = failure ?? visitor.translated }
        guard var failure else { return nil }
        failure.offset = max(0, failure.offset - start)
        return failure
    }

    func decodeText(
        _ memory: UnsafeRawPointer, _ envelope: [String]?, _ receivedAt: ReceiveTime?, _ visitor: FoundVisitor
    ) throws(JSONFault) -> NotificationError? {
        var walker = scanner.walker(memory)
        let root = try walker.root()
        if texts == 0, let steps = visitor.timeSteps {
            let place = walker.place
            visitor.received = .some(try time(at: steps, root, &walker))
            walker.go(to: place)
        }
        guard let envelope, !envelope.isEmpty else {
            return try take(root, &walker, receivedAt, finishes: true, visitor)
        }
        return try followPointer(envelope[...], root, &walker, receivedAt, finishes: true, visitor)
    }

    /// Takes a record that is not JSON but a JWS as it is.
    func takeBareText(
        _ memory: UnsafeRawPointer, _ start: Int, _ receivedAt: ReceiveTime?, _ visitor: FoundVisitor
    ) -> NotificationError? {
        var stop = end
        while stop > start, memory.load(fromByteOffset: stop - 1, as: UInt8.self) <= 0x20 { stop -= 1 }
        do throws(NotificationError) {
            try takeSignedPayload(
                UnsafeRawBufferPointer(start: memory + start, count: stop - start), at: start, receivedAt, visitor)
            return nil
        } catch {
            return error
        }
    }

    // MARK: Kinds of value

    /// Takes a value as a record: an object, a string that holds one, or (history pages) an array of them.
    func take(
        _ value: JSONWalker.Value, _ walker: inout JSONWalker, _ receivedAt: ReceiveTime?, finishes: Bool,
        _ visitor: FoundVisitor
    ) throws(JSONFault) -> NotificationError? {
        switch value.kind {
        case .object:
            return try takeObject(&walker, receivedAt, finishes: finishes, visitor)
        case .string:
            if finishes { try walker.finish() }
            return takeString(value.text, walker.memory, receivedAt, visitor)
        case .array where finishes && texts == 0:
            return try takeRootArray(&walker, receivedAt, visitor)
        case .array where finishes:
            let place = walker.place
            try walker.skip(value)
            try walker.finish()
            walker.go(to: place)
            return try takeArray(&walker, receivedAt, visitor)
        case .array:
            return try takeArray(&walker, receivedAt, visitor)
        default:
            try walker.skip(value)
            if finishes { try walker.finish() }
            visitor.visit(Found(.foreign, walker.memory, self, receivedAt))
            return nil
        }
    }

    /// Takes an array that is where a record should be: foreign, unless notifications are in it.
    ///
    /// A row, in which one is after a text or a number, is an envelope. Other arrays are reported, as one record
    /// is one notification or an envelope of some.
    func takeRootArray(
        _ walker: inout JSONWalker, _ receivedAt: ReceiveTime?, _ visitor: FoundVisitor
    ) throws(JSONFault) -> NotificationError? {
        let place = walker.place
        let probe = FoundVisitor()
        let failure = try takeArray(&walker, receivedAt, probe)
        try walker.finish()
        guard probe.notifications > 0 || failure != nil else {
            visitor.count(probe)
            if probe.translated != nil { return nil }
            visitor.visit(Found(.foreign, walker.memory, self, receivedAt))
            return nil
        }
        if probe.notifications == 1, failure == nil, Self.beginsRow(walker.memory, place.at) {
            walker.go(to: place)
            visitor.passesOverForeign += 1
            defer { visitor.passesOverForeign -= 1 }
            return try takeArray(&walker, receivedAt, visitor)
        }
        return NotificationError(
            code: .notAnObject, path: "", offset: place.at,
            sentence: "an array of notifications where one record should be")
    }

    /// Whether the array at an index begins with a value that has no parts.
    private static func beginsRow(_ memory: UnsafeRawPointer, _ start: Int) -> Bool {
        var at = start + 1
        while memory.load(fromByteOffset: at, as: UInt8.self) <= 0x20 { at += 1 }
        let first = memory.load(fromByteOffset: at, as: UInt8.self)
        return first != 0x7B && first != 0x5B
    }

    /// Takes every element of an array as a record of its own; the first error is what the record fails with.
    func takeArray(
        _ walker: inout JSONWalker, _ receivedAt: ReceiveTime?, _ visitor: FoundVisitor
    ) throws(JSONFault) -> NotificationError? {
        var places: [(value: JSONWalker.Value, place: JSONWalker.Place)] = []
        var array = try walker.enterArray()
        while let element = try walker.nextElement(of: &array) {
            places.append((element, walker.place))
            try walker.skip(element)
        }
        let past = walker.place
        if places.count > 20, let outcome = takeBytes(places, walker.memory, receivedAt, visitor) { return outcome }
        var receivedAt = receivedAt
        if let time = try rowTime(places, &walker) { receivedAt = time }
        var failure: NotificationError?
        for (element, place) in places where isPlausible(Other(value: element, place: place), walker.memory) {
            walker.go(to: place)
            if let error = try take(element, &walker, receivedAt, finishes: false, visitor), failure == nil {
                failure = error
            }
            if visitor.notifications > Envelope.mostNotifications { return .tooMany(place.at) }
        }
        walker.go(to: past)
        return failure
    }

    /// Takes the text of a string as a record: JSON, or a compact JWS.
    func takeString(
        _ text: JSONText, _ memory: UnsafeRawPointer, _ receivedAt: ReceiveTime?, _ visitor: FoundVisitor
    ) -> NotificationError? {
        let bytes = plain(text, memory)
        let explained = visitor.explained.count
        defer { visitor.explained.enclose(from: explained, in: text.start..<text.end) }
        do throws(NotificationError) {
            if SignedPayload.looksLikeOne(bytes) {
                try takeSignedPayload(bytes, at: text.start, receivedAt, visitor)
                return nil
            }
            let first = bytes.first { $0 > 0x20 }
            if first == 0x7B || first == 0x22 {
                try takeEscaped(bytes, at: text.start, receivedAt, visitor)
            } else if try !takePacked(bytes, at: text.start, receivedAt, visitor),
                try !takeTextAround(bytes, at: text.start, receivedAt, visitor)
            {
                visitor.visit(Found(.foreign, memory, self, receivedAt))
            }
            return nil
        } catch {
            return error
        }
    }

    /// Takes JSON that was in a string.
    func takeEscaped(
        _ bytes: UnsafeRawBufferPointer, at offset: Int, _ receivedAt: ReceiveTime?, _ visitor: FoundVisitor
    ) throws(NotificationError) {
        let inner = try inner()
        inner.scratch.removeAll()
        inner.scratch.append(bytes)
        try inner.decodeScratch(at: offset, receivedAt, visitor)
    }

    /// Decodes what was written into the scratch memory; errors are placed at `offset` of the record outside.
    func decodeScratch(
        at offset: Int, _ receivedAt: ReceiveTime?, _ visitor: FoundVisitor
    ) throws(NotificationError) {
        visitor.openedTexts += 1
        let (explained, wasTranslated) = (visitor.explained.count, visitor.translated != nil)
        defer {
            visitor.explained.enclose(from: explained, in: nil)
            if !wasTranslated { visitor.translated?.offset = offset }
        }
        var length = scratch.count
        // A line end after a text that was cut off is no part of it.
        while length > 0, scratch.bytes[length - 1] <= 0x20 { length -= 1 }
        scratch.reserve(JSONScanner.slack)
        guard let memory = scratch.bytes.baseAddress else { return }
        scan(memory, from: 0, to: length, stopsAtLineFeed: false)
        if var failure = outcome(memory, 0, nil, receivedAt, visitor) {
            failure.offset = offset
            throw failure
        }
    }

    /// The characters of a string, unescaped if need be.
    func plain(_ text: JSONText, _ memory: UnsafeRawPointer) -> UnsafeRawBufferPointer {
        guard text.hasEscapes else { return UnsafeRawBufferPointer(start: memory + text.start, count: text.count) }
        plainText.removeAll()
        JSONEscapes.unescape(memory, from: text.start, to: text.end) { plainText.append($0) }
        return plainText.bytes
    }
}
