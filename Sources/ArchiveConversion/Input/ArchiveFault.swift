import NotificationTranslation

/// A record, or a whole input, that is rejected by the cutting of the archive, not by what the record says.
enum ArchiveFault: String, Hashable, Sendable, CaseIterable {
    case tooLong = "record.too-long"
    case damaged = "input.damaged"
    case separator = "array.separator"
    case unclosedArray = "array.unclosed"
    case quotes = "table.quotes"
    case columns = "table.columns"
    case unreadable = "input.unreadable"
    case zip = "input.zip"
    case tar = "input.tar"
    case bzip2 = "input.bzip2"
    case sevenZip = "input.7z"
    case parquet = "input.parquet"
    case sqlite = "input.sqlite"
    case utf16 = "input.utf16"
    case form = "input.form-encoded"
    case php = "input.php"
    case bson = "input.bson"
    case markup = "input.markup"
    /// What this program wrote, which is skipped and not refused.
    case report = "input.own-report"
    case mapping = "input.own-mapping"
    case schema = "input.own-schema"
    case binary = "input.binary"

    /// Why the input is skipped, if it is.
    var skip: SkipReason? {
        switch self {
        case .report: .ownReport
        case .mapping: .ownMapping
        case .schema: .ownSchema
        default: nil
        }
    }

    /// One sentence for people.
    var message: String {
        switch self {
        case .tooLong:
            "the record is longer than 16 MiB and was not read; if it is a list, write one element per line: "
                + "jq -c '.NAME[]' FILE"
        case .damaged: "the compressed data is cut off or damaged here"
        case .separator: "expected exactly one comma between two elements of the array"
        case .unclosedArray: "the array is not closed"
        case .quotes: "a quoted field of the row is not closed, or is followed by something else than a separator"
        case .columns: "the row has more fields than the header"
        case .unreadable: "the file cannot be read; the other files of the folder were"
        case .zip: "this is a zip archive; unpack it first: unzip -p FILE | notification-translator convert -"
        case .tar: "this is a tar archive; unpack it first: tar -xf FILE -C FOLDER, then convert FOLDER"
        case .bzip2: "this is bzip2 data; unpack it first: bzip2 -dc FILE | notification-translator convert -"
        case .sevenZip: "this is a 7z archive; unpack it first: 7z x -so FILE | notification-translator convert -"
        case .parquet:
            "this is Parquet; write it as JSON first: duckdb -c \"copy (from 'FILE') to 'rows.ndjson' (format json)\""
        case .sqlite:
            "this is a SQLite database; write the table as CSV first: sqlite3 -header -csv FILE 'select * from T'"
        case .utf16: "this is UTF-16; write it as UTF-8 first: iconv -f UTF-16 -t UTF-8 FILE"
        case .form: "this is form-encoded; decode the field that holds the notification first"
        case .php: "this is PHP-serialised; write it as JSON first: json_encode(unserialize(...))"
        case .bson: "this is BSON; write it as JSON first: bsondump FILE"
        case .markup: "this is XML or HTML; export it as CSV or JSON instead"
        case .report, .mapping, .schema: skip?.sentence ?? ""
        case .binary:
            "this is not text (more than 5 % control characters) and not a known format; unpack, decrypt or export it as "
                + "text first, or name its format with --input-format"
        }
    }
}
