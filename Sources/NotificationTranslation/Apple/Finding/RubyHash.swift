/// A hash as Ruby prints it, in which Rails logs the bodies of requests.
///
///     {"notification_type"=>"CANCEL", "auto_renew_product_id"=>nil, :bid => "com.example"}
enum RubyHash {
    /// Appends the same as JSON; other texts become what is no JSON either.
    static func appendJSON(of text: UnsafeRawBufferPointer, to json: OutputBuffer) {
        func isOfName(_ byte: UInt8) -> Bool { 0x61...0x7A ~= byte | 0x20 || 0x30...0x39 ~= byte || byte == 0x5F }
        func nameEnd(_ start: Int) -> Int { text[start...].firstIndex { !isOfName($0) } ?? text.count }
        var at = 0
        var isInText = false
        while at < text.count {
            let (byte, next) = (text[at], at + 1 < text.count ? text[at + 1] : 0)
            if byte == 0x5C, isInText {
                // Ruby escapes `#` before a brace, and names the escape character.
                if next == UInt8(ascii: "e") {
                    json.append("\\u001b")
                } else {
                    if next != UInt8(ascii: "#") { json.append(byte) }
                    json.append(next)
                }
                at += 2
            } else if byte == 0x22 || isInText {
                if byte == 0x22 { isInText.toggle() }
                json.append(byte)
                at += 1
            } else if byte == 0x3D, next == 0x3E {
                json.append(0x3A)
                at += 2
            } else if byte == 0x3A, isOfName(next) {
                let end = nameEnd(at + 1)
                json.append(jsonString: UnsafeRawBufferPointer(rebasing: text[at + 1..<end]))
                at = end
            } else {
                let end = isOfName(byte) ? nameEnd(at) : at + 1
                let word = UnsafeRawBufferPointer(rebasing: text[at..<end])
                if word.elementsEqual("nil".utf8) { json.append("null") } else { json.append(word) }
                at = end
            }
        }
    }
}
