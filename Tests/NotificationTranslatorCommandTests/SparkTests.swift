import Testing

/// The README's script for Spark, run by a real one; ``GroupedPipeTests`` has a `sort` in its place, and runs anywhere.
///
/// Needs what `python3 -c 'import pyspark'` finds (`pip install pyspark==4.0.5`, PYTHONPATH is passed on) and a Java.
@Suite("The script for Spark") struct SparkTests {
    private static let settings =
        "export SPARK_LOCAL_IP=127.0.0.1; "
        + "export PYSPARK_SUBMIT_ARGS='--master local[2] --conf spark.ui.enabled=false pyspark-shell'; "

    static let needs: Comment = "python3 finds no PySpark (pip install pyspark==4.0.5), or there is no Java"

    /// The version of PySpark; `nil` where it or Java is missing.
    static let spark: String? = {
        let line = "java -version && python3 -c 'import pyspark; print(pyspark.__version__)'"
        guard let run = try? ReadmeTests.shell(line, in: Command()), run.code == 0 else { return nil }
        return run.output.filter { !$0.isWhitespace }
    }()

    @Test(
        "The script of the article gives what convert gives",
        .enabled(if: SparkTests.spark != nil, SparkTests.needs),
        arguments: [[], ["--infer", "all", "--as-of", "2024-06-01T00:00:00Z"]])
    func theScriptOfTheReadmeGivesWhatConvertGives(options: [String]) throws {
        let command = try Command()
        try command.write(
            ReadmeTests.code(of: "spark").replacing(" settle", with: ([" settle"] + options).joined(separator: " ")),
            to: "script.py")
        // A folder of files; the two halves of a subscription lie in different ones.
        let lines = Cluster.archive(lives: 60)
        command.makeFolder("archive")
        let size = lines.count / 3 + 1
        for number in 0..<3 {
            let part = lines.dropFirst(number * size).prefix(size).asLines
            try command.write(part, to: "archive/\(number).ndjson")
        }

        let script = Self.settings + "python3 script.py '\(Command.program)' archive spark"
        let made = try ReadmeTests.shell(script, in: command)
        #expect(made.code == 0, "\(made.errors)")
        #expect(command.exists("spark/_SUCCESS"))
        let parts = command.names(in: "spark").filter { $0.hasPrefix("part-") }
        #expect(parts.count > 1)
        let output = try parts.map { try command.text("spark/" + $0) }.joined()

        let run = try command.run(["convert", "-q", "--max-rejects", "9", "archive"] + options)
        let expected = Cluster.events(run.output)
        let actual = Cluster.events(output)
        #expect(actual == expected)
        #expect(expected.count > 1000)
        #expect(Cluster.errors(output) == ["json.unexpected-end", "record.blank", "record.skipped"])
        print("PySpark \(Self.spark ?? "?"), \(parts.count) partitions: \(actual.count) events as from convert")
    }

    @Test(
        "A program that is not there fails the script",
        .enabled(if: SparkTests.spark != nil, SparkTests.needs))
    func aProgramThatIsNotThereFailsTheScript() throws {
        let command = try Command(["script.py": ReadmeTests.code(of: "spark"), "archive.ndjson": Body.lines(3)])
        let script = Self.settings + "python3 script.py /bin/false archive.ndjson spark"
        let run = try ReadmeTests.shell(script, in: command)
        #expect(run.code != 0)
        #expect(!command.exists("spark/_SUCCESS"))
    }
}
