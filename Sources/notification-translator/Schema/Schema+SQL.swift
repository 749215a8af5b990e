extension Schema {
    /// The `columns = {…}` argument of DuckDB's `read_json`.
    var duckDB: String {
        let columns = fields.map { "    \(Self.literal($0.key)): \(Self.literal(Self.duckDB($0.type)))" }
        return "columns = {\n\(columns.joined(separator: ",\n"))\n}\n"
    }

    private static func duckDB(_ type: ValueType) -> String {
        switch type {
        case .list(let element): return duckDB(element) + "[]"
        case .object(let fields):
            return "STRUCT(" + fields.map { "\"\($0.key)\" \(duckDB($0.type))" }.joined(separator: ", ") + ")"
        default:
            return type.name(
                text: "VARCHAR", time: "TIMESTAMP WITH TIME ZONE", number: "BIGINT", truth: "BOOLEAN", other: "JSON")
        }
    }

    /// A schema in Spark's DDL, for `spark.read.schema(…).json(…)`.
    var spark: String {
        fields.map { field in
            let null = field.mayBeMissing ? "" : " NOT NULL"
            return "`\(field.key)` \(Self.spark(field.type))\(null) COMMENT \(Self.literal(field.meaning))"
        }.joined(separator: ",\n") + "\n"
    }

    private static func spark(_ type: ValueType) -> String {
        switch type {
        case .list(let element): return "ARRAY<\(spark(element))>"
        case .object(let fields):
            return "STRUCT<" + fields.map { "`\($0.key)`: \(spark($0.type))" }.joined(separator: ", ") + ">"
        default:
            // An object of any keys is read as its text.
            return type.name(text: "STRING", time: "TIMESTAMP", number: "BIGINT", truth: "BOOLEAN", other: "STRING")
        }
    }

    /// A table of ClickHouse and how to load it; a row replaces an earlier one of the same id.
    var clickHouse: String {
        let columns = fields.map { field in
            // What a table is sorted by cannot be null.
            let isNullable = field.key != key && field.mayBeMissing
            return
                "    `\(field.key)` \(Self.clickHouse(field.type, isNullable)) COMMENT \(Self.literal(field.meaning))"
        }
        return """
            create table if not exists \(table)
            (
            \(columns.joined(separator: ",\n"))
            )
            engine = ReplacingMergeTree
            order by \(key);

            -- clickhouse-client --date_time_input_format best_effort --input_format_null_as_default 1 \\
            --     --query 'insert into \(table) format JSONEachRow' < events.ndjson
            -- Convert with --duplicates drop, and select ... from \(table) final.

            """
    }

    private static func clickHouse(_ type: ValueType, _ isNullable: Bool) -> String {
        switch type {
        case .word: return isNullable ? "LowCardinality(Nullable(String))" : "LowCardinality(String)"
        case .list(let element): return "Array(\(clickHouse(element, false)))"
        // A tuple cannot be null; one that is absent has nulls in it.
        case .object(let fields):
            let members = fields.map { "`\($0.key)` \(clickHouse($0.type, true))" }
            return "Tuple(" + members.joined(separator: ", ") + ")"
        default:
            let name = type.name(
                text: "String", time: "DateTime64(3, 'UTC')", number: "Int64", truth: "Bool", other: "String")
            return isNullable ? "Nullable(\(name))" : name
        }
    }

    static func literal(_ text: String) -> String { "'" + text.replacing("'", with: "''") + "'" }
}
