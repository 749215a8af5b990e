/// Keeps apart what only shares an original transaction id: other environments and other apps.
///
/// A body that does not name its app, or its environment, goes with the one the others name, if that is but one.
enum Partition {
    /// The places of evidence, by subscription, in their order.
    static func subscriptions(of evidence: [UnsafeRawBufferPointer]) -> [[Int]] {
        guard evidence.count > 1 else { return [Array(evidence.indices)] }
        let headers = evidence.map(EvidenceReader.header)
        var names: [(environment: EventText, bundleID: EventText)] = []
        for header in headers {
            guard let header, !header.environment.isAbsent, !header.bundleID.isAbsent,
                !names.contains(where: { same($0, header) })
            else { continue }
            names.append((header.environment, header.bundleID))
        }
        guard names.count > 1 else { return [Array(evidence.indices)] }
        var parts = [[Int]](repeating: [], count: names.count)
        var lost: [Int] = []
        for (place, header) in headers.enumerated() {
            let fitting = header.map { header in names.indices.filter { fits(names[$0], header) } } ?? []
            if fitting.count == 1 { parts[fitting[0]].append(place) } else { lost.append(place) }
        }
        return (parts + [lost]).filter { !$0.isEmpty }
    }

    private typealias Name = (environment: EventText, bundleID: EventText)

    private static func same(_ name: Name, _ header: EvidenceReader.Header) -> Bool {
        name.environment.bytes.elementsEqual(header.environment.bytes)
            && name.bundleID.bytes.elementsEqual(header.bundleID.bytes)
    }

    private static func fits(_ name: Name, _ header: EvidenceReader.Header) -> Bool {
        (header.environment.isAbsent || name.environment.bytes.elementsEqual(header.environment.bytes))
            && (header.bundleID.isAbsent || name.bundleID.bytes.elementsEqual(header.bundleID.bytes))
    }
}
