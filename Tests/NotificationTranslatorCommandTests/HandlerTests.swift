import NotificationLibC
import NotificationTranslation
import SimulatedLives
import Testing

/// The handlers of the article about other languages, run against a PostgreSQL by two workers that are killed.
@Suite("Handlers in other languages", .enabled(if: Handler.hasServer, "PGHOST names no server")) struct HandlerTests {
    @Test(
        "The handler in each language that is installed with what connects it gives what convert gives",
        arguments: [Handler.php, .python, .node, .ruby].filter(\.isReady))
    fileprivate func check(_ handler: Handler) throws { try handler.check() }
}

/// A handler of the article, and what makes a worker of it.
///
/// A worker gets a time that is now, and a file with a number, a time of arrival and a body on each line, or the word
/// `all`. It prints the numbers of the bodies that it has stored. A body that fails because the program has ended is left.
private struct Handler: Sendable, CustomTestStringConvertible {
    /// The name of its section, and the file it is run from.
    let section: String
    let file: String
    let interpreter: String
    var testDescription: String { interpreter }
    /// Succeeds if what it needs is installed.
    let probe: String
    /// What makes a worker of it.
    let worker: String

    static var hasServer: Bool { getenv("PGHOST") != nil && Command.isInstalled("psql") }

    var isReady: Bool {
        guard Self.hasServer, Command.isInstalled(interpreter), let command = try? Command() else { return false }
        return (try? ReadmeTests.shell(probe, in: command).code) == 0
    }

    /// One delivery to a worker.
    private struct Row {
        var receivedAt: String
        var body: String
        /// As an archive has it.
        var record: String { #"{"receivedAt":"\#(receivedAt)","body":\#(body)}"# }
    }

