/// Ids on their way: their texts wait here until there are four to be hashed at once, and each id is then put where
/// room was left for it.
struct EventIDBatch {
    /// An id to come.
    private struct Waiting {
        /// Where its text begins in `texts`.
        var start: Int
        /// Blocks of its text.
        var blocks: Int
        /// Where it belongs in the event lines.
        var place: Int
        /// Where it belongs in the evidence; `nil` where none is kept.
        var evidencePlace: Int?
    }

    /// The texts, each with its padding; a new one is appended here before ``add(from:place:evidencePlace:)``.
    let texts = OutputBuffer(capacity: 2048)
    private var waiting: [Waiting] = []

    init() {
        waiting.reserveCapacity(4)
    }

    /// Whether it is time to ``settle(in:isSpilled:)``.
    var isFull: Bool { waiting.count == 4 }

    /// Takes in the text that begins at `start`.
    mutating func add(from start: Int, place: Int, evidencePlace: Int?) {
        let blocks = HashMessage.pad(texts, from: start)
        waiting.append(Waiting(start: start, blocks: blocks, place: place, evidencePlace: evidencePlace))
    }

    /// Writes every waiting id to its place in the output.
    mutating func settle(in output: inout ChunkOutput, isSpilled: Bool) {
        guard let last = waiting.indices.last, let memory = texts.bytes.baseAddress else { return }
        func message(_ lane: Int) -> HashMessage {
            let item = waiting[min(lane, last)]
            return HashMessage(start: memory + item.start, blocks: item.blocks)
        }
        let digests = SHA1(message(0), message(1), message(2), message(3))
        for (lane, item) in waiting.enumerated() {
            let id = EventID(digest: digests.prefix(lane))
            if isSpilled {
                Self.put(id, at: item.place, in: output.bytes)
            } else {
                output.bytes.overwrite(at: item.place, count: 38) { id.write(to: $0 + 1) }
            }
            if let place = item.evidencePlace { Self.put(id, at: place, in: output.evidence) }
        }
        texts.removeAll()
        waiting.removeAll(keepingCapacity: true)
    }

    /// Writes the sixteen bytes of an id over others.
    private static func put(_ id: EventID, at position: Int, in output: OutputBuffer) {
        output.overwrite(at: position, count: 16) { target in
            target.storeBytes(of: id.high.bigEndian, as: UInt64.self)
            target.storeBytes(of: id.low.bigEndian, toByteOffset: 8, as: UInt64.self)
        }
    }
}
