#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Outside test data, in the folder that the environment variable `CORPORA` names; absent on most machines.
enum Corpora {
    static let folder = ProcessInfo.processInfo.environment["CORPORA"]

    /// One file of a corpus; `nil` (with a line saying so) where the corpus is not there.
    static func file(_ name: String) -> [UInt8]? {
        guard let folder else {
            print("skipped: CORPORA is not set, \(name) is not read")
            return nil
        }
        guard let data = try? Data(contentsOf: URL(filePath: folder + "/" + name)) else {
            print("skipped: \(name) is not among the corpora")
            return nil
        }
        return Array(data)
    }
}
