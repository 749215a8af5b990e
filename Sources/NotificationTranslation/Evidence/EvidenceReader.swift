/// Reads the bytes of ``Evidence``; whatever they hold, nothing is read beyond them.
struct EvidenceReader {
    private var bytes: ByteReader

    private init(_ memory: UnsafeRawBufferPointer) {
        bytes = ByteReader(memory)
    }

    /// What is at the beginning and says whose it is.
    struct Header {
        var bits: EvidenceBits = []
        var extras: EvidenceExtras = []
        var environment = EventText.absent
        var bundleID = EventText.absent
        var originalTransactionID = EventText.absent
        var id = EventDraft.ID.text(.absent)
    }

    /// Reads whose it is.
    static func header(_ memory: UnsafeRawBufferPointer) -> Header? {
        var reader = EvidenceReader(memory)
        let header = reader.header()
        return reader.bytes.failed ? nil : header
    }

    /// Whether it is an answer of Apple's.
    static func isAnswer(_ memory: UnsafeRawBufferPointer) -> Bool {
        memory.count > 2 && memory[0] == Evidence.layout
            && EvidenceExtras(rawValue: memory[2]).contains(.isAnswer)
    }

    /// A number that evidence with the same key shares; that of the id where there is no key.
    static func keyNumber(_ memory: UnsafeRawBufferPointer) -> UInt64 {
        guard let header = header(memory) else { return 0 }
        let original = header.originalTransactionID
        return keyNumber(of: original.isAbsent ? ~header.id.number : TimelineID.of(original))
    }

    /// The number of the evidence of a subscription or purchase.
    private static func keyNumber(of number: UInt64) -> UInt64 {
        // Ids of one day are near each other; spread them, so that runs of a sort are alike.
        (number ^ number >> 32) &* 0x9E37_79B9_7F4A_7C15
    }

    /// Purchases that evidence without a key may be about.
    struct PossibleSubject {
        var originalTransactionID: EventText
        /// When the receipt says that it was cancelled.
        var cancelled: Int64?
    }

    /// Reads the purchases that evidence without a key may be about; none where there is a key.
    static func possibleSubjects(_ memory: UnsafeRawBufferPointer, _ table: DecisionTable) -> [PossibleSubject] {
        guard let header = header(memory), header.originalTransactionID.isAbsent, !header.bits.contains(.isV2)
        else { return [] }
        var reader = EvidenceReader(memory)
        var rows: [TimelineRow] = []
        var details = ShownDetails()
        var subjects: [PossibleSubject] = []
        _ = reader.statement(table, &rows, &details) { subjects.append($0) }
        return reader.bytes.failed ? [] : subjects
    }

    /// The numbers of the keys of the purchases that evidence may be about.
    static func possibleKeyNumbers(_ memory: UnsafeRawBufferPointer, _ table: DecisionTable) -> [UInt64] {
        possibleSubjects(memory, table).map { keyNumber(of: TimelineID.of($0.originalTransactionID)) }
    }

    /// Reads all of it.
    ///
    /// - Parameters:
    ///   - memory: The bytes; texts of the result point into them.
    ///   - table: Knows the types.
    ///   - rows: Gets the transactions.
    /// - Returns: `nil` if they are not evidence of this layout.
    static func statement(
        _ memory: UnsafeRawBufferPointer, _ table: DecisionTable, _ rows: inout [TimelineRow]
    ) -> Statement? {
        var details = ShownDetails()
        return statement(memory, table, &rows, &details)
    }

    /// The same with what settling needs not know, where the evidence has it.
    static func statement(
        _ memory: UnsafeRawBufferPointer, _ table: DecisionTable, _ rows: inout [TimelineRow],
        _ details: inout ShownDetails
    ) -> Statement? {
        var reader = EvidenceReader(memory)
        let first = rows.count
        let statement = reader.statement(table, &rows, &details)
        guard !reader.bytes.failed, reader.bytes.isAtEnd else {
            rows.removeLast(rows.count - first)
            return nil
        }
        return statement
    }

