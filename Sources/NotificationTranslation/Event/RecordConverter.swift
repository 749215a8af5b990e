/// Turns records of an archive into event lines; one for each worker, used again and again.
package struct RecordConverter {
    package init(options: Options) {}

    /// How records are read and what is written.
    package struct Options: Sendable, Hashable {
        /// JSON pointer of the place of the notification in each record; `nil` finds it by itself, empty means the record is the body.
        package var envelope: String?

        package init(envelope: String? = nil) {
            self.envelope = envelope
        }
    }

    /// Where a chunk stands in its input.
    package struct ChunkPlace: Sendable {
        /// The input's name as given by the caller (`-` for standard input).
        package var input: String
        /// Byte offset of the chunk's first byte in the uncompressed input.
        package var offset: Int64

        package init(input: String, offset: Int64) {
            self.input = input
            self.offset = offset
        }
    }

    /// How many bytes behind the end of a chunk must be readable (their values do not matter).
    package static let slack = 64

    /// Converts the line that begins at `start`, whatever it holds, and returns the index behind its LF.
    ///
    /// A line ends with LF, CRLF or the end of the chunk. Blank lines are no records. Exactly one line is counted in
    /// `output.lines`.
    ///
    /// - Parameter chunk: Whole lines, followed by ``slack`` readable bytes.
    package mutating func convertLine(
        of chunk: UnsafeRawBufferPointer,
        from start: Int,
        place: ChunkPlace,
        into output: inout ChunkOutput
    ) -> Int {
        var end = start
        while end < chunk.count, chunk[end] != 0x0A { end += 1 }
        convertDocument(in: chunk, range: start..<end, place: place, into: &output)
        return min(end + 1, chunk.count)
    }

    /// Converts one record that may hold line ends: an element of a JSON array or one of several documents in a row.
    ///
    /// Exactly one line is counted in `output.lines`.
    package mutating func convertDocument(
        in chunk: UnsafeRawBufferPointer,
        range: Range<Int>,
        place: ChunkPlace,
        into output: inout ChunkOutput
    ) {
        defer { output.lines += 1 }
        guard !range.isEmpty else { return }
        output.tally.records += 1
        if chunk[range.lowerBound] == 0x7B {
            output.tally.converted += 1
            output.bytes.append("{\"line\":")
            output.lineMarks.append(.init(position: output.bytes.count, line: output.lines))
            output.bytes.append(",\"offset\":")
            output.bytes.append(decimal: place.offset + Int64(range.lowerBound))
            output.bytes.append("}\n")
        } else {
            output.tally.rejected += 1
            output.rejects.append(
                Reject(
                    line: output.lines,
                    offset: place.offset + Int64(range.lowerBound),
                    length: range.count,
                    code: "json.syntax",
                    path: "",
                    column: 0,
                    message: "not a JSON object"
                )
            )
        }
    }
}
