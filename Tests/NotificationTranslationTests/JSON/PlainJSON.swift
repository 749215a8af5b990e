@testable import NotificationTranslation

/// A second opinion on JSON: a reader that is plainly right, byte by byte, and in no hurry.
///
/// It keeps the rules of ``JSONScanner`` and shares no code with it but the names of the faults, so that the two can
/// be asked the same question of any bytes.
enum PlainJSON {
    case null
    case bool(Bool)
    /// As it stands in the text.
    case number([UInt8])
    /// Its characters, escapes resolved.
    case string([UInt8])
    case array([PlainJSON])
    case object([Member])

    struct Member {
        var key: [UInt8]
        var value: PlainJSON
    }

    /// Reads a whole text.
    ///
    /// - Throws: What is wrong with it: the first place where the characters, escapes or strings are broken, whatever
    ///   the grammar, and only if there is none the first place where the grammar is.
    init(_ text: [UInt8]) throws(JSONFault) {
        if let fault = Self.textFault(text) { throw fault }
        var reader = Reader(text: text)
        reader.skipSpace()
        self = try reader.value(depth: 0)
        reader.skipSpace()
        if reader.at < text.count { throw JSONFault(code: .trailingContent, offset: reader.at) }
    }

    /// What is wrong with a text: `ok`, or the code and the offset of the fault.
    static func verdict(_ text: [UInt8]) -> String {
        do throws(JSONFault) {
            _ = try PlainJSON(text)
            return "ok"
        } catch {
            return "\(error.code.code) at \(error.offset)"
        }
    }

    // MARK: Characters, escapes and strings, without grammar

    private static func textFault(_ text: [UInt8]) -> JSONFault? {
        [utf8Fault(text), stringFault(text)].compactMap(\.self).min { $0.offset < $1.offset }
    }

    private static func utf8Fault(_ text: [UInt8]) -> JSONFault? {
        var at = 0
        while at < text.count {
            guard let length = sequenceLength(text, at) else { return JSONFault(code: .invalidUTF8, offset: at) }
            at += length
        }
        return nil
    }

    /// The length of the sequence that begins at a place; `nil` if none does.
    private static func sequenceLength(_ text: [UInt8], _ at: Int) -> Int? {
        let lead = text[at]
        if lead < 0x80 { return 1 }
        let length: Int
        let least: UInt32
        var scalar: UInt32
        if lead & 0xE0 == 0xC0 {
            (length, least, scalar) = (2, 0x80, UInt32(lead & 0x1F))
        } else if lead & 0xF0 == 0xE0 {
            (length, least, scalar) = (3, 0x800, UInt32(lead & 0x0F))
        } else if lead & 0xF8 == 0xF0 {
            (length, least, scalar) = (4, 0x10000, UInt32(lead & 0x07))
        } else {
            return nil
        }
        guard at + length <= text.count else { return nil }
        for place in at + 1..<at + length {
            guard text[place] & 0xC0 == 0x80 else { return nil }
            scalar = scalar * 64 + UInt32(text[place] & 0x3F)
        }
        let isSurrogate = 0xD800...0xDFFF ~= scalar
        return scalar >= least && scalar <= 0x10FFFF && !isSurrogate ? length : nil
    }

    /// The first control character inside a string, or backslash that begins no escape.
    private static func stringFault(_ text: [UInt8]) -> JSONFault? {
        var at = 0
        var isInside = false
        while at < text.count {
            switch text[at] {
            case 0x5C:
                let escape = escape(text, at)
                if let fault = escape.fault { return fault }
                at += escape.length
                continue
            case 0x22: isInside.toggle()
            case 0..<0x20 where isInside: return JSONFault(code: .controlCharacter, offset: at)
            default: break
            }
            at += 1
        }
        return nil
    }