    private mutating func header() -> Header {
        var header = Header()
        if bytes.byte() != Evidence.layout { bytes.fail() }
        header.bits = EvidenceBits(rawValue: bytes.byte())
        header.extras = EvidenceExtras(rawValue: bytes.byte())
        header.environment = bytes.text()
        header.bundleID = bytes.text()
        header.originalTransactionID = bytes.text()
        if header.bits.contains(.idIsBytes) {
            header.id = .uuid(bytes.id())
        } else {
            header.id = .text(bytes.text())
        }
        return header
    }

    /// Reads what is before the transactions, and nothing that names them.
    static func opening(_ memory: UnsafeRawBufferPointer, _ table: DecisionTable) -> Statement? {
        var reader = EvidenceReader(memory)
        let statement = reader.opening(table)
        return reader.bytes.failed ? nil : statement
    }

    private mutating func statement(
        _ table: DecisionTable, _ rows: inout [TimelineRow], _ details: inout ShownDetails,
        _ possible: (PossibleSubject) -> Void = { _ in }
    ) -> Statement {
        var statement = opening(table)
        readProducts(&statement, &rows, &details)
        if !bytes.failed, !bytes.isAtEnd, statement.isV2 { statement.signedAt = time(bytes.signed()) }
        if !bytes.failed, !bytes.isAtEnd, !statement.hasKey, !statement.isV2 {
            for _ in 0..<bytes.count() where !bytes.failed {
                let id = bytes.text()
                let cancelled = time(bytes.signed())
                possible(PossibleSubject(originalTransactionID: id, cancelled: cancelled == 0 ? nil : cancelled))
            }
        }
        if !bytes.failed, !bytes.isAtEnd, !statement.isV2 { statement.take(EvidenceReceipt(&bytes)) }
        return statement
    }

    private mutating func opening(_ table: DecisionTable) -> Statement {
        let header = header()
        var statement = Statement(header)
        let name = bytes.text()
        statement.typeText = name
        if statement.isV2 {
            statement.pair = name.string.flatMap(table.events.pair) ?? -1
        } else {
            statement.type = table.type(name) ?? -1
            statement.facts = Facts(packed: (bytes.word(), bytes.word(), bytes.word()))
        }
        if header.bits.contains(.ownTime) {
            statement.ownTime = time(bytes.signed())
            statement.ownField = bytes.byte()
        }
        if header.bits.contains(.latestKnown) {
            statement.latestKnown = time(bytes.signed())
            statement.latestField = bytes.byte()
        }
        if header.bits.contains(.receivedAt) { statement.receivedAt = time(bytes.signed()) }
        if header.bits.contains(.fingerprint) { statement.fingerprint = bytes.varint() }
        return statement
    }

    private mutating func readState(_ products: UnsafeBufferPointer<Product>, _ statement: inout Statement) {
        statement.transactionText = bytes.text()
        statement.transaction = TimelineID.of(statement.transactionText)
        statement.product = product(products).id
        let next = product(products)
        statement.nextProductText = next.text
        statement.nextProduct = next.id
        statement.autoRenewStatus = truth()
        statement.intent = bytes.byte()
        statement.isInBillingRetry = truth() == true
        statement.consent = truth()
        let offer = bytes.byte()
        if offer != 0 { statement.nextOffer = TimelineID.of(bytes.text()) | UInt64(offer) << 1 | 1 }
        let grace = time(bytes.signed())
        statement.graceUntil = grace == 0 ? nil : grace
        statement.completeFrom = statement.hasList ? .min : .max
        if statement.bits.contains(.leftOut) {
            let from = bytes.signed()
            if statement.hasList { statement.completeFrom = from }
        }
    }

    /// Apple's 1 and 0; `nil` for every other number and where nothing is stated.
    private mutating func truth() -> Bool? {
        let byte = bytes.byte()
        return byte <= 1 ? byte == 1 : nil
    }

    private static let mostProducts = 4096

    /// A product that rows name by its number.
    private struct Product {
        var text: EventText
        var id: UInt64
    }

