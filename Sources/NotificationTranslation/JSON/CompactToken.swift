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
            var points = 0
            var end = first
            while end < text.count, isPart(text[end]) || text[end] == 0x2E {
                if text[end] == 0x2E { points += 1 }
                end += 1
            }
            at = end
            while end > first, text[end - 1] == 0x2E {
                points -= 1
                end -= 1
            }
            let isWhole = first == 0 || !isPart(text[first - 1]) && text[first - 1] != 0x2E
            if isWhole, points == 2, end - first >= 60 { return first..<end }
        }
        return nil
    }

    static func isPart(_ byte: UInt8) -> Bool { StrictBase64.url[Int(byte)] != 0xFF }
}
