#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import Testing

/// The SQL of the article about timelines, given to a database.
struct SchemaTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

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
