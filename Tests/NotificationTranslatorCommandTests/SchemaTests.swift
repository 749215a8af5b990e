#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import Testing

@testable import NotificationTranslation

/// The SQL of the article about timelines, given to a database.
struct SchemaTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private static let formats = ["json-schema", "duckdb", "bigquery", "clickhouse", "postgres", "spark"]

    @Test("names every field of every shape", arguments: formats, ["events", "v2", "cloudevents"])
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
            _ = try JSONDecoder().decode(JSONValue.self, from: Data(run.output.utf8))
        }
    }

    @Test("the schema and the programs it is for agree on every line")
    func agreesWithPrograms() throws {
        let command = try Command()
        guard try ReadmeTests.shell("python3 -c 'import duckdb, jsonschema'", in: command).code == 0 else {
            print("skipped: Python has no duckdb and jsonschema here; the schemas for them are not tried")
            return
        }
        let archive = Self.root.appending(path: "Fixtures/archive").path
        let inputs = "\(archive) \(archive)/2020.ndjson"
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

    @Test("the tables of PostgreSQL take an archive with redeliveries, twice")
    func loadsIntoPostgres() throws {
        let command = try Command()
        guard let host = ProcessInfo.processInfo.environment["PGHOST"] else {
            print("skipped: PGHOST names no server; the SQL for PostgreSQL is not run")
            return
        }
        let archive = Self.root.appending(path: "Fixtures/archive").path
        let port = ProcessInfo.processInfo.environment["PGPORT"] ?? "5432"
        let psql = "PGPORT=\(port) PGHOST='\(host)' psql -X -q -v ON_ERROR_STOP=1 -U postgres"
        let count =
            "select count(*) = count(distinct id), count(*) > 20, count(*) > (select count(*) from only_events) from events"
        let load = "\(psql) -f events.sql && \(psql) -Atc '\(count)'"
        let run = try ReadmeTests.shell(
            """
            notification-translator convert -q \(archive) \(archive)/2020.ndjson -o events.ndjson &&
            notification-translator schema --format postgres > events.sql && \(load) && \(load)
            \(psql) -c 'drop table events cascade'
            """, in: command)
        #expect(run.output == "t|t|t\nt|t|t\n", "\(run.errors)")
    }

    @Test func theSchemaOfTheArticleIsTakenByADatabase() throws {
        let command = try Command()
        guard try ReadmeTests.shell("python3 -c 'import sqlite3'", in: command).code == 0 else {
            print("skipped: there is no Python with SQLite here, the article's SQL is not run")
            return
        }
        let path = "Sources/NotificationTranslation/NotificationTranslation.docc/Timelines.md"
        let article = String(decoding: try Data(contentsOf: Self.root.appending(path: path)), as: UTF8.self)
        let begin = try #require(article.firstRange(of: "```sql\n"))
        let end = try #require(article[begin.upperBound...].firstRange(of: "```"))
        let statements = article[begin.upperBound..<end.lowerBound]
        try command.write(String(statements), to: "schema.sql")
        let program = """
            import sqlite3
            create, insert = open('schema.sql').read().split('insert into event', 1)
            database = sqlite3.connect(':memory:')
            database.executescript(create)
            for entitlement in ('keep', 'withdraw'):
                database.execute('insert into event' + insert, ('1', '2', '3', '4', 'event', entitlement, '{}'))
            print(database.execute('select count(*), min(entitlement) from event').fetchall())
            """
        try command.write(program, to: "run.py")
        let run = try ReadmeTests.shell("python3 run.py", in: command)
        #expect(run.output == "[(1, 'withdraw')]\n", "\(run.errors)")
    }
}
