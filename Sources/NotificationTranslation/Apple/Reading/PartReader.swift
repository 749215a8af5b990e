extension SignedPayloadKind {
    /// The keys of such a payload.
    var keys: KeyTable {
        switch self {
        case .notification: V1Keys.root
        case .transaction: V2Keys.transaction
        case .renewal: V2Keys.renewal
        case .appTransaction: V2Keys.appTransaction
        }
    }
}

/// A value that may be a part of a payload: an object under Apple's name, or what somebody else named so.
struct PartPlace {
    var kind: SignedPayloadKind
    /// The name that somebody else gave to it; `nil` for Apple's.
    var key: String?
    var value: JSONTree

    /// Words that are put around the names of the parts.
    private static let words = ["signed", "decoded", "info", "payload", "jws"]

    /// The part that a key names, ignoring case, underscores and those words; `nil` if it names none.
    static func kind(_ key: String) -> SignedPayloadKind? {
        let name = words.reduce(key.lowercased().utf8.filter { $0 != UInt8(ascii: "_") }) { name, word in
            var (rest, at) = ([UInt8](), 0)
            while at < name.count {
                let isWord = name[at...].starts(with: word.utf8)
                if !isWord { rest.append(name[at]) }
                at += isWord ? word.utf8.count : 1
            }
            return rest
        }
        let kinds: KeyValuePairs = [
            "transaction": SignedPayloadKind.transaction, "renewal": .renewal, "apptransaction": .appTransaction,
        ]
        return kinds.first { $0.key.utf8.elementsEqual(name) }?.value
    }

    /// Those among the members of an object; only such values under names of others as are accepted.
    static func all(
        in object: JSONTree, known keys: KeyTable, others accepts: (JSONTree) -> Bool = { _ in true }
    ) -> [PartPlace] {
        object.pairs.compactMap { key, value in
            let isOwn = key.slot(in: keys) >= 0
            let isPart = value.kind == .object || value.kind == .string && !isOwn
            guard isPart, isOwn || accepts(value), key.range.count >= 7, let kind = kind(key.characters) else {
                return nil
            }
            return PartPlace(kind: kind, key: isOwn ? nil : key.characters, value: value)
        }
    }
}

/// Reads the parts of a payload, wherever they are.
final class PartReader {
    struct Part {
        var table: TextTable
        var object: JSONTree
        /// The name that another gave to it.
        var key: String?

        var fields: V2Fields.Part { V2Fields.Part(table: table, view: TextView(memory: object.memory)) }
    }

    /// What judges signed parts, and what the payload around them says of itself; `nil` where its signature was judged.
    var judging: (policy: TrustPolicy, around: PayloadClaims.Identity)? {
        didSet { refusal = nil }
    }
    /// Why a signed part must not be used.
    private(set) var refusal: AuthenticityError?
    /// A transaction or an app transaction, of which a payload has one, and a renewal.
    private let buffers = [OutputBuffer(capacity: 1024), OutputBuffer(capacity: 1024)]

    /// Reads the first of a part's places that can be read; the others under Apple's names are compared with it.
    ///
    /// Texts under Apple's names come first, as they may be signed; then objects, and only then what others named so. The
    /// fields are updated where a part cannot be read, was lost, or differs between two places.
    ///
    /// - Throws: `json.number-overflow`.
    func read(
        _ kind: SignedPayloadKind, _ texts: [JSONText], _ memory: UnsafeRawPointer, _ places: [[PartPlace]],
        _ fields: inout V2Fields, _ oddities: inout BodyOddities
    ) throws(JSONFault) -> Part? {
        var part: Part?
        for text in texts where !text.isAbsent && part == nil { part = readText(text, memory, kind, &oddities) }
        let isLost = part == nil && texts.contains { !$0.isAbsent }
        for case let place? in places.map({ $0.first { $0.kind == kind && $0.key == nil } }) {
            guard let table = try row(kind, place.value, isOwn: true, &oddities) else { continue }
            let other = Part(table: table, object: place.value)
            if let part, differ(part, other, kind) { fields.placesDisagree = true }
            part = part ?? other
        }
        if isLost, part != nil { fields.hasLostSignedText = true }
        if isLost, part == nil, texts.contains(where: { !$0.isBlank }) { fields.hasUnreadablePart = true }
        for place in places.joined() where place.kind == kind && place.key != nil && part == nil {
            if place.value.kind == .object {
                guard let table = try row(kind, place.value, isOwn: false, &oddities), namesAnything(table) else {
                    continue
                }
                part = Part(table: table, object: place.value, key: place.key)
            } else if let found = readText(place.value.range, memory, kind, &oddities) {
                part = Part(table: found.table, object: found.object, key: place.key)
            } else if TextView(memory: memory).holdsJSON(place.value.range) {
                fields.hasUnreadablePart = true
            }
        }
        return part
    }

