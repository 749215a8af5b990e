extension ReportTally {
    /// Everything in bytes, as base64 without padding, for a checkpoint; read by the same build only.
    package var text: String {
        let output = OutputBuffer(capacity: 16 * 1024)
        output.append(varint: UInt64(events))
        names.append(to: output)
        inputs.append(to: output)
        for table in [moments, flows, sources, days] { table.append(to: output) }
        for count in lateness + flags { output.append(varint: UInt64(count)) }
        for examples in [flagExamples, codeExamples, skipExamples.map { Example(of: 0, place: $0) }] {
            output.append(varint: UInt64(examples.count))
            for example in examples {
                output.append(varint: UInt64(example.of))
                output.append(varint: UInt64(example.place.input))
                output.append(signed: example.place.line)
            }
        }
        return StrictBase64.encoded(url: Array(output.bytes))
    }

    /// Reads what ``text`` gave; `nil` for anything else.
    package init?(text: String) {
        guard let bytes = StrictBase64.decoded(url: Array(text.utf8)) else { return nil }
        self.init()
        let isWhole = bytes.withUnsafeBytes { memory in
            var reader = ByteReader(memory)
            read(&reader)
            return !reader.failed && reader.isAtEnd
        }
        guard isWhole else { return nil }
    }

    private mutating func read(_ reader: inout ByteReader) {
        events = Int(truncatingIfNeeded: reader.varint())
        names.read(&reader)
        inputs.read(&reader)
        moments.read(&reader)
        flows.read(&reader)
        sources.read(&reader)
        days.read(&reader)
        for place in lateness.indices { lateness[place] = Int(truncatingIfNeeded: reader.varint()) }
        for flag in flags.indices { flags[flag] = Int(truncatingIfNeeded: reader.varint()) }
        for example in Self.examples(&reader) { addFlagExample(example.of, example.place) }
        codeExamples = Self.examples(&reader)
        skipExamples = Self.examples(&reader).map(\.place)
    }

    private static func examples(_ reader: inout ByteReader) -> [Example] {
        var examples: [Example] = []
        for _ in 0..<reader.count() where !reader.failed {
            let of = Int(truncatingIfNeeded: reader.varint())
            let input = Int(truncatingIfNeeded: reader.varint())
            examples.append(Example(of: of, place: Place(input: input, line: reader.signed())))
        }
        return examples
    }
}
