/// A Swift file of the package, as far as the tests of the house read it: which types it declares, and which names it
/// uses.
///
/// Comments and strings are left out. Only types that stand in no other type are counted as declared.
struct SourceFile {
    /// The path below the root of the repository.
    var path: String
    var lineCount = 0
    /// A type declared outside of any braces.
    struct DeclaredType {
        var name: String
        var isPrivate: Bool
        var isExtension: Bool
        var lineCount = 1
    }

    /// Types declared or extended outside of any braces, in their order.
    private(set) var parts: [DeclaredType] = []
    /// Types declared outside of any braces, in their order.
    var types: [DeclaredType] { parts.filter { !$0.isExtension } }
    /// Words that begin with a capital letter, wherever they stand outside of comments and strings.
    var names: Set<String> = []

    init(_ path: String) throws {
        self.path = path
        let bytes = try Fixture.bytes(path)
        lineCount = bytes.count { $0 == 0x0A }
        read(bytes)
    }

    /// Every Swift file below a folder of the repository.
    static func all(in folder: String) throws -> [SourceFile] { try paths(in: folder).map(SourceFile.init) }

    /// The paths of the files below a folder of the repository whose names end so.
    static func paths(in folder: String, ending: String = ".swift") -> [String] {
        Fixture.names(in: folder).flatMap { name in
            let path = folder + "/" + name
            if name.hasSuffix(ending) { return [path] }
            return name.contains(".") && !name.hasSuffix(".docc") ? [] : paths(in: path, ending: ending)
        }
    }

    private mutating func read(_ bytes: [UInt8]) {
        var depth = 0
        var last = ""
        var at = 0
        // Whether the declaration that is being read is private, and where the type that is open began.
        var isPrivate = false
        var opened: Int?
        func stands(_ text: StaticString, _ place: Int) -> Bool {
            let text = UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
            return place + text.count <= bytes.count && bytes[place..<place + text.count].elementsEqual(text)
        }
        while at < bytes.count {
            let byte = bytes[at]
            if stands("//", at) {
                while at < bytes.count, bytes[at] != 0x0A { at += 1 }
            } else if stands("/*", at) {
                while at < bytes.count, !stands("*/", at) { at += 1 }
                at += 2
            } else if stands("\"\"\"", at) {
                at += 3
                while at < bytes.count, !stands("\"\"\"", at) { at += 1 }
                at += 3
            } else if byte == 0x22 {
                at += 1
                while at < bytes.count, bytes[at] != 0x22, bytes[at] != 0x0A { at += bytes[at] == 0x5C ? 2 : 1 }
                at += 1
            } else if Self.isWord(byte) {
                let start = at
                while at < bytes.count, Self.isWord(bytes[at]) { at += 1 }
                let word = String(decoding: bytes[start..<at], as: UTF8.self)
                if depth == 0, word == "private" || word == "fileprivate" { isPrivate = true }
                if 0x41...0x5A ~= byte {
                    names.insert(word)
                    if depth == 0, Self.declaring.contains(last) || last == "extension" {
                        parts.append(DeclaredType(name: word, isPrivate: isPrivate, isExtension: last == "extension"))
                        if last != "typealias" { opened = start }
                    }
                }
                last = word
            } else {
                if byte == 0x7B { depth += 1 }
                if byte == 0x7D { depth -= 1 }
                if depth == 0, byte == 0x7D, let start = opened {
                    parts[parts.count - 1].lineCount += bytes[start..<at].count { $0 == 0x0A }
                    opened = nil
                }
                if depth == 0, byte == 0x0A { isPrivate = false }
                at += 1
            }
        }
    }

    private static let declaring: Set<String> = ["struct", "class", "enum", "protocol", "actor", "typealias"]

    private static func isWord(_ byte: UInt8) -> Bool {
        0x30...0x39 ~= byte || 0x41...0x5A ~= byte || 0x61...0x7A ~= byte || byte == 0x5F
    }
}