    /// The escape that begins at a place: its bytes, what it stands for, and what is wrong with it.
    private static func escape(_ text: [UInt8], _ at: Int) -> (length: Int, scalar: UInt32, fault: JSONFault?) {
        guard at + 1 < text.count else { return (0, 0, JSONFault(code: .unexpectedEnd, offset: text.count)) }
        let simple: [UInt8: UInt32] = [
            0x22: 0x22, 0x5C: 0x5C, 0x2F: 0x2F, 0x62: 0x08, 0x66: 0x0C, 0x6E: 0x0A, 0x72: 0x0D, 0x74: 0x09,
        ]
        if let scalar = simple[text[at + 1]] { return (2, scalar, nil) }
        guard text[at + 1] == 0x75, let unit = unit(text, at) else {
            return (0, 0, JSONFault(code: .invalidEscape, offset: at))
        }
        if 0xD800...0xDBFF ~= unit {
            guard let low = Self.unit(text, at + 6), 0xDC00...0xDFFF ~= low else {
                return (0, 0, JSONFault(code: .loneSurrogate, offset: at))
            }
            return (12, 0x10000 + (unit - 0xD800) * 0x400 + (low - 0xDC00), nil)
        }
        if 0xDC00...0xDFFF ~= unit { return (0, 0, JSONFault(code: .loneSurrogate, offset: at)) }
        return (6, unit, nil)
    }

    /// What `\uXXXX` at a place says; `nil` if no such thing stands there.
    private static func unit(_ text: [UInt8], _ at: Int) -> UInt32? {
        guard at + 6 <= text.count, text[at] == 0x5C, text[at + 1] == 0x75 else { return nil }
        var value: UInt32 = 0
        for byte in text[at + 2..<at + 6] {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
            value = value * 16 + UInt32(digit)
        }
        return value
    }

    // MARK: Grammar

    private struct Reader {
        let text: [UInt8]
        var at = 0

        var byte: UInt8? { at < text.count ? text[at] : nil }

        mutating func skipSpace() {
            while let byte, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { at += 1 }
        }

        func fault(_ code: JSONFault.Code) -> JSONFault { JSONFault(code: code, offset: at) }

        /// What a byte is that cannot stand here.
        func unexpected() -> JSONFault {
            guard let byte else { return fault(.unexpectedEnd) }
            return fault(byte < 0x20 ? .controlCharacter : .syntax)
        }

        mutating func value(depth: Int) throws(JSONFault) -> PlainJSON {
            switch byte {
            case UInt8(ascii: "{")?: return try object(depth: depth + 1)
            case UInt8(ascii: "[")?: return try array(depth: depth + 1)
            case UInt8(ascii: "\"")?: return .string(try string())
            case UInt8(ascii: "t")?: return try word("true", .bool(true))
            case UInt8(ascii: "f")?: return try word("false", .bool(false))
            case UInt8(ascii: "n")?: return try word("null", .null)
            case UInt8(ascii: "-")?, (0x30...0x39)?: return try number()
            default: throw unexpected()
            }
        }

        mutating func object(depth: Int) throws(JSONFault) -> PlainJSON {
            if depth > 64 { throw fault(.tooDeep) }
            at += 1
            var members: [Member] = []
            var keys: Set<[UInt8]> = []
            skipSpace()
            if byte == UInt8(ascii: "}") {
                at += 1
                return .object([])
            }
            while true {
                guard byte == UInt8(ascii: "\"") else {
                    throw byte == UInt8(ascii: "}") ? fault(.trailingComma) : unexpected()
                }
                let start = at
                let key = try string()
                guard keys.insert(key).inserted else { throw JSONFault(code: .duplicateKey, offset: start) }
                skipSpace()
                guard byte == UInt8(ascii: ":") else { throw unexpected() }
                at += 1
                skipSpace()
                members.append(Member(key: key, value: try value(depth: depth)))
                if try ends(with: UInt8(ascii: "}")) { return .object(members) }
            }
        }

        mutating func array(depth: Int) throws(JSONFault) -> PlainJSON {
            if depth > 64 { throw fault(.tooDeep) }
            at += 1
            var elements: [PlainJSON] = []
            skipSpace()
            if byte == UInt8(ascii: "]") {
                at += 1
                return .array([])
            }
            while true {
                if byte == UInt8(ascii: "]") { throw fault(.trailingComma) }
                elements.append(try value(depth: depth))
                if try ends(with: UInt8(ascii: "]")) { return .array(elements) }
            }
        }