    /// Deliveries of simulated lives in no order, a tenth of them again six hours later.
    private static func deliveries(_ dice: inout SeededGenerator) -> [Row] {
        var rows: [Row] = []
        for era in SimulatedEra.allCases {
            for seed in 0..<7 {
                let life = SimulatedLife(seed: UInt64(8_100 + seed), era: era, lostPercent: 3, cutOverPercent: 40)
                for delivery in life.deliveries {
                    let body = String(decoding: delivery.body, as: UTF8.self)
                    let row = Row(receivedAt: "\(EventTime(milliseconds: delivery.receivedAt))", body: body)
                    rows.append(row)
                    // A one-time purchase with mostly late deliveries is an import, in which the first line leads.
                    guard dice.chance(10), delivery.type != "REFUND" else { continue }
                    rows.append(
                        Row(receivedAt: "\(EventTime(milliseconds: delivery.receivedAt + 21_600_000))", body: body))
                }
            }
        }
        return rows.shuffled(using: &dice) + [Row(receivedAt: "2024-01-01T00:00:00Z", body: #"{"kind":"heartbeat"}"#)]
    }

    func check() throws {
        var dice = SeededGenerator(seed: 35)
        let rows = Self.deliveries(&dice)
        let command = try Command()
        let now = "2025-01-31T00:00:00Z"
        try command.write(rows.map(\.record).asLines, to: "archive")
        let batch = try command.run(
            "convert", "-q", "archive", "--infer", "all", "--as-of", now, "--duplicates", "drop")
        #expect(batch.code == 0, "\(batch.errors)")
        let handler = try ReadmeTests.code(of: section)
        #expect(handler.split(separator: "\n").count <= 40)
        try command.write(handler + worker, to: file)
        try command.write(ReadmeTests.code(of: "handler-sql"), to: "schema.sql")
        let database = "handlers_\(getpid())_\(interpreter)"
        let select = "export PGDATABASE=\(database); "
        func shell(_ line: String) throws -> String {
            let run = try ReadmeTests.shell(select + line, in: command)
            #expect(run.code == 0, "\(run.errors)")
            return run.output
        }
        let psql = "psql -X -q -v ON_ERROR_STOP=1 "
        _ = try shell(psql + "-d postgres -c 'create database \(database)' && \(psql) -f schema.sql")
        defer { _ = try? shell(psql + "-d postgres -c 'drop database \(database) with (force)'") }
        let script = select + "exec \(interpreter) \(file) \(now) "
        // Each round both workers take what is left of their half, and one or both are killed, or the program beside them.
        var left = [0, 1].map { half in rows.indices.filter { $0 % 2 == half } }
        var kills = (workers: 0, programs: 0)
        var round = 0
        while left.contains(where: { !$0.isEmpty }) {
            round += 1
            guard round < 60 else {
                Issue.record("\(left.map(\.count)) bodies are left")
                return
            }
            let running = try (0..<2).map { half in
                let lines = left[half].map { "\($0)\t\(rows[$0].receivedAt)\t\(rows[$0].body)\n" }
                try command.write(lines.joined(), to: "job\(half)")
                return try command.start(
                    ["-c", script + "job\(half)"], environment: ReadmeTests.environment, program: "/bin/sh")
            }
            // The last rounds are left alone, so that the test has an end.
            if round <= 12 {
                usleep(UInt32(dice.number(150_000...900_000)))
                for worker in running where dice.chance(80) {
                    if dice.chance(40), let child = Self.children(worker.identifier).randomElement(using: &dice) {
                        kill(child, SIGKILL)
                        kills.programs += 1
                        usleep(UInt32(dice.number(50_000...300_000)))
                    }
                    kill(worker.identifier, SIGKILL)
                    kills.workers += 1
                }
            }
            for (half, worker) in running.enumerated() {
                let code = worker.wait()
                let errors = try command.text(worker.errors)
                #expect(code == 0 || code == 128 + SIGKILL, "\(errors)")
                guard code == 0 || code == 128 + SIGKILL else { return }
                let answered = try command.text(worker.output)
                let stored = Set(answered.split(separator: "\n").compactMap { Int($0) })
                left[half].removeAll { stored.contains($0) }
            }
        }
        #expect(kills.workers > 3)
        _ = try shell(script + "all")
        let states = try shell(psql + "-Atc 'select json_array_elements(rows) from state'").split(separator: "\n")
            .sorted()
        let table = try command.run("state", "-q", "--at", now, "archive")
        #expect(table.code == 0, "\(table.errors)")
        #expect(states == table.lines.sorted())
        let stored = try shell(psql + "-Atc 'select event from event'")
        let (actual, expected) = (Cluster.events(stored), Cluster.events(batch.output))
        #expect(expected.count > 100)
        #expect(actual.count == expected.count)
        let (wrong, missing) = (Set(actual).subtracting(expected).sorted(), Set(expected).subtracting(actual).sorted())
        #expect(wrong == [])
        #expect(missing == [])
        print(
            "\(interpreter): \(rows.count) bodies, \(kills.workers) workers and \(kills.programs) programs killed in "
                + "\(round) rounds; \(actual.count) events and \(states.count) states as of convert and state")
    }

    /// The processes that a process started, on Linux.
    private static func children(_ identifier: pid_t) -> [pid_t] {
        let list = try? Data(contentsOf: URL(filePath: "/proc/\(identifier)/task/\(identifier)/children"))
        return String(decoding: list ?? Data(), as: UTF8.self).split(separator: " ").compactMap { pid_t($0) }
    }

    static let php = Handler(
        section: "handler-php", file: "worker.php", interpreter: "php",
        probe: "php -r 'exit(extension_loaded(\"pdo_pgsql\") ? 0 : 1);'",
        worker: #"""

            $handler = new Handler(new PDO('pgsql:'));
            [, $now, $job] = $argv;
            foreach ($job === 'all' ? [] : file($job, FILE_IGNORE_NEW_LINES) as $row) {
                [$number, $received, $body] = explode("\t", $row, 3);
                try {
                    $handler->receive($body, $received, $now);
                    echo $number, "\n";
                } catch (RuntimeException $error) {
                    if (!str_contains($error->getMessage(), 'has ended')) throw $error;
                }
            }
            if ($job === 'all') $handler->settleAgain($now, true);
            """#)

    static let python = Handler(
        section: "handler-python", file: "worker.py", interpreter: "python3", probe: "python3 -c 'import psycopg'",
        worker: """

            import psycopg, sys
            handler = Handler(psycopg.connect(autocommit=True))
            now, job = sys.argv[1:]
            for row in [] if job == "all" else open(job, encoding="utf-8"):
                number, received, body = row.rstrip("\\n").split("\\t", 2)
                try:
                    handler.receive(body, received, now)
                    print(number, flush=True)
                except IOError: pass
            if job == "all": handler.settle_again(now, True)
            """)

    static let node = Handler(
        section: "handler-node", file: "worker.mjs", interpreter: "node", probe: "node -e 'require(\"pg\")'",
        worker: #"""

            import { readFileSync } from 'node:fs'
            import { createRequire } from 'node:module'
            const { Client } = createRequire(import.meta.url)('pg')
            const database = new Client()
            await database.connect()
            const handler = new Handler(database)
            const [now, job] = process.argv.slice(2)
            for (const row of job === 'all' ? [] : readFileSync(job, 'utf8').split('\n').filter(Boolean)) {
              const [number, received, body] = row.split('\t')
              try {
                await handler.receive(body, received, now)
                console.log(number)
              } catch (error) {
                if (!error.message.includes('has ended')) throw error
              }
            }
            if (job === 'all') await handler.settleAgain(now, true)
            process.exit()
            """#)

    static let ruby = Handler(
        section: "handler-ruby", file: "worker.rb", interpreter: "ruby", probe: "ruby -r pg -e 0",
        worker: #"""

            require 'pg'
            $stdout.sync = true
            handler = Handler.new(PG.connect)
            now, job = ARGV
            (job == 'all' ? [] : File.readlines(job, encoding: 'UTF-8')).each do |row|
              number, received, body = row.chomp.split("\t", 3)
              handler.receive(body, received, now)
              puts number
            rescue IOError, SystemCallError
              next
            end
            handler.settle_again(now, all: true) if job == 'all'
            """#)
}
