import Testing

@testable import NotificationArchives
@testable import NotificationTranslation

/// What the batch converter makes of some records: event lines, and what became of each record.
struct Conversion {
    private(set) var lines: [String] = []
    /// One for each notification or record, in order: an event line's gist, `skipped`, or `rejected:<code>`.
    private(set) var outcomes: [Outcome] = []

    private(set) var tally = Tally()
    /// Times without a zone that were read as UTC.
    var zonelessTimes: Int { tally.zoneless }
    /// Skipped records that show signs of a notification.
    var signs: Int { tally.signs }
    /// Why each record that was skipped was.
    private(set) var reasons: [SkipReason] = []

    /// The first event.
    var event: JSONTree { get throws { try JSONTree(Array(try #require(lines.first).utf8)) } }

    /// The code of each reject, `event` for an event and `skipped` for a skip.
    var codes: [String] {
        outcomes.map { outcome in
            switch outcome {
            case .event: "event"
            case .skipped: "skipped"
            case .rejected(let code): code
            }
        }
    }

    enum Outcome {
        case event(String)
        case skipped
        case rejected(code: String)
    }

    /// Converts one record, given as a text.
    init(of record: some StringProtocol, as shape: EventShape.Kind = .events, policy: TrustPolicy = .trustingTheSource)
    {
        self.init(document: Array(record.utf8), as: shape, policy: policy)
    }

    /// Converts one record that may hold line ends.
    init(document: [UInt8], as shape: EventShape.Kind = .events, policy: TrustPolicy = .trustingTheSource) {
        var options = RecordConverter.Options()
        options.shape.kind = shape
        run(document, RecordConverter(options: options, policy: policy)) { converter, chunk in
            converter.convertDocument(in: chunk, range: 0..<chunk.count)
        }
    }

    /// Converts every line as a record of its own.
    init(lines bytes: [UInt8], of input: String = "fixture", from offset: Int64 = 0) {
        for line in bytes.split(separator: 0x0A) {
            let converter = RecordConverter(options: .init(), policy: .trustingTheSource)
            run(Array(line), converter, input, offset) { converter, chunk in
                _ = converter.convertLine(of: chunk, from: 0)
            }
        }
    }

    private mutating func run(
        _ record: [UInt8], _ converter: RecordConverter, _ input: String = "fixture", _ offset: Int64 = 0,
        _ convert: (RecordConverter, UnsafeRawBufferPointer) -> Void
    ) {
        converter.begin(input: input, offset: offset)
        let padded = record + [UInt8](repeating: 0, count: RecordConverter.slack)
        padded.withUnsafeBytes { bytes in
            convert(converter, UnsafeRawBufferPointer(rebasing: bytes[..<record.count]))
        }
        let output = converter.output
        let made = output.bytes.bytes.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
        lines += made
        tally.add(output.tally)
        reasons += output.tally.skipReasons.flatMap { Array(repeating: $0.reason, count: $0.count) }
        outcomes += made.map(Outcome.event)
        outcomes += Array(repeating: .skipped, count: output.tally.skipped)
        outcomes += output.rejects.map { .rejected(code: $0.code) }
    }

    /// `TYPE/SUBTYPE` of a pair object of an event; `companion` if both are null.
    static func pair(_ tree: JSONTree) -> String {
        guard let type = tree["type"]?.string else { return "companion" }
        return type + "/" + (tree["subtype"]?.string ?? "")
    }
}

extension JSONTree {
    /// The flags of an event.
    var flags: [String] { (self["flags"]?.elements ?? []).compactMap(\.string) }
}
