import NotificationLibC

/// Looks for canaries in what a run left behind, in every spelling they could have got.
struct CanarySearch {
    /// What every canary begins with.
    static let stem = "Kanarie7qZ"

    /// The text of a canary; `/` is a character that some escape.
    static func canary(_ number: Int) -> String { stem + "/" + String(number) }

    private let needles: [(name: String, text: String)]

    init() {
        let stem = Array(Self.stem.utf8)
        let hex = stem.map { String($0, radix: 16) }
        var needles = [
            ("raw", Self.stem), ("percent", hex.map { "%" + $0 }.joined()),
            ("percent", hex.map { "%" + $0.uppercased() }.joined()), ("escaped", hex.map { "\\u00" + $0 }.joined()),
            ("escaped", hex.map { "\\u00" + $0.uppercased() }.joined()), ("hexadecimal", hex.joined()),
            ("hexadecimal", hex.joined().uppercased()),
        ]
        // The characters of base64 that depend on the stem alone, behind no, one and two other bytes.
        for before in 0..<3 {
            let text = Self.base64([UInt8](repeating: 0, count: before) + stem)
            let first = (before * 8 + 5) / 6
            needles.append(("base64", String(decoding: text[first..<(before + stem.count) * 8 / 6], as: UTF8.self)))
        }
        self.needles = needles
    }

    /// The canaries in a text, each with how it was written; one whose number is allowed may stand there as it is.
    func canaries(in text: [UInt8], isAllowed: (Int) -> Bool = { _ in false }) -> [String] {
        var found: [String] = []
        (text + [0]).withUnsafeBytes { bytes in
            guard let start = bytes.bindMemory(to: CChar.self).baseAddress else { return }
            for needle in needles {
                var at = 0
                while at < text.count {
                    guard let hit = strstr(start + at, needle.text) else {
                        // It looks no further than the next zero.
                        at += strlen(start + at) + 1
                        continue
                    }
                    at = UnsafePointer(hit) - start + needle.text.utf8.count
                    let number = Self.number(bytes, at)
                    if needle.name == "raw" || needle.name == "escaped", let number, isAllowed(number) { continue }
                    found.append("\(needle.name) \(number.map(String.init) ?? "?")")
                }
            }
        }
        return found
    }

    /// The digits behind a stem and its slash.
    private static func number(_ bytes: UnsafeRawBufferPointer, _ start: Int) -> Int? {
        var at = start
        while at < bytes.count, bytes[at] == 0x5C || bytes[at] == 0x2F { at += 1 }
        return Int(String(decoding: bytes[at...].prefix(8).prefix { 0x30...0x39 ~= $0 }, as: UTF8.self))
    }

    static func base64(_ bytes: [UInt8]) -> [UInt8] { Array(Data(bytes).base64EncodedString().utf8) }
}