    /// Reads the products and all that names them.
    private mutating func readProducts(
        _ statement: inout Statement, _ rows: inout [TimelineRow], _ details: inout ShownDetails
    ) {
        let first = rows.count
        let count = bytes.count()
        // Our writer names a few products; bytes from elsewhere must not make us reserve much memory.
        guard count <= Self.mostProducts else { return bytes.fail() }
        withUnsafeTemporaryAllocation(of: Product.self, capacity: count) { room in
            for place in 0..<count {
                let text = bytes.text()
                room.initializeElement(at: place, to: Product(text: text, id: TimelineID.of(text)))
            }
            readState(UnsafeBufferPointer(room), &statement)
            readRows(UnsafeBufferPointer(room), &rows)
            if statement.extras.contains(.details) {
                readDetails(UnsafeBufferPointer(room), rows[first...], &details)
            }
        }
        if !bytes.failed, !bytes.isAtEnd { statement.access = EvidenceAccess(&bytes) }
        statement.rows = first..<rows.count
    }

    /// The product that a number represents.
    private mutating func product(_ products: UnsafeBufferPointer<Product>) -> Product {
        let number = bytes.varint()
        guard number > 0, number <= UInt64(products.count) else {
            if number > 0 { bytes.fail() }
            return Product(text: .absent, id: TimelineID.none)
        }
        return products[Int(number) - 1]
    }

    private mutating func readRows(_ products: UnsafeBufferPointer<Product>, _ rows: inout [TimelineRow]) {
        var newer: TimelineRow?
        var lastNumber: Int64 = 0
        for _ in 0..<bytes.count() where !bytes.failed {
            let row = row(products, newer, &lastNumber)
            rows.append(row)
            newer = row
        }
    }

    private mutating func readDetails(
        _ products: UnsafeBufferPointer<Product>, _ rows: ArraySlice<TimelineRow>, _ details: inout ShownDetails
    ) {
        func text(_ number: UInt64) -> EventText? {
            1...UInt64(max(1, products.count)) ~= number && !products.isEmpty ? products[Int(number) - 1].text : nil
        }
        details.appAppleID = bytes.text()
        for row in rows where !bytes.failed {
            details.rows.append(RowDetails(&bytes, purchase: row.purchase, text: text))
        }
        var newer: TimelineRow?
        var lastNumber: Int64 = 0
        for _ in 0..<bytes.count() where !bytes.failed {
            let row = row(products, newer, &lastNumber)
            details.more.append((row, RowDetails(&bytes, purchase: row.purchase, text: text)))
            newer = row
        }
    }

    private mutating func row(
        _ products: UnsafeBufferPointer<Product>, _ newer: TimelineRow?, _ lastNumber: inout Int64
    ) -> TimelineRow {
        var row = TimelineRow()
        let bits = RowBits(rawValue: bytes.byte())
        let product = product(products)
        row.productText = product.text
        row.product = product.id
        if bits.contains(.numericID) {
            lastNumber = lastNumber &+ bytes.signed()
            row.number = lastNumber
            row.transaction = TimelineID.of(number: lastNumber)
        } else {
            row.transactionText = bytes.text()
            row.transaction = TimelineID.of(row.transactionText)
        }
        let purchase = bytes.signed()
        row.purchase = time(newer.map { $0.purchase &- purchase } ?? purchase)
        if bits.contains(.contiguous) {
            row.expires = newer?.purchase
        } else if bits.contains(.expires) {
            row.expires = time(row.purchase &+ bytes.signed())
        }
        if bits.contains(.cancelled) {
            row.cancellation = time(row.purchase &+ bytes.signed())
            let reason = bytes.byte()
            row.isInPart = UInt8.inPart..<UInt8.notStated ~= reason
            row.reason = !row.isInPart ? reason : reason == .inPart | 126 ? .notStated : reason & ~.inPart
        }
        row.isUpgraded = bits.contains(.upgraded)
        if bits.contains(.offer) {
            row.offerType = bytes.byte()
            row.offerText = bytes.text()
            row.offer = TimelineID.of(row.offerText) | 1
        } else if !bits.isDisjoint(with: [.trial, .introductory]) {
            row.offerType = UInt8(.introductory)
        }
        return row
    }

    /// A time, if four digits of year can write it; reckoning with such times never overflows.
    private mutating func time(_ milliseconds: Int64) -> Int64 {
        guard CivilTime.earliest...CivilTime.latest ~= milliseconds else {
            bytes.fail()
            return 0
        }
        return milliseconds
    }
}
