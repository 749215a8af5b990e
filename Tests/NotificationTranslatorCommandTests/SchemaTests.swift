import NotificationLibC
import Testing

@testable import NotificationTranslation

/// The SQL of the article about timelines, given to a database.
@Suite("Schemas for databases")
struct SchemaTests {
    private static let archive = Command.root + "/Fixtures/archive"

    private static let formats = ["json-schema", "duckdb", "bigquery", "clickhouse", "postgres", "spark"]

    @Test("A schema names every field of every shape", arguments: formats, ["events", "v2", "cloudevents"])
    func namesEveryField(_ format: String, _ shape: String) throws {
        let command = try Command()
        let run = try command.run(["schema", "--format", format, "--shape", shape])
        #expect(run.code == 0 && run.errors.isEmpty)
        var fields = EventFieldTable.current.objects.flatMap(\.fields)
        if shape == "v2" { fields.removeAll { $0.apple == nil } }
        let keys = fields.map { shape == "v2" ? $0.apple ?? "" : $0.key }
        #expect(keys.count > 30)
        for key in keys { #expect(run.output.contains(key), "\(key)") }
        if format == "json-schema" || format == "bigquery" {
            _ = try Command.json(run.output)
        }
    }

    @Test(
        "The schema and the programs it is for agree on every line",
        .enabled(if: ReadmeTests.python(has: "duckdb, jsonschema"), "python3 has no duckdb and jsonschema"))
    func agreesWithPrograms() throws {
        let command = try Command()
        let inputs = "\(Self.archive) \(Self.archive)/2020.ndjson"
        let program = """
            import json, duckdb, jsonschema
            for shape in ('events', 'v2', 'cloudevents'):
                validator = jsonschema.Draft202012Validator(json.load(open(shape + '.schema')))
                for line in open(shape + '.ndjson'): validator.validate(json.loads(line))
            columns = open('columns').read()
            for time in (1, 2):
                duckdb.sql(f"copy (from read_json('events.ndjson', {columns}) where disposition <> 'duplicate') "
                    "to 'events.parquet'")
                print(duckdb.sql("select count(*) = count(distinct id), min(occurred_at) is not null, "
                    "count(details) > 0 from 'events.parquet'").fetchall())
            """
        try command.write(program, to: "run.py")
        let shapes = ["events", "v2", "cloudevents"].map { shape in
            "notification-translator schema --shape \(shape) > \(shape).schema && "
                + "notification-translator convert -q --to \(shape) \(inputs) -o \(shape).ndjson"
        }
        let line = shapes.joined(separator: " && ")
        let columns = "notification-translator schema --format duckdb > columns"
        let run = try ReadmeTests.shell("\(line) && \(columns) && python3 run.py", in: command)
        #expect(run.output == "[(True, True, True)]\n[(True, True, True)]\n", "\(run.errors)")
    }

    @Test(
        "The tables of PostgreSQL take an archive with redeliveries, twice",
        .enabled(if: getenv("PGHOST") != nil, "PGHOST names no server"))
    func loadsIntoPostgres() throws {
        let command = try Command()
        let psql = "psql -X -q -v ON_ERROR_STOP=1"
        let nul = #"{"notification_type":"CANCEL","environment":"nul \u0000\u0000 and \\u0000"}"#
        try command.write(nul + "\n", to: "nul.ndjson")
        let count =
            "select count(*) = count(distinct id), count(*) > 10, count(*) > (select count(*) from only_events) from events"
        let load = "\(psql) -f events.sql && \(psql) -Atc '\(count)'"
        let run = try ReadmeTests.shell(
            """
            notification-translator convert -q \(Self.archive) \(Self.archive)/2020.ndjson nul.ndjson -o events.ndjson &&
            notification-translator schema --format postgres > events.sql && \(load) && \(load)
            \(psql) -Atc "select environment from events where environment like 'nul%'"
            \(psql) -c 'drop table events cascade'
            """, in: command)
        #expect(run.output == "t|t|t\nt|t|t\nnul \u{FFFD}\u{FFFD} and \\u0000\n", "\(run.errors)")
    }

    @Test(
        "The table of MySQL takes an archive with redeliveries, twice",
        .enabled(if: getenv("MARIADB_SOCKET") != nil, "MARIADB_SOCKET names no server"))
    func loadsIntoMariaDB() throws {
        let command = try Command(["load.sql": ReadmeTests.code(of: "mysql")])
        let socket = String(cString: try #require(getenv("MARIADB_SOCKET")))
        let mysql = "mariadb --no-defaults -u root -S '\(socket)' --local-infile=1 -N"
        let count = "select count(*), count(occurred_at), count(access_until), sum(json_valid(event)) from events"
        let load = "\(mysql) events_test < load.sql && \(mysql) events_test -e '\(count)'"
        let run = try ReadmeTests.shell(
            """
            notification-translator convert -q --duplicates drop \(Self.archive) \(Self.archive) -o events.ndjson &&
            \(mysql) -e 'create database events_test' && \(load) && \(load)
            \(mysql) -e 'drop database events_test'
            """, in: command)
        #expect(run.output == "11\t10\t8\t11\n11\t10\t8\t11\n", "\(run.errors)")
    }

    @Test(
        "Spark reads the events by their schema, with redeliveries",
        .enabled(if: SparkTests.spark != nil, SparkTests.needs))
    func loadsIntoSpark() throws {
        let command = try Command()
        try command.write(
            """
            import sys
            from pyspark.sql import SparkSession
            spark = SparkSession.builder.master('local[1]').config('spark.ui.enabled', 'false').getOrCreate()
            frame = spark.read.schema(open('ddl').read()).json('events.ndjson')
            frame = frame.where("disposition <> 'duplicate'").dropDuplicates(['id'])
            times = frame.where("occurred_at is not null and year(occurred_at) between 2018 and 2023").count()
            print(frame.count(), times, frame.where("source.line > 0 and size(flags) >= 0").count())
            """, to: "load.py")
        let run = try ReadmeTests.shell(
            """
            notification-translator schema --format spark > ddl &&
            notification-translator convert -q \(Self.archive) \(Self.archive) -o events.ndjson &&
            SPARK_LOCAL_IP=127.0.0.1 python3 load.py
            """, in: command)
        #expect(run.output == "11 10 11\n", "\(run.errors)")
    }

    @Test(
        "The types and the SQL for BigQuery, translated to DuckDB, load an archive with redeliveries twice",
        .enabled(if: ReadmeTests.python(has: "duckdb, sqlglot"), "python3 has no duckdb and sqlglot"))
    func bigQueryLoadRecipeRunsInDuckDB() throws {
        let command = try Command(["load.sql": ReadmeTests.code(of: "bigquery")])
        try command.write(
            """
            import json, duckdb, sqlglot

            def name(field):
                type = field['type']
                if type == 'RECORD':
                    type = 'STRUCT<' + ', '.join(f"`{part['name']}` {name(part)}" for part in field['fields']) + '>'
                return f'ARRAY<{type}>' if field['mode'] == 'REPEATED' else type

            def column(field):
                text = json.dumps(field['description'])
                null = ' NOT NULL' if field['mode'] == 'REQUIRED' else ''
                return f"`{field['name']}` {name(field)}{null} OPTIONS(description={text})"

            def run(text):
                for statement in sqlglot.parse(text, read='bigquery', error_level=sqlglot.ErrorLevel.RAISE):
                    assert not isinstance(statement, sqlglot.exp.Command), text
                    duckdb.execute(statement.sql('duckdb', unsupported_level=sqlglot.ErrorLevel.RAISE))

            def values(query): return duckdb.execute(query).fetchall()[0]

            duckdb.execute("create schema app; set timezone = 'UTC'")
            columns = ', '.join(map(column, json.load(open('schema.json'))))
            for _ in range(2):
                # What `bq load --replace` does with the schema and the lines.
                duckdb.execute('drop table if exists app.arrived')
                run(f'create table app.arrived ({columns})')
                types = duckdb.execute('select column_name, column_type from (describe app.arrived)').fetchall()
                shape = ', '.join(f"'{name}': '{type}'" for name, type in types)
                lines = "read_json('events.ndjson', columns = {" + shape + "})"
                duckdb.execute(f'insert into app.arrived select * from {lines}')
                run(open('load.sql').read())
                print(*values("select count(*), count(distinct id), count(occurred_at), count(access_until), "
                    "sum(len(flags)) > 0, count(transaction.expires_at) > 5, count(details) from app.events"))
            # A later judgement takes the place of an earlier one.
            duckdb.execute("update app.arrived set entitlement = 'none'")
            run(open('load.sql').read())
            print(*values("select count(*), min(entitlement), max(entitlement) from app.events"))
            """, to: "load.py")
        let run = try ReadmeTests.shell(
            """
            notification-translator schema --format bigquery > schema.json &&
            notification-translator convert -q --duplicates drop \(Self.archive) \(Self.archive) -o events.ndjson &&
            python3 load.py
            """, in: command)
        let loaded = "11 11 10 8 True True 2\n"
        #expect(run.output == loaded + loaded + "11 none none\n", "\(run.errors)")
    }

    @Test(
        "A database takes the schema of the article",
        .enabled(if: ReadmeTests.python(has: "sqlite3"), "there is no Python with SQLite"))
    func articleSchema() throws {
        let command = try Command()
        let article = try Command.file(ReadmeTests.catalogue + "Timelines.md")
        let statements = try ReadmeTests.part(of: article, from: "```sql\n", to: "```")
        try command.write(statements, to: "schema.sql")
        let program = """
            import sqlite3
            database = sqlite3.connect(':memory:')
            database.executescript(open('schema.sql').read())
            for key in ('b', 'a', 'b'):
                database.execute('insert into notification (key, event, evidence) values (?, ?, ?)', (key, '{}', 'e'))
            print(database.execute("select number from notification where key = 'b' order by number").fetchall())
            """
        try command.write(program, to: "run.py")
        let run = try ReadmeTests.shell("python3 run.py", in: command)
        #expect(run.output == "[(1,), (3,)]\n", "\(run.errors)")
    }
}
