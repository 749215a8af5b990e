/// Writes one body as JSON text, in the style of the server that kept it.
///
/// Values are strings almost everywhere, as in V1 bodies; a comma is put before every member but the first.
struct BodyText {
    /// How strings and separators are written.
    enum Style {
        /// Compact, UTF-8 as it is.
        case apple
        /// Compact, `/` as `\/`, non-ASCII characters as `\u` escapes.
        case php
        /// A blank after every comma and colon, non-ASCII characters as `\u` escapes.
        case python
    }

    private(set) var bytes: [UInt8] = []
    private let style: Style
    private var isFirst = true

    init(style: Style, capacity: Int) {
        self.style = style
        bytes.reserveCapacity(capacity)
    }

    /// Opens an object or array, as the value of a key or as an element.
    mutating func open(_ bracket: Unicode.Scalar, key: String? = nil) {
        separate(key)
        bytes.append(UInt8(ascii: bracket))
        isFirst = true
    }

    mutating func close(_ bracket: Unicode.Scalar) {
        bytes.append(UInt8(ascii: bracket))
        isFirst = false
    }

    mutating func string(_ key: String, _ value: String) {
        separate(key)
        quoted(value)
    }

    mutating func number(_ key: String, _ value: String) {
        separate(key)
        bytes += value.utf8
    }

    /// Base64, where only `/` is written differently.
    mutating func base64(_ key: String, _ value: [UInt8]) {
        separate(key)
        bytes.append(0x22)
        if style == .php {
            for byte in value {
                if byte == 0x2F { bytes.append(0x5C) }
                bytes.append(byte)
            }
        } else {
            bytes += value
        }
        bytes.append(0x22)
    }

    mutating func endLine() {
        bytes.append(0x0A)
    }

    private mutating func separate(_ key: String?) {
        if !isFirst {
            bytes.append(0x2C)
            if style == .python { bytes.append(0x20) }
        }
        isFirst = false
        guard let key else { return }
        quoted(key)
        bytes.append(0x3A)
        if style == .python { bytes.append(0x20) }
    }

    private mutating func quoted(_ text: String) {
        bytes.append(0x22)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": bytes += [0x5C, UInt8(ascii: scalar)]
            case "/" where style == .php: bytes += [0x5C, 0x2F]
            case _ where scalar.isASCII: bytes.append(UInt8(ascii: scalar))
            case _ where style == .apple: bytes += String(scalar).utf8
            default:
                for unit in String(scalar).utf16 {
                    bytes += "\\u".utf8
                    for shift: UInt16 in [12, 8, 4, 0] { bytes += String((unit >> shift) & 15, radix: 16).utf8 }
                }
            }
        }
        bytes.append(0x22)
    }
}
