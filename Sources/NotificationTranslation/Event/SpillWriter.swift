/// Writes the fields of a ``SpilledEvent``.
struct SpillWriter: EventVisitor {
    private let output: OutputBuffer
    private let names: EventNames
    private let marksLine: Bool
    /// The position of the line number in the output.
    private(set) var linePosition: Int?

    init(_ output: OutputBuffer, _ names: EventNames, marksLine: Bool) {
        self.output = output
        self.names = names
        self.marksLine = marksLine
    }

    @inline(__always)
    private func value(_ text: EventText) {
        let count = text.bytes.count
        guard let start = text.bytes.baseAddress else { return output.append(0) }
        guard count <= 252, !text.hasEscapes else { return long(text) }
        output.append(count: count + 1) { target in
            target.storeBytes(of: UInt8(truncatingIfNeeded: count + 1), as: UInt8.self)
            (target + 1).copyMemory(from: start, byteCount: count)
        }
    }

    private func long(_ text: EventText) {
        output.append(254)
        output.append(count: 4) { $0.storeBytes(of: text.measure.littleEndian, as: UInt32.self) }
        output.append(text.bytes)
    }

    private func value(_ pair: EventDraft.Pair) {
        value(pair.type)
        value(pair.subtype)
    }

    private func count(_ count: Int) {
        output.append(count: 4) { $0.storeBytes(of: UInt32(truncatingIfNeeded: count).littleEndian, as: UInt32.self) }
    }

    @inline(__always)
    mutating func text(_ key: StaticString, _ text: inout EventText) { value(text) }

    mutating func id(_ key: StaticString, _ id: inout EventDraft.ID) {
        switch id {
        case .text(let text):
            output.append(0)
            value(text)
        case .uuid(let id):
            output.append(1)
            output.append(id)
        }
    }

    @inline(__always)
    mutating func word<Word: EventWord>(_ key: StaticString, _ word: inout Word) { output.append(word.place) }

    @inline(__always)
    mutating func time(_ key: StaticString, _ time: inout Int64?) { number(key, &time) }

    @inline(__always)
    mutating func milliseconds(_ key: StaticString, _ time: inout Int64?) {}

    @inline(__always)
    mutating func number(_ key: StaticString, _ number: inout Int64?) {
        guard let number else { return output.append(0) }
        output.append(count: 9) { target in
            target.storeBytes(of: 1, as: UInt8.self)
            target.storeBytes(of: number.littleEndian, toByteOffset: 1, as: Int64.self)
        }
    }

    mutating func line(_ key: StaticString, _ number: inout Int64?) {
        linePosition = output.count
        if marksLine { return }
        output.append(count: SpilledEvent.lineSize) { [number] in
            $0.storeBytes(of: (number ?? 0).littleEndian, as: Int64.self)
        }
    }

    @inline(__always)
    mutating func truth(_ key: StaticString, _ truth: inout Bool?) {
        output.append(truth.map { $0 ? 2 : 1 } ?? 0)
    }

    mutating func appID(_ key: StaticString, _ app: inout EventDraft.AppID) {
        value(app.text)
        number(key, &app.number)
    }

    mutating func pair(_ key: StaticString, _ pair: inout EventDraft.Pair) { value(pair) }

    mutating func pairs(_ key: StaticString, _ candidates: inout EventDraft.Candidates) {
        if candidates.pairs.isEmpty, let decision = candidates.decision {
            count(decision.candidates.count)
            for candidate in decision.candidates { value(names.pair(candidate)) }
        } else {
            count(candidates.pairs.count)
            for pair in candidates.pairs { value(pair) }
        }
    }

    mutating func flags(_ key: StaticString, _ flags: inout EventDraft.Flags) {
        output.append(flags: flags.known)
        texts(key, &flags.named)
    }

    mutating func texts(_ key: StaticString, _ texts: inout [EventText]) {
        count(texts.count)
        for text in texts { value(text) }
    }

    mutating func document(_ key: StaticString, _ document: inout [UInt8]) {
        count(document.count)
        document.withUnsafeBytes { output.append($0) }
    }

    mutating func begin(_ key: StaticString) {}

    mutating func begin(_ key: StaticString, _ isThere: inout Bool) -> Bool {
        output.append(isThere ? 1 : 0)
        return isThere
    }

    @inline(__always)
    mutating func begin(_ key: StaticString, _ presence: inout Presence) -> Bool {
        output.append(presence.rawValue)
        return presence == .found
    }

    mutating func end() {}
}
