extension Schema {
    /// A column of a flat table and the place of its value in a line.
    private typealias Column = (field: Field, path: [String])

    /// Tables of PostgreSQL, how to load lines into them, and a view of the events alone.
    var postgres: String {
        if let rows { return postgres(of: rows) }
        let columns = columns(fields, prefix: "", path: [], isNullable: false)
        let width = columns.map(\.field.key.count).max() ?? 0
        let definitions = columns.map { column in
            let name = HelpText.padded("\"\(column.field.key)\"", to: width + 2)
            let null = column.field.key == key ? " primary key" : column.field.isNullable ? "" : " not null"
            return "    \(name) \(Self.postgres(column.field.type))\(null)"
        }
        let comments = columns.filter { !$0.field.meaning.isEmpty }.map {
            "comment on column \(table).\"\($0.field.key)\" is \(Self.literal($0.field.meaning));"
        }
        let names = columns.map { "\"\($0.field.key)\"" }.joined(separator: ", ")
        let values = columns.map { "    " + Self.value($0) + " as \"\($0.field.key)\"" }.joined(separator: ",\n")
        let updates = columns.filter { $0.field.key != key }
            .map { "    \"\($0.field.key)\" = excluded.\"\($0.field.key)\"" }.joined(separator: ",\n")
        // Of two lines with one id the event itself comes before its repetitions, and what was read last before others.
        let order = table == "events" ? ", line ->> 'disposition' = 'duplicate', number desc" : ", number desc"
        // What a backend looks events up by.
        let indexes = """
            create index if not exists events_subscription on events (original_transaction_id, occurred_at, position);
            create index if not exists events_time on events (occurred_at);
            """
        var text = """
            create table if not exists \(table) (
            \(definitions.joined(separator: ",\n")),
                -- The order of the lines, for events of one millisecond.
                position bigint
            );
            \(table == "events" ? indexes : "")

            \(comments.joined(separator: "\n"))

            -- Lines wait here while they are loaded; the odd delimiters keep copy from reading JSON as anything else.
            -- PostgreSQL has no character U+0000; U+FFFD replaces it, so that one line with it does not stop all others.
            create temporary table loading (
                number bigint generated always as identity,
                arrived text not null,
                line jsonb generated always as (case when position('\\u0000' in arrived) = 0 then arrived else
                    regexp_replace(arrived, '(?<!\\\\)((?:\\\\\\\\)*)\\\\u0000', '\\1\\\\ufffd', 'g') end::jsonb) stored
            );
            \\copy loading(arrived) from 'events.ndjson' csv quote e'\\x01' delimiter e'\\x02'

            -- Loading a file again, or one with notifications that were delivered again, changes nothing.
            -- A line that is changed in a sub-select is unpacked once, and not for each column.
            insert into \(table) (\(names), position)
            select distinct on (line ->> '\(key)')
            \(values),
                number
            from (select number, line || '{}'::jsonb as line from loading offset 0) as lines
            order by line ->> '\(key)'\(order)
            on conflict ("\(key)") do update set
            \(updates),
                position = excluded.position;
            drop table loading;

            """
        if table == "events" {
            text += """

                -- Without what is only part of another event.
                create or replace view only_events as
                select * from \(table) where disposition not in ('companion', 'duplicate');

                """
        }
        return text
    }

    private func columns(_ fields: [Field], prefix: String, path: [String], isNullable: Bool) -> [Column] {
        fields.flatMap { field in
            let here = path + [field.key]
            let mayBeNull = isNullable || field.mayBeMissing
            if case .object(let members) = field.type {
                // The keys of a transaction are like no others; those of other objects get its name before them.
                let isLikeNoOther = field.key == (table == "notifications_v2" ? "data" : "transaction") && path.isEmpty
                let inner = isLikeNoOther ? prefix : prefix + field.key + "_"
                return columns(members, prefix: inner, path: here, isNullable: mayBeNull)
            }
            return [(Field(prefix + field.key, field.type, nullable: mayBeNull, field.meaning), here)]
        }
    }

    static func postgres(_ type: ValueType) -> String {
        if case .list(.text) = type { return "text[]" }
        return type.name(text: "text", time: "timestamptz", number: "bigint", truth: "boolean", other: "jsonb")
    }

    private static func value(_ column: Column) -> String {
        let objects = column.path.dropLast().map { " -> '\($0)'" }.joined()
        let last = column.path.last ?? ""
        switch column.field.type {
        case .text, .word: return "line\(objects) ->> '\(last)'"
        case .time, .number, .truth: return "(line\(objects) ->> '\(last)')::\(postgres(column.field.type))"
        case .list(.text): return "array(select jsonb_array_elements_text(line\(objects) -> '\(last)'))"
        case .document: return "nullif(line\(objects) -> '\(last)', 'null')"
        case .list, .object: return "line\(objects) -> '\(last)'"
        }
    }
}
