/// A signed text that is somewhere in a line: three parts of base64url with points between.
///
///     INFO got eyJhbGciOiJFUzI1NiIs….eyJub3RpZmljYXRpb25UeXBl….AAECAw…
///     Parameters: {"signedPayload"=>"eyJhbGciOiJFUzI1NiIs….eyJub3RpZmljYXRpb25UeXBl….AAECAw…"}
package enum CompactToken {
    /// Where the first one at or after an index is; `nil` if there is none.
    package static func range(in text: UnsafeRawBufferPointer, from start: Int) -> Range<Int>? {
        var at = start
        // What begins with `{"`.
        while let first = text.offset(of: "eyJ", from: at) {
            let run = text[first...].prefix { isPart($0) || $0 == 0x2E }
            at = run.endIndex
            let token = text[first...(run.lastIndex { $0 != 0x2E } ?? first)]
            let isWhole = first == 0 || !isPart(text[first - 1]) && text[first - 1] != 0x2E
            if isWhole, token.count(where: { $0 == 0x2E }) == 2, token.count >= 60 { return first..<token.endIndex }
        }
        return nil
    }

    static func isPart(_ byte: UInt8) -> Bool { StrictBase64.url[Int(byte)] != 0xFF }
}
