import NotificationTranslation
import Testing

@testable import NotificationArchives

@Suite("Concatenated documents") struct DocumentTests {
    /// Archives that are no row of lines, and what they are made of: `start+length`, or the fault's code before it.
    static let samples: [Sample<[String]>] = [
        Sample("array on one line", #"[{"a":1},{"b":[2]}]"#, ["1+7", "9+9"]),
        Sample("array over lines", "[\n {\"a\":1} ,\r\n\t{\"b\":{}}\n]\n", ["3+7", "15+8"]),
        Sample("empty array", " [ ] ", []),
        Sample("strings with brackets", #"{"a":"}{\"]\\"}{"b":"\\\\"}"#, ["0+15", "15+12"]),
        Sample("array of strings", #"["{\"a\":1}" , "x"]"#, ["1+11", "15+3"]),
        Sample("documents", "{\n\"a\":1\n}\n{\"b\":2}{\"c\":3}", ["0+9", "10+7", "17+7"]),
        Sample("two arrays", "[{}][{},{}]", ["1+2", "5+2", "8+2"]),
        Sample("signed payloads", "eyJh.b.c\neyJk.l.m", ["0+8", "9+8"]),
        Sample("text between documents", "env: x \n{\"a\":1}\n\ny\n", ["0+6", "8+7", "17+1"]),
        Sample("numbers in an array", "[1, null ,[2]]", ["1+1", "4+4", "10+3"]),
        Sample("trailing comma", "[{},]", ["1+2", "array.separator 4+1"]),
        Sample("commas in a row", "[{},, ,{}]", ["1+2", "array.separator 4+1", "7+2"]),
        Sample("comma missing", "[{} {}]", ["1+2", "array.separator 4+0", "4+2"]),
        Sample("array not closed", "[{},{}", ["1+2", "4+2", "array.unclosed 6+0"]),
        Sample("element cut off", #"[{},{"a":"b"#, ["1+2", "4+7"]),
        Sample("brace missing", #"[{"a":{"b":1},{"c":2}]"#, ["1+12", "14+7"]),
        Sample("brace missing in documents", "{\"a\":{}\n{\"b\":1}\n", ["0+7", "8+7"]),
        Sample("bracket instead of brace", #"[{"a":1],{"b":2}]"#, ["1+6", "8+1", "9+7", "16+1"]),
        Sample("string cut off by a line end", "{\"a\":\"b\n{\"c\":1}", ["0+7", "8+7"]),
        Sample("string cut off on one line", #"{"a":"b{"c":1}{"d":2}"#, ["0+7", "7+7", "14+7"]),
        Sample("string cut off before a space", #"{"a":"b { "c":1}{"d":2}"#, ["0+8", "8+8", "16+7"]),
        Sample("string cut off in an array", #"[{"a":"b},{"c":1},{}]"#, ["1+9", "10+7", "18+2"]),
        Sample("string document cut off", "[\"a\n,{}]", ["1+2", "5+2"]),
        Sample(
            "record too long",
            "[{},{\"a\":\"0123456789012345678901234567890123456789\"},{}]", ["1+2", "record.too-long 4+48", "53+2"]),
        Sample("deep", String(repeating: "[", count: 20) + String(repeating: "]", count: 20) + "{}", ["1+38", "40+2"]),
    ]

    /// What is found when the sample comes in pieces of one size, buffered as the cutter does it.
    private func items(of text: String, pieces: Int) throws -> [String] {
        let workspace = try Workspace(["a": text])
        let stream = try ByteStream(InputFile(path: workspace.path("a")))
        let cutter = Self.cutter(stream, longestRecord: 40, chunkSize: pieces)
        let chunk = Chunk(capacity: pieces)
        var found: [String] = []
        while try cutter.fill(chunk) {
            for item in chunk.items {
                switch item {
                case .lines(let range): found.append("lines \(range.count)")
                case .heading: found.append("heading")
                case .record(let range): found.append("\(chunk.offset + Int64(range.lowerBound))+\(range.count)")
                case .fault(let fault, let offset, let length): found.append("\(fault.code) \(offset)+\(length)")
                }
            }
            #expect(chunk.inputBytes > 0 || cutter.reachedEnd)
        }
        return found
    }

    private static func cutter(_ stream: ByteStream, longestRecord: Int, chunkSize: Int) -> InputCutter {
        var request = ConversionRequest(records: .init())
        (request.longestRecord, request.chunkSize) = (longestRecord, chunkSize)
        return InputCutter(stream, .documents, request)
    }

    @Test("Records are the same wherever the input is cut", arguments: samples)
    func recordsAreTheSameWhereverTheInputIsCut(_ sample: Sample<[String]>) throws {
        for pieces in 1...60 {
            let found = try items(of: sample.text, pieces: pieces)
            #expect(found == sample.expected, "in pieces of \(pieces)")
        }
    }

    @Test("Arrays and documents give the same events as any chunking", arguments: [1, 3, 50, 1 << 20], [1, 8])
    func arraysAndDocumentsGiveTheSameEventsAsAnyChunking(chunkSize: Int, jobs: Int) throws {
        let workspace = try Workspace()
        let bodies = (1...9).map { $0 % 2 == 0 ? Body.cancel($0) : Body.pretty($0) }
        try workspace.write("[" + bodies.joined(separator: ",\n") + "]", to: "array")
        try workspace.write(bodies.joined(separator: "\n"), to: "documents")
        let plain = try Trial(["array", "documents"], in: workspace)
        let other = try Trial(["array", "documents"], in: workspace, asking(chunkSize, jobs: jobs))
        #expect(plain.tally.converted == 18)
        #expect(plain.places.prefix(2) == ["1@1", "2@\(Body.pretty(1).utf8.count + 3)"])
        #expect(plain.places[9].hasPrefix("1@0"))
        #expect(other.events == plain.events)
        #expect(other.tally == plain.tally)
    }

    @Test("Garbage without end never grows a chunk beyond the limit")
    func garbageWithoutEndNeverGrowsAChunkBeyondTheLimit() throws {
        let workspace = try Workspace(["a": "[{\"a\":\"" + String(repeating: "x", count: 200_000)])
        let stream = try ByteStream(InputFile(path: workspace.path("a")))
        let cutter = Self.cutter(stream, longestRecord: 1000, chunkSize: 100)
        let chunk = Chunk(capacity: 100)
        #expect(try cutter.fill(chunk))
        #expect(chunk.items == [.fault(.tooLong, offset: 1, length: 200_006)])
        #expect(chunk.capacity <= 1002)
    }
}
