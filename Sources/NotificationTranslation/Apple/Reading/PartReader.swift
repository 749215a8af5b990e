/// The parts of a payload: its transaction, its renewal and its app transaction.
enum PartKind {
    case transaction, renewal, appTransaction
}

/// Where objects are that take the place of a JWS, in one object.
struct PartPlaces {
    var transaction: JSONWalker.Place?
    var renewal: JSONWalker.Place?
    var appTransaction: JSONWalker.Place?
    /// The same under names of others.
    var named: [NamedPart] = []

    var isEmpty: Bool { transaction == nil && renewal == nil && appTransaction == nil }

    /// Takes in the place of an object that is under one of their keys in the outermost object.
    mutating func take(_ slot: Int, _ place: JSONWalker.Place) {
        switch V1Keys.Root(rawValue: slot) {
        case .v2TransactionInfo?, .v2SignedTransactionInfo?: transaction = transaction ?? place
        case .v2RenewalInfo?, .v2SignedRenewalInfo?: renewal = renewal ?? place
        case .v2AppTransactionInfo?, .v2SignedAppTransactionInfo?: appTransaction = appTransaction ?? place
        default: break
        }
    }
}

/// A value under a name that somebody else gave to a part.
struct NamedPart {
    var kind: PartKind
    var key: String
    /// The text, or where the object begins.
    var text: JSONText
    var place: JSONWalker.Place?

    /// Words that are put around the names of the parts.
    private static let words = ["signed", "decoded", "info", "payload", "jws"]

    /// A member of an object; `nil` if its key, but for case, underscores and those words, is not a part's.
    init?(
        _ key: JSONText, _ valueKind: JSONWalker.Kind, _ text: JSONText, _ place: JSONWalker.Place?,
        _ memory: UnsafeRawPointer
    ) {
        guard valueKind == .object || valueKind == .string, key.count >= 7 else { return nil }
        self.key = TextView(memory: memory).string(key)
        guard let kind = Self.kind(self.key) else { return nil }
        self.kind = kind
        self.text = text
        self.place = valueKind == .object ? place : nil
    }

    static func kind(_ key: String) -> PartKind? {
        let name = words.reduce(key.lowercased().filter { $0 != "_" }) { $0.replacing($1, with: "") }
        return ["transaction": .transaction, "renewal": .renewal, "apptransaction": .appTransaction][name]
    }
}

/// Reads the parts of a payload, wherever they are.
final class PartReader {
    /// Where one part may be: texts first, as they may be signed, then objects; only then what others named so.
    struct Places {
        var texts: [JSONText]
        var objects: [JSONWalker.Place?]
        var named: [NamedPart]
    }

    /// What was read of one part.
    struct Part {
        var table: TextTable
        var memory: UnsafeRawPointer
        /// The JSON text of the whole object, for ``V2Details``.
        var text: [UInt8]
        /// The name that another gave to it.
        var key: String?
    }

    /// What is at the places of a part.
    struct Reading {
        var part: Part?
        /// What is not in the shape that Apple sends.
        var oddities: BodyOddities = []
        /// Whether something is there that cannot be read, and nothing that can.
        var isUnreadable = false
        /// Whether a signed text was blanked or cut, and what was beside it was read.
        var isLost = false
        /// Whether two places state the part differently.
        var differs = false
    }

    private var scanner = JSONScanner()
    /// A transaction or an app transaction, of which a payload has one, and a renewal.
    private let buffers = [OutputBuffer(capacity: 1024), OutputBuffer(capacity: 1024)]

    func keys(_ kind: PartKind) -> KeyTable {
        switch kind {
        case .transaction: V2Keys.transaction
        case .renewal: V2Keys.renewal
        case .appTransaction: V2Keys.appTransaction
        }
    }

    /// Reads the first of a part's places that can be read; the others are compared with it.
    func read(_ kind: PartKind, _ places: Places, _ walker: inout JSONWalker) throws(JSONFault) -> Reading {
        var reading = try readOwn(kind, places, &walker)
        for named in places.named where named.kind == kind && reading.part == nil {
            if let place = named.place {
                walker.go(to: place)
                guard let table = try row(keys(kind), isOwn: false, &walker, &reading), namesAnything(table) else {
                    continue
                }
                let text = Self.text(from: place, to: walker.at, walker.memory)
                reading.part = Part(table: table, memory: walker.memory, text: text, key: named.key)
            } else if var part = readText(named.text, walker.memory, kind, &reading) {
                part.key = named.key
                reading.part = part
            } else if TextView(memory: walker.memory).holdsJSON(named.text) {
                reading.isUnreadable = true
            }
        }
        return reading
    }

    /// The same of the places under Apple's names.
    private func readOwn(
        _ kind: PartKind, _ places: Places, _ walker: inout JSONWalker
    ) throws(JSONFault) -> Reading {
        var reading = Reading()
        var isLost = false
        for text in places.texts where !text.isAbsent && reading.part == nil {
            reading.part = readText(text, walker.memory, kind, &reading)
            if reading.part == nil { isLost = true }
        }
        if reading.part != nil { isLost = false }
        for case let place? in places.objects {
            walker.go(to: place)
            guard let table = try row(keys(kind), isOwn: true, &walker, &reading) else { continue }
            if let part = reading.part {
                if differ((part.table, part.memory), (table, walker.memory), kind) { reading.differs = true }
            } else {
                let text = Self.text(from: place, to: walker.at, walker.memory)
                reading.part = Part(table: table, memory: walker.memory, text: text)
            }
        }
        if isLost {
            reading.isLost = reading.part != nil
            reading.isUnreadable = reading.part == nil && places.texts.contains { !$0.isBlank }
        }
        return reading
    }

