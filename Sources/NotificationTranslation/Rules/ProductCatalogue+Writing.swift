extension ProductCatalogue {
    /// A file that reads back as a catalogue: CSV with all columns, and an empty cell for what is not known.
    ///
    /// - Returns: The text, and how many offers it leaves out: an id with a space does not fit a cell of several ids.
    package static func csv(_ products: [Product]) -> (text: String, leftOut: Int) {
        var text = columns.joined(separator: ",") + "\n"
        var leftOut = 0
        for product in products {
            let offers = product.promotionalOffers?.filter { !$0.contains(" ") && !$0.isEmpty }
            leftOut += (product.promotionalOffers?.count ?? 0) - (offers?.count ?? 0)
            let cells = [
                product.productID, product.kind?.rawValue, product.period, product.rank.map { String($0) },
                product.group, list(offers), list(product.priceChanges),
            ]
            text += cells.map { cell($0 ?? "") }.joined(separator: ",") + "\n"
        }
        return (text, leftOut)
    }

    private static func list(_ values: [String]?) -> String? {
        values.map { $0.isEmpty ? "none" : $0.joined(separator: " ") }
    }

    /// A field, in quotes where a comma, quote, line end or blank at its ends asks for it.
    private static func cell(_ text: String) -> String {
        let isPlain =
            text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x22 && $0 != 0x2C } && text.first != " " && text.last != " "
        return isPlain ? text : "\"" + text.replacingQuotes + "\""
    }

    /// The same as a JSON array, one product a line, `null` for what is not known.
    package static func json(_ products: [Product]) -> String {
        let lines = products.map { product -> String in
            let members = [
                ("product_id", text(product.productID)), ("kind", text(product.kind?.rawValue)),
                ("period", text(product.period)), ("rank", product.rank.map { String($0) } ?? "null"),
                ("group", text(product.group)), ("promotional_offers", texts(product.promotionalOffers)),
                ("price_changes", texts(product.priceChanges)),
            ]
            return "  {" + members.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",") + "}"
        }
        return lines.isEmpty ? "[]\n" : "[\n" + lines.joined(separator: ",\n") + "\n]\n"
    }

    private static func text(_ value: String?) -> String {
        guard var value else { return "null" }
        let output = OutputBuffer(capacity: 64)
        value.withUTF8 { JSONEscapes.escape(UnsafeRawBufferPointer($0), into: output) }
        return "\"" + String(decoding: output.bytes, as: UTF8.self) + "\""
    }

    private static func texts(_ values: [String]?) -> String {
        values.map { "[" + $0.map(text).joined(separator: ",") + "]" } ?? "null"
    }
}

extension String {
    /// With every quote doubled.
    fileprivate var replacingQuotes: String {
        var text = ""
        for character in unicodeScalars {
            text.unicodeScalars.append(character)
            if character == "\"" { text.unicodeScalars.append(character) }
        }
        return text
    }
}
