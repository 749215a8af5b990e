package import NotificationTranslation

/// Why a record or a whole input is rejected for another reason than what the record says: its form, the command or an
/// option.
package enum ArchiveFault: String, Hashable, Sendable, ExplainedWord {
    case tooLong = """
        record.too-long: the record is longer than 16 MiB and was not read; if it is a list, write one element \
        per line: jq -c '.NAME[]' FILE
        """
    case damaged = "input.damaged: the compressed data is cut off or damaged here"
    case separator = "array.separator: expected exactly one comma between two elements of the array"
    case unclosedArray = "array.unclosed: the array is not closed"
    case quotes = """
        table.quotes: a quoted field of the row is not closed, or is followed by something else than a separator
        """
    case columns = "table.columns: the row has more fields than the header"
    case unreadable = "input.unreadable: the file cannot be read; the other files of the folder were"
    case zip = "input.zip: this is a zip archive; unpack it first: unzip -p FILE | notification-translator convert -"
    case tar = "input.tar: this is a tar archive; unpack it first: tar -xf FILE -C FOLDER, then convert FOLDER"
    case bzip2 = """
        input.bzip2: this is bzip2 data; unpack it first: bzip2 -dc FILE | notification-translator convert -
        """
    case sevenZip = """
        input.7z: this is a 7z archive; unpack it first: 7z x -so FILE | notification-translator convert -
        """
    case parquet = """
        input.parquet: this is Parquet; write it as JSON first: duckdb -c "copy (from 'FILE') to 'rows.ndjson' \
        (format json)"
        """
    case sqlite = """
        input.sqlite: this is a SQLite database; write the table as CSV first: sqlite3 -header -csv FILE 'select \
        * from T'
        """
    case utf16 = "input.utf16: this is UTF-16; write it as UTF-8 first: iconv -f UTF-16 -t UTF-8 FILE"
    case form = "input.form-encoded: this is form-encoded; decode the field that holds the notification first"
    case php = "input.php: this is PHP-serialised; write it as JSON first: json_encode(unserialize(...))"
    case bson = "input.bson: this is BSON; write it as JSON first: bsondump FILE"
    case markup = "input.markup: this is XML or HTML; export it as CSV or JSON instead"
    /// What this program wrote, which is skipped and not refused.
    case report = "input.own-report"
    case mapping = "input.own-mapping"
    case schema = "input.own-schema"
    case binary = """
        input.binary: this is not text (more than 5 % control characters) and not a known format; unpack, \
        decrypt or export it as text first, or name its format with --input-format
        """

    // Lines that pipe, evidence or settle cannot answer with an event, and events that --ambiguous reject refuses.
    case blank = "record.blank: the line is blank"
    case skipped = "record.skipped: valid JSON that carries no Apple notification"
    case answer = "record.answer: an answer of Apple's API, not a notification"
    case several = "record.several: the record holds several notifications; convert takes such records"
    case notKeyed = "record.not-keyed: not a line that evidence wrote"
    case ambiguous = "event.ambiguous: more than one event is possible; 'explain' lists the candidates"

    /// Why the input is skipped, if it is.
    package var skip: SkipReason? {
        switch self {
        case .report: .ownReport
        case .mapping: .ownMapping
        case .schema: .ownSchema
        default: nil
        }
    }
}