    /// Decodes a JWS inside the payload, or JSON in a text, into memory of its own; `nil` if it cannot be read.
    private func readText(
        _ text: JSONText, _ memory: UnsafeRawPointer, _ kind: PartKind, _ reading: inout Reading
    ) -> Part? {
        let keys = keys(kind)
        var table = TextTable(width: keys.count, rows: 1)
        let part = buffers[kind == .renewal ? 1 : 0]
        part.removeAll()
        let isRead = text.withCharacters(in: memory) { characters in
            if TextView(memory: memory).holdsJSON(text) {
                part.append(characters)
                return true
            }
            return SignedPayload(characters).map { SignedPayload.decode($0.payload, into: part) } ?? false
        }
        guard isRead else { return nil }
        let length = part.count
        part.reserve(JSONScanner.slack)
        let decoded = UnsafeRawPointer(part.memory)
        scanner.scan(decoded, from: 0, to: length, stopsAtLineFeed: false)
        do throws(JSONFault) {
            if let fault = scanner.fault { throw fault }
            var walker = scanner.walker(decoded)
            guard try walker.root().kind == .object else { throw JSONFault(code: .syntax, offset: 0) }
            var found: BodyOddities = []
            var empty = true
            try table.addRow { (row) throws(JSONFault) in
                try V1Fields.takeScalars(&walker, keys, into: row, &found, &empty)
            }
            reading.oddities.formUnion(found.intersection(.misplaced))
            try walker.finish()
        } catch {
            return nil
        }
        return Part(table: table, memory: decoded, text: Array(part.bytes))
    }

    /// The text of an object that begins at a place and ends before an index.
    static func text(from place: JSONWalker.Place, to end: Int, _ memory: UnsafeRawPointer) -> [UInt8] {
        Array(UnsafeRawBufferPointer(start: memory + place.at, count: max(0, end - place.at)))
    }

    /// The scalars of the object that `walker` is before; `nil` if there are none.
    func row(
        _ keys: KeyTable, isOwn: Bool, _ walker: inout JSONWalker, _ reading: inout Reading
    ) throws(JSONFault) -> TextTable? {
        let start = walker.place
        var table = TextTable(width: keys.count, rows: 1)
        var found: BodyOddities = []
        var empty = true
        try table.addRow { (row) throws(JSONFault) in
            try V1Fields.takeScalars(&walker, keys, into: row, &found, &empty)
        }
        if !namesAnything(table) { try found.formUnion(unnamed(start, keys, isLost: isOwn && empty, &walker)) }
        reading.oddities.formUnion(found)
        return empty ? nil : table
    }

    /// Whether a part has an id or a product, as every one of Apple's has, or what it says at once after these.
    private func namesAnything(_ table: TextTable) -> Bool {
        (0..<min(5, table.width)).contains { !table[0, $0].isBlank }
    }

    /// Why an object may name nothing: its keys are in another case, or its values in types of a database.
    private func unnamed(
        _ start: JSONWalker.Place, _ keys: KeyTable, isLost: Bool, _ walker: inout JSONWalker
    ) throws(JSONFault) -> BodyOddities {
        let past = walker.place
        defer { walker.go(to: past) }
        walker.go(to: start)
        if try TypedValues.isWrapping(&walker) { return .typedValues }
        walker.go(to: start)
        var found: BodyOddities = []
        var object = try walker.enterObject()
        while let member = try walker.nextMember(of: &object, known: keys) {
            if member.slot < 0, member.value.kind != .null {
                if isLost { found.insert(.misplaced) }
                let key = KeyLog.characters(member.key, walker.memory)
                if keys.holds(BodyReshaper.camelCase(key)) { found.insert(.partsInSnakeCase) }
            }
            try walker.skip(member.value)
        }
        return found
    }

    /// Whether two places state something differently that both state.
    private func differ(
        _ one: (table: TextTable, memory: UnsafeRawPointer), _ other: (table: TextTable, memory: UnsafeRawPointer),
        _ kind: PartKind
    ) -> Bool {
        let (view, otherView) = (TextView(memory: one.memory), TextView(memory: other.memory))
        let (left, right) = (stated(one.table, kind, view), stated(other.table, kind, otherView))
        return (0..<left.width).contains { slot in
            let (text, otherText) = (left[0, slot], right[0, slot])
            guard !text.isBlank, !otherText.isBlank else { return false }
            if view.string(text) == otherView.string(otherText) { return false }
            if let value = view.instant(text) ?? view.integer(text) {
                return value != otherView.instant(otherText) ?? otherView.integer(otherText)
            }
            if let value = view.truth(text) { return value != otherView.truth(otherText) }
            return true
        }
    }

    /// What a part states, without the zero values that count as absent.
    private func stated(_ part: TextTable, _ kind: PartKind, _ view: TextView) -> TextTable {
        var table = part
        switch kind {
        case .transaction: V2Fields.clearZeros(ofTransaction: &table, view)
        case .renewal: V2Fields.clearZeros(ofRenewal: &table, view)
        case .appTransaction: table.clearZeros(0, Array(0..<table.width), view)
        }
        return table
    }
}
