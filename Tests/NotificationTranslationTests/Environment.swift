/// Settings of a test run: longer runs for people, short ones for CI.
enum Environment {
    static func number(_ name: String) -> Int? { text(name).flatMap { Int($0) } }

    static func text(_ name: String) -> String? { ProcessInfo.processInfo.environment[name] }
}