    /// Decodes a JWS inside the payload, or JSON in a text, into memory of its own; `nil` if it cannot be read.
    private func readText(
        _ text: JSONText, _ memory: UnsafeRawPointer, _ kind: SignedPayloadKind, _ found: inout BodyOddities
    ) -> Part? {
        let buffer = buffers[kind == .renewal ? 1 : 0]
        buffer.removeAll()
        let isRead = text.withCharacters(in: memory) { characters in
            if TextView(memory: memory).holdsJSON(text) {
                buffer.append(characters)
                return true
            }
            guard let signed = SignedPayload(characters), SignedPayload.decode(signed.payload, into: buffer) else {
                return false
            }
            judge(characters, kind)
            return true
        }
        guard isRead else { return nil }
        buffer.reserve(JSONScanner.slack)
        let object = try? JSONTree(UnsafeRawPointer(buffer.memory), 0..<buffer.count)
        guard let object, object.kind == .object, let (table, oddities) = try? TextTable.row(of: object, kind.keys)
        else { return nil }
        found.formUnion(oddities.intersection(.misplaced))
        return Part(table: table, object: object)
    }

    private func judge(_ text: UnsafeRawBufferPointer, _ kind: SignedPayloadKind) {
        guard let (policy, around) = judging else { return }
        do throws(AuthenticityError) {
            _ = try policy.payload(ofSignedAnswer: text, as: kind, in: around)
        } catch {
            refusal = refusal ?? error.inside(kind.key)
        }
    }

    /// The scalars of an object; `nil` if there are none.
    func row(
        _ kind: SignedPayloadKind, _ object: JSONTree, isOwn: Bool, _ found: inout BodyOddities
    ) throws(JSONFault) -> TextTable? {
        let (table, oddities) = try TextTable.row(of: object, kind.keys)
        let isEmpty = (0..<table.width).allSatisfy { table[0, $0].isAbsent }
        found.formUnion(oddities)
        if !namesAnything(table) { found.formUnion(unnamed(object, kind.keys, isLost: isOwn && isEmpty)) }
        return isEmpty ? nil : table
    }

    /// Whether a part has an id or a product, as every one of Apple's has, or what it says at once after these.
    private func namesAnything(_ table: TextTable) -> Bool {
        (0..<min(5, table.width)).contains { !table[0, $0].isBlank }
    }

    /// Why an object may name nothing: its keys are in another case, or its values in types of a database.
    private func unnamed(_ object: JSONTree, _ keys: KeyTable, isLost: Bool) -> BodyOddities {
        if TypedValues.isWrapping(object) { return .typedValues }
        var found: BodyOddities = []
        for (key, value) in object.pairs where key.slot(in: keys) < 0 && value.kind != .null {
            if isLost { found.insert(.misplaced) }
            if key.withCharacters({ keys.holds(BodyReshaper.camelCase(Array($0))) }) { found.insert(.partsInSnakeCase) }
        }
        return found
    }

    /// Whether two places state something differently that both state.
    private func differ(_ one: Part, _ other: Part, _ kind: SignedPayloadKind) -> Bool {
        let (view, otherView) = (TextView(memory: one.object.memory), TextView(memory: other.object.memory))
        var (left, right) = (one.table, other.table)
        left.clearZeros(of: kind, view)
        right.clearZeros(of: kind, otherView)
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
}

extension TextTable {
    /// One row with the known scalars of an object, `null` counting as absent, and what is in the place of others.
    ///
    /// - Throws: `json.number-overflow`.
    static func row(of object: JSONTree, _ keys: KeyTable) throws(JSONFault) -> (table: TextTable, BodyOddities) {
        var table = TextTable(width: keys.count, rows: 1)
        table.addRow { _ in }
        var oddities: BodyOddities = []
        for (key, value) in object.pairs {
            let slot = key.slot(in: keys)
            guard slot >= 0, value.kind != .null else { continue }
            if value.kind.isScalar {
                table[0, slot] = try value.read()
            } else {
                oddities.formUnion(.inPlaceOfScalar(value))
            }
        }
        return (table, oddities)
    }
}
