extension ProductCatalogue {
    /// The columns of a table and keys of an object, in the order that templates have them.
    package static let columns = [
        "product_id", "kind", "period", "rank", "group", "promotional_offers", "price_changes",
    ]

    /// Reads a catalogue as a file holds it: a CSV table with a header, or a JSON array of objects, alone or as
    /// `products` of an object.
    ///
    /// Of the columns only `product_id` has to be there, and their order is free. An empty cell, or `null`, is not known.
    /// In a table, `promotional_offers` and `price_changes` separate several by spaces, and `none` says that there is
    /// none; in JSON they are arrays. A byte order mark and CRLF are taken.
    ///
    /// - Parameter file: The bytes of the file.
    /// - Throws: ``CatalogueError`` with the line, for whatever is not understood.
    public init(file: [UInt8]) throws(CatalogueError) {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let bytes = file.starts(with: mark) ? Array(file.dropFirst(mark.count)) : file
        guard let first = bytes.first(where: { $0 > 0x20 }), String(validating: bytes, as: UTF8.self) != nil else {
            throw CatalogueError(.notACatalogue, line: 1)
        }
        let isJSON = first == UInt8(ascii: "[") || first == UInt8(ascii: "{")
        let rows = isJSON ? try Self.objects(bytes) : try Self.rows(bytes)
        var products: [Product] = []
        for row in rows { products.append(try Self.product(row)) }
        try self.init(products, lines: rows.map(\.line))
    }

    /// The cells of one product, by column.
    private struct Row {
        var line: Int
        var cells: [String: Cell] = [:]
    }

    private enum Cell {
        case text(String)
        case texts([String])
    }

    private static func product(_ row: Row) throws(CatalogueError) -> Product {
        func text(_ column: String) -> String? {
            guard case .text(let text)? = row.cells[column], !text.isEmpty else { return nil }
            return text
        }
        func texts(_ column: String) -> [String]? {
            switch row.cells[column] {
            case .texts(let texts): return texts
            case .text(let text) where !text.isEmpty:
                return text == "none" ? [] : text.split(separator: " ").map(String.init)
            default: return nil
            }
        }
        guard let id = text("product_id") else { throw CatalogueError(.noProductID, line: row.line) }
        var product = Product(productID: id)
        if let name = text("kind") {
            guard let kind = Kind(rawValue: name) else {
                throw CatalogueError(.unknownKind, line: row.line, value: name)
            }
            product.kind = kind
        }
        if let digits = text("rank") {
            guard let rank = Int(digits) else { throw CatalogueError(.badRank, line: row.line, value: digits) }
            product.rank = rank
        }
        product.period = text("period")
        product.group = text("group")
        product.promotionalOffers = texts("promotional_offers")
        product.priceChanges = texts("price_changes")
        return product
    }

    // MARK: JSON

    private static func objects(_ bytes: [UInt8]) throws(CatalogueError) -> [Row] {
        func line(_ offset: Int) -> Int { bytes[..<min(offset, bytes.count)].count { $0 == 0x0A } + 1 }
        let tree: JSONTree
        do throws(JSONFault) {
            tree = try JSONTree(bytes)
        } catch {
            throw CatalogueError(.notACatalogue, line: line(error.offset), value: error.sentence)
        }
        var list = tree
        if tree.kind == .object {
            if let other = tree.keys.first(where: { $0 != "products" }) {
                throw CatalogueError(.unknownColumn, line: 1, value: other)
            }
            guard let products = tree["products"] else { throw CatalogueError(.notACatalogue, line: 1) }
            list = products
        }
        guard let elements = list.elements else { throw CatalogueError(.notACatalogue, line: line(list.offset)) }
        var rows: [Row] = []
        for element in elements {
            guard element.kind == .object else { throw CatalogueError(.notACatalogue, line: line(element.offset)) }
            var row = Row(line: line(element.offset))
            for key in element.keys {
                guard let value = element[key] else { continue }
                row.cells[key] = try cell(key, value, line(value.offset))
            }
            rows.append(row)
        }
        return rows
    }

