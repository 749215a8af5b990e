/// Reads the bytes of ``Evidence``; whatever they hold, nothing is read beyond them.
package enum EvidenceReader {
    /// Reads whose it is.
    static func header(_ memory: UnsafeRawBufferPointer) -> Statement.Header? {
        var reader = ByteReader(memory)
        var header = Statement.Header()
        header.code(&reader)
        return reader.failed ? nil : header
    }

    /// Whether it is an answer of Apple's.
    package static func isAnswer(_ memory: UnsafeRawBufferPointer) -> Bool {
        memory.count > 1 && memory[0] == Evidence.layout
            && Statement.Kind(rawValue: memory[1]).contains(.isAnswer)
    }

    /// Whether a notification about another purchase lists it.
    static func isListed(_ memory: UnsafeRawBufferPointer) -> Bool {
        isAnswer(memory) && Statement.Kind(rawValue: memory[1]).contains(.isListed)
    }

    /// Whether it is whole, and of this layout.
    package static func isReadable(_ memory: UnsafeRawBufferPointer) -> Bool {
        var rows: [TimelineRow] = []
        return statement(memory, .current, &rows) != nil
    }

    /// A number that evidence with the same key shares; that of the id where there is no key.
    package static func keyNumber(_ memory: UnsafeRawBufferPointer) -> UInt64 {
        guard let header = header(memory) else { return 0 }
        let original = header.originalTransactionID
        return keyNumber(of: original.isAbsent ? ~header.id.number : TimelineID.of(original))
    }

    /// The number of the evidence of a subscription or purchase.
    private static func keyNumber(of number: UInt64) -> UInt64 {
        // Ids of one day are near each other; spread them, so that runs of a sort are alike.
        (number ^ number >> 32) &* 0x9E37_79B9_7F4A_7C15
    }

    /// Reads the purchases that evidence without a key may be about; none where there is a key.
    static func possibleSubjects(_ memory: UnsafeRawBufferPointer, _ table: DecisionTable) -> [ShownDetails.Subject] {
        guard let header = header(memory), header.originalTransactionID.isAbsent, !header.kind.contains(.isV2)
        else { return [] }
        var rows: [TimelineRow] = []
        var details = ShownDetails()
        return statement(memory, table, &rows, &details) == nil ? [] : details.possibleSubjects
    }

    /// The numbers of the keys of the purchases that evidence may be about.
    package static func possibleKeyNumbers(_ memory: UnsafeRawBufferPointer) -> [UInt64] {
        possibleKeys(memory).map { keyNumber(of: TimelineID.of($0)) }
    }

    /// The original transaction ids of the purchases that evidence without a key may be about.
    package static func possibleKeys(_ memory: UnsafeRawBufferPointer) -> [EventText] {
        possibleSubjects(memory, .current).map(\.originalTransactionID)
    }

    /// The original transaction id of evidence; absent where it names none, or is damaged.
    package static func key(_ memory: UnsafeRawBufferPointer) -> EventText {
        header(memory)?.originalTransactionID ?? .absent
    }

    /// Reads all of it but the details.
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

    /// Reads all of it.
    static func statement(
        _ memory: UnsafeRawBufferPointer, _ table: DecisionTable, _ rows: inout [TimelineRow],
        _ details: inout ShownDetails
    ) -> Statement? {
        var reader = ByteReader(memory)
        let first = rows.count
        var statement = Statement()
        statement.rows = first..<first
        statement.code(&reader, &rows, &details)
        guard !reader.failed, reader.isAtEnd else {
            rows.removeLast(rows.count - first)
            return nil
        }
        statement.findType(table)
        return statement
    }

    /// Reads what is before the transactions, and nothing that names them.
    static func opening(_ memory: UnsafeRawBufferPointer, _ table: DecisionTable) -> Statement? {
        var reader = ByteReader(memory)
        var statement = Statement()
        statement.codeOpening(&reader)
        guard !reader.failed else { return nil }
        statement.findType(table)
        return statement
    }
}
