import NotificationTranslation

/// The topics of `help` that are not commands.
enum Topics {
    /// The texts by their topics.
    ///
    /// Each is made when it is asked for; otherwise every command would load the table of fields.
    static let all: KeyValuePairs<String, @Sendable () -> String> = [
        "exit-codes": { exitCodes }, "fields": { fields }, "formats": { formats }, "privacy": { privacy },
    ]

    private static let exitCodes = """
        Exit codes

          0    done
          1    finished with findings, one of these; the output is complete:
               - more records were rejected than --max-rejects allows (default 0)
               - there were records, and none was converted
               - no input file was found
               - a record not read in full shows signs of a notification
               - --strict, and something is ambiguous or of an unknown type
               - --strict, and version 2 contradicts a translation
          2    failed: wrong usage, unreadable input, unwritable output, full
               disk, damaged compressed data or no program to unpack it. Where data
               is damaged, or a file of a folder cannot be read, the output holds
               everything else; if a temporary file is damaged, some events are
               judged without their neighbours. In all other cases an earlier output
               is left as it was
          130  interrupted (SIGINT)
          143  terminated (SIGTERM)

        If the output pipe is closed, the program exits silently (SIGPIPE).

        """

    /// Names with commas, indented.
    private static func wrapped(_ names: [String]) -> String {
        HelpText.wrapped(names.joined(separator: ", "), indent: 2, columns: HelpText.columns - 1)
    }

    private static let formats = """
        Formats

        Inputs may be of several formats. The format of each is found by its start:
          lines       one record per line, LF or CRLF; the last may lack its line end
          an array    one JSON array of records, on one line or many
          documents   concatenated JSON objects, pretty-printed or not
          a table     one record per row, with a header: CSV (delimiter , ; | or tab),
                      PostgreSQL COPY as text or CSV, mysql --batch. Without a header
                      it needs -i csv or -i tsv, unless each row has a JSON field
                      between tabs or in quotes
          a log       lines with a JSON object, or a text that holds one, somewhere in
                      them, or a signed payload; the text before it is searched
                      for a time. INSERT statements and COPY rows of a dump are
                      such lines. Lines that Docker or Kubernetes cut into pieces
                      of 16 KB are skipped with a note; join them before, with jq or
                      awk. Other lines are skipped. A file whose first 64 KB are
                      text without JSON is read as a log; for a shorter one use
                      -i log
        each packed with gzip, zstd or xz or not, with or without a byte order mark.
        --input-format names the format where the start of an input misleads. A broken
        line, row or document costs only itself. Other formats (zip, tar, bzip2, 7z,
        Parquet, SQLite, BSON, UTF-16, forms, serialised PHP, XML and HTML, unknown
        binary data) are one reject per file. Links in folders are not followed, and
        the run says how many there were.

        A record is a version 1 body, {"signedPayload":...}, a bare signed payload, a
        decoded version 2 payload, or one of these inside an envelope such as
        {"received_at":...,"body":"..."} or a row of a table. It may be under any
        name, up to \(Envelope.deepest) keys deep, in objects, arrays, JSON in texts, base64 and the
        typed values of DynamoDB, Firestore and MongoDB, also where columns beside it
        repeat its type. If several values could be the notification, these names have
        priority:
        \(wrapped(Envelope.bodyNames))
        The time of arrival is read from the innermost of
        \(wrapped(Envelope.timeNames))
        or, in any case and with anything between the words, from
        \(wrapped(Envelope.looseTimeNames))
        and any name that ends with receivedat. In an array beside the notification, a
        time needs no name.
        Times are RFC 3339, a number of seconds, milliseconds, microseconds or
        nanoseconds, 03/Nov/2020:09:12:44 +0000, Tue, 03 Nov 2020 09:12:44 GMT, or
        11/3/2020 9:12:44 AM; without a zone UTC. --received-at names another place.
        Records without an Apple notification are counted as skipped.

        Bodies that were kept in another shape are read too: receipts as JSON in a
        text, in columns such as unified_receipt_latest_receipt_info or at the top
        level, keys in camelCase or snake_case, decoded parts beside the payload. What
        cannot be read is flagged FIELD_UNREADABLE, and so are masked ids such as
        [FILTERED] or ***, which name no customer.

        The output is one JSON object per line, UTF-8, LF, in the order of the input;
        all keys are always present, but source.receipt only with --verify-receipts.
        A line of the --rejects file is
          {"input","line","offset","length","code","path"}
        offset and length are bytes of the uncompressed input, so
          tail -c +$((offset + 1)) FILE | head -c LENGTH
        gives the record back.

        """

    private static let fields: String = {
        var text = "Fields of an event\n\nHow values are written:\n"
        for kind in EventFieldTable.Kind.allCases {
            let lines = HelpText.wrapped(kind.sentence, indent: 16)
            let name = "  " + kind.code
            text += name + lines.dropFirst(name.count) + "\n"
        }
        text += "\nThe fields, in their order; 'explain FIELD' says what each means:\n"
        for item in EventFieldTable.current.paths {
            text += "  \(HelpText.padded(item.path + " ", to: 46))\(item.field.kind.code)\n"
        }
        return text
    }()

    private static let privacy = """
        Privacy

        The program uses no network and no configuration file. Of the environment it
        reads only PATH, TERM, NO_COLOR and TMPDIR.

        The shared secret (password) and the text of the receipts in version 1 bodies
        are never written: not into events, rejects, messages or temporary files.
        --verify-receipts copies facts from a receipt into events: its creation date,
        what it covers and transactions that the body lacks. The one exception is what
        you ask for by --rejects-raw: it holds rejected records as they are, in a file
        readable by you alone.

        Large inputs in timeline context need temporary files: some 600 bytes for the
        event and 300 to 650 for its neighbours of each notification. They have no name
        and disappear when the program ends.

        app_account_token, which your servers gave to Apple, stays as it is unless
        --redact KEYFILE replaces it by its HMAC-SHA256 under the bytes of that file:
        the same account keeps the same 64 hexadecimal digits, and nobody without the
        key can get from one to the other. Letters A to Z count as a to z, so
          printf %s TOKEN | tr A-Z a-z | openssl dgst -sha256 -mac HMAC \\
            -macopt hexkey:$(xxd -p -c 256 KEY)
        gives the same. No file holds the key.

        Messages name files, lines, codes and keys, never a value of a record.

        """
}
