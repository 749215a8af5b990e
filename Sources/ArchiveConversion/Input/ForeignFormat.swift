/// Inputs that are not JSON, tables or logs, known by their first bytes.
enum ForeignFormat {
    private static let magic: [(bytes: [UInt8], fault: ArchiveFault)] = [
        ([0x50, 0x4B, 0x03, 0x04], .zip), ([0x50, 0x4B, 0x05, 0x06], .zip),
        (Array("BZh".utf8), .bzip2), ([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], .sevenZip),
        (Array("PAR1".utf8), .parquet), (Array("SQLite format 3".utf8) + [0], .sqlite),
        ([0xFF, 0xFE], .utf16), ([0xFE, 0xFF], .utf16),
    ]

    /// How what this program writes begins, save what is known by its keys: reports, tables and schemas.
    private static let own: [(opening: String, fault: ArchiveFault)] =
        ReportFile.openings.map { ($0, .report) } + [
            ("# Mappings\n\nGenerated from the JSON files in this folder;", .mapping),
            ("v1_type,rule,when,then,certainty,candidates,flags,source\r\n", .mapping),
            ("{\n  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n  \"title\": \"", .schema),
        ]
        + [
            ("events", "schema_version"), ("cloudevents", "specversion"), ("notifications_v2", "notificationType"),
            ("subscription_states", "schema_version"), ("subscription_history", "schema_version"),
            ("subscription_transactions", "schema_version"),
        ].flatMap { (table, field) in
            [
                "create table if not exists \(table) (\n    \"\(field)\"",
                "create table if not exists \(table) (\n    \(field)", "columns = {\n    '\(field)'",
                "create table if not exists \(table)\n(\n    `\(field)`", "`\(field)` STRING",
                "[\n  {\"name\": \"\(field)\", \"type\": ",
            ].map { ($0, .schema) }
        }

    /// The fault that a whole input is which begins with some bytes, unpacked; `nil` for what may be read.
    ///
    /// Where the format was named, forms of text are not looked for.
    static func fault(of head: [UInt8], knowsFormat: Bool) -> ArchiveFault? {
        if let known = magic.first(where: { head.starts(with: $0.bytes) }) { return known.fault }
        if head.count > 262, head[257..<262].elementsEqual("ustar".utf8) { return .tar }
        if head.count >= 4,
            head[0] == 0 && head[1] != 0 && head[2] == 0 && head[3] != 0
                || head[0] >= 0x20 && head[1] == 0 && head[2] >= 0x20 && head[3] == 0
        {
            return .utf16
        }
        if isBSON(head) { return .bson }
        guard !knowsFormat else { return nil }
        if isPHP(head) { return .php }
        if let known = own.first(where: { head.starts(with: $0.opening.utf8) }) { return known.fault }
        if isMarkup(head) { return .markup }
        if isForm(head) { return .form }
        return isBinary(head) ? .binary : nil
    }

    /// Whether more than 5 % of the bytes are control characters and no line begins like a JSON object.
    ///
    /// NUL does not count: a file that was written when the power failed has blocks of them between good records.
    private static func isBinary(_ head: [UInt8]) -> Bool {
        guard head.count >= 512 else { return false }
        let characters = head.filter { $0 != 0 }
        let controls = characters.count(where: FormatDetector.isControl)
        return controls * 20 > characters.count
            && !head.split(separator: 0x0A).contains { line in
                let text = line.drop { $0 <= 0x20 }
                return text.first == UInt8(ascii: "{") && text.dropFirst().first { $0 > 0x20 } ?? 0x22 == 0x22
            }
    }

    /// A length, the type of the first element and its name, ended by NUL; and a NUL at the end of the document.
    private static func isBSON(_ head: [UInt8]) -> Bool {
        guard head.count >= 8 else { return false }
        let length = head[..<4].reversed().reduce(0) { $0 << 8 | Int($1) }
        guard 8...(16 << 20) ~= length, 1...0x13 ~= head[4], length > head.count || head[length - 1] == 0,
            let end = head[5..<min(head.count, 80)].firstIndex(of: 0), end > 5
        else { return false }
        return head[5..<end].allSatisfy { 0x20...0x7E ~= $0 }
    }

    /// `<?xml`, `<!DOCTYPE` or `<html`: an export as XML, or the error page that a download was answered with.
    ///
    /// Not if a line holds a record: such lines are in logs of requests, too.
    private static func isMarkup(_ head: [UInt8]) -> Bool {
        let text = head.drop { $0 <= 0x20 || [0xEF, 0xBB, 0xBF].contains($0) }.prefix(9).map { $0 | 0x20 }
        guard ["<?xml ", "<!doctype", "<html"].contains(where: { text.starts(with: $0.utf8) }) else { return false }
        return !holdsRecord(head)
    }

    /// Whether a line would be read as that of a log.
    private static func holdsRecord(_ head: [UInt8]) -> Bool {
        head.split(separator: 0x0A).contains { $0.withUnsafeBytes(FormatDetector.holdsObject) }
    }

    /// `a:12:{`.
    private static func isPHP(_ head: [UInt8]) -> Bool {
        guard head.starts(with: Array("a:".utf8)) else { return false }
        let rest = head.dropFirst(2).drop { 0x30...0x39 ~= $0 }
        return rest.startIndex > 2 && rest.starts(with: Array(":{".utf8))
    }

    /// A name, `=`, and then a brace in percent escapes; not if a line holds a record, as one of a log may.
    private static func isForm(_ head: [UInt8]) -> Bool {
        let text = head.prefix(4096)
        guard let sign = text.firstIndex(of: 0x3D), sign > 0, sign < 64,
            text[..<sign].allSatisfy({ 0x61...0x7A ~= $0 | 0x20 || 0x30...0x39 ~= $0 || "_-.[]%".utf8.contains($0) })
        else { return false }
        let line = text[(sign + 1)...].prefix { $0 > 0x20 }
        return String(decoding: line, as: UTF8.self).lowercased().contains("%7b") && !holdsRecord(head)
    }
}
