/// Outside test data, in the folder that the environment variable `CORPORA` names; absent on most machines.
enum Corpora {
    static let folder = ProcessInfo.processInfo.environment["CORPORA"]

    /// The files of one corpus, sorted by name; empty where the corpus is not there.
    static func files(_ name: String) -> [(name: String, bytes: [UInt8])] {
        guard let folder else { return [] }
        let path = folder + "/" + name
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.sorted().compactMap { name in
            (try? Data(contentsOf: URL(filePath: path + "/" + name))).map { (name, [UInt8]($0)) }
        }
    }
}