        /// Goes past what stands behind a member or element: the bracket, or a comma.
        mutating func ends(with bracket: UInt8) throws(JSONFault) -> Bool {
            skipSpace()
            guard byte == bracket || byte == UInt8(ascii: ",") else { throw unexpected() }
            let isEnd = byte == bracket
            at += 1
            if !isEnd { skipSpace() }
            return isEnd
        }

        /// A string, whose characters and escapes are known to be right.
        mutating func string() throws(JSONFault) -> [UInt8] {
            at += 1
            var characters: [UInt8] = []
            while let byte, byte != UInt8(ascii: "\"") {
                guard byte == 0x5C else {
                    characters.append(byte)
                    at += 1
                    continue
                }
                let escape = PlainJSON.escape(text, at)
                if let scalar = Unicode.Scalar(escape.scalar) { characters += Array(String(Character(scalar)).utf8) }
                at += escape.length
            }
            guard byte != nil else { throw fault(.unexpectedEnd) }
            at += 1
            return characters
        }

        mutating func word(_ word: String, _ value: PlainJSON) throws(JSONFault) -> PlainJSON {
            for wanted in word.utf8 {
                guard let byte else { throw fault(.unexpectedEnd) }
                if byte != wanted { throw fault(.syntax) }
                at += 1
            }
            return value
        }

        mutating func number() throws(JSONFault) -> PlainJSON {
            let start = at
            if byte == UInt8(ascii: "-") { at += 1 }
            let first = at
            try digits()
            if text[first] == UInt8(ascii: "0"), at > first + 1 {
                throw JSONFault(code: .invalidNumber, offset: first)
            }
            if byte == UInt8(ascii: ".") {
                at += 1
                try digits()
            }
            if byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E") {
                at += 1
                if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") { at += 1 }
                try digits()
            }
            let literal = Array(text[start..<at])
            return .number(literal)
        }

        mutating func digits() throws(JSONFault) {
            guard let first = byte else { throw fault(.unexpectedEnd) }
            guard 0x30...0x39 ~= first else { throw fault(.invalidNumber) }
            while let byte, 0x30...0x39 ~= byte { at += 1 }
        }
    }
}

extension PlainJSON {
    /// The value of a member, `nil` if there is none.
    subscript(key: String) -> PlainJSON? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.key.elementsEqual(key.utf8) }?.value
    }

    /// The keys of an object, in the order of the text; none of anything else.
    var keys: [String] {
        guard case .object(let members) = self else { return [] }
        return members.map { String(decoding: $0.key, as: UTF8.self) }
    }

    /// Whether a tree, read by the scanner, says the same in the same order.
    func matches(_ tree: JSONTree) -> Bool {
        switch self {
        case .null: tree.kind == .null
        case .bool(let value): tree.kind == (value ? .true : .false)
        case .number(let literal): tree.kind == .number && tree.withCharacters { $0.elementsEqual(literal) }
        case .string(let characters): tree.kind == .string && tree.withCharacters { $0.elementsEqual(characters) }
        case .array(let elements):
            tree.kind == .array && tree.parts.count == elements.count
                && zip(elements, tree.parts).allSatisfy { $0.matches($1) }
        case .object(let members):
            tree.kind == .object && tree.names.count == members.count
                && zip(members, tree.names).allSatisfy { member, name in
                    name.withCharacters { $0.elementsEqual(member.key) }
                }
                // Keys and values in turn.
                && zip(members, tree.parts.enumerated().filter { $0.offset % 2 == 1 }).allSatisfy {
                    $0.value.matches($1.element)
                }
        }
    }

    /// Every string in it that is a value, with the key of the member it is the value of.
    func visitStrings(of key: [UInt8]? = nil, _ visit: (_ key: [UInt8]?, _ characters: [UInt8]) -> Void) {
        switch self {
        case .string(let characters): visit(key, characters)
        case .array(let elements): for element in elements { element.visitStrings(visit) }
        case .object(let members):
            for member in members {
                visit(nil, member.key)
                member.value.visitStrings(of: member.key, visit)
            }
        case .null, .bool, .number: break
        }
    }
}
