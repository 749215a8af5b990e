import Testing

/// Outside test data, in the folder that the environment variable `CORPORA` names; absent on most machines.
enum Corpora {
    static let folder = ProcessInfo.processInfo.environment["CORPORA"]

    static func has(_ name: String) -> Bool {
        folder.map { FileManager.default.fileExists(atPath: $0 + "/" + name) } ?? false
    }

    /// One file of a corpus; a test that reads it has the trait `corpora`.
    static func file(_ name: String) throws -> [UInt8] {
        let folder = try #require(folder)
        return Array(try Data(contentsOf: URL(filePath: folder + "/" + name)))
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips the test where one of these files is not among the corpora.
    static func corpora(_ names: String..., sourceLocation: SourceLocation = #_sourceLocation) -> Self {
        let missing = names.filter { !Corpora.has($0) }.joined(separator: ", ")
        return .enabled(if: missing.isEmpty, "CORPORA names no folder with \(missing)", sourceLocation: sourceLocation)
    }
}