    private static func cell(_ key: String, _ value: JSONTree, _ line: Int) throws(CatalogueError) -> Cell? {
        guard columns.contains(key) else { throw CatalogueError(.unknownColumn, line: line, value: key) }
        if value.kind == .null { return nil }
        switch key {
        case "promotional_offers", "price_changes":
            let texts = value.elements?.compactMap(\.string) ?? []
            guard let count = value.elements?.count, texts.count == count else {
                throw CatalogueError(.badValue, line: line, value: key)
            }
            return .texts(texts)
        case "rank":
            guard value.kind == .number else { throw CatalogueError(.badRank, line: line, value: value.characters) }
            return .text(value.characters)
        default:
            guard let text = value.string else { throw CatalogueError(.badValue, line: line, value: key) }
            return .text(text)
        }
    }

    // MARK: CSV

    private static func rows(_ bytes: [UInt8]) throws(CatalogueError) -> [Row] {
        var records = try CatalogueTable.records(bytes)[...]
        guard let header = records.popFirst() else { throw CatalogueError(.notACatalogue, line: 1) }
        var met: Set<String> = []
        for name in header.fields {
            guard columns.contains(name) else {
                throw CatalogueError(.unknownColumn, line: header.line, value: name)
            }
            guard met.insert(name).inserted else {
                throw CatalogueError(.duplicateColumn, line: header.line, value: name)
            }
        }
        guard met.contains("product_id") else { throw CatalogueError(.noProductID, line: header.line) }
        var rows: [Row] = []
        for record in records {
            guard record.fields.count == header.fields.count else { throw CatalogueError(.badRow, line: record.line) }
            var row = Row(line: record.line)
            for (name, field) in zip(header.fields, record.fields) { row.cells[name] = .text(field) }
            rows.append(row)
        }
        return rows
    }
}

/// The records of a CSV text (RFC 4180), with the lines they begin in; blank lines are none.
enum CatalogueTable {
    struct Record {
        var line: Int
        var fields: [String]
    }

    /// - Throws: ``CatalogueError`` where a quoted field is not closed.
    static func records(_ bytes: [UInt8]) throws(CatalogueError) -> [Record] {
        var records: [Record] = []
        var fields: [String] = []
        var field: [UInt8] = []
        var line = 1
        var start = 1
        var isQuoted = false
        var wasQuoted = false
        func endField() {
            // Blanks around a value that is not quoted say nothing.
            let text = String(decoding: field, as: UTF8.self)
            fields.append(wasQuoted ? text : text.trimmed)
            field.removeAll(keepingCapacity: true)
            wasQuoted = false
        }
        func endRecord() {
            endField()
            if fields != [""] { records.append(Record(line: start, fields: fields)) }
            fields = []
        }
        var at = 0
        while at < bytes.count {
            let byte = bytes[at]
            at += 1
            switch byte {
            case UInt8(ascii: "\"") where isQuoted && at < bytes.count && bytes[at] == byte:
                field.append(byte)
                at += 1
            case UInt8(ascii: "\"") where isQuoted:
                isQuoted = false
                let isEnd = at == bytes.count || [0x2C, 0x0A, 0x0D].contains(bytes[at])
                guard isEnd else { throw CatalogueError(.badRow, line: line) }
            case UInt8(ascii: "\"") where field.isEmpty && !wasQuoted:
                isQuoted = true
                wasQuoted = true
            case UInt8(ascii: "\"") where !isQuoted:
                throw CatalogueError(.badRow, line: line)
            case UInt8(ascii: ",") where !isQuoted: endField()
            case 0x0A where !isQuoted:
                endRecord()
                line += 1
                start = line
            case 0x0D where !isQuoted && (at == bytes.count || bytes[at] == 0x0A): break
            default:
                if byte == 0x0A { line += 1 }
                field.append(byte)
            }
        }
        guard !isQuoted else { throw CatalogueError(.badRow, line: start) }
        if !field.isEmpty || !fields.isEmpty || wasQuoted { endRecord() }
        return records
    }
}
