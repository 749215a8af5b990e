/// Keeps apart what only shares an original transaction id: other environments and other apps.
///
/// A body that does not name its app, or its environment, goes with the one the others name, if that is but one.
enum Partition {
    /// One subscription or purchase among evidence that shares a key: the indices of its notifications, of Apple's
    /// answers about it, and of what notifications about others list, in their order.
    struct Part {
        var notifications: [Int] = []
        var answers: [Int] = []
        var lists: [Int] = []

        fileprivate init(_ indices: [Int], _ evidence: [UnsafeRawBufferPointer]) {
            for index in indices {
                if EvidenceReader.isListed(evidence[index]) {
                    lists.append(index)
                } else {
                    EvidenceReader.isAnswer(evidence[index]) ? answers.append(index) : notifications.append(index)
                }
            }
        }

        var isEmpty: Bool { notifications.isEmpty && answers.isEmpty && lists.isEmpty }

        /// Keeps those for which a condition holds.
        mutating func filter(_ isKept: (Int) -> Bool) {
            notifications = notifications.filter(isKept)
            answers = answers.filter(isKept)
            lists = lists.filter(isKept)
        }
    }

    /// The subscriptions of evidence, in the order in which they are first named.
    ///
    /// Without lists, what notifications about others list is left out, so that it cannot change which notifications
    /// belong together.
    static func subscriptions(of evidence: [UnsafeRawBufferPointer], withLists: Bool = true) -> [Part] {
        let indices = evidence.indices.filter { withLists || !EvidenceReader.isListed(evidence[$0]) }
        return groups(of: indices, evidence).map { Part($0, evidence) }
    }

    private static func groups(of indices: [Int], _ evidence: [UnsafeRawBufferPointer]) -> [[Int]] {
        guard indices.count > 1 else { return indices.isEmpty ? [] : [indices] }
        let headers = indices.map { EvidenceReader.header(evidence[$0]) }
        var names: [Name] = []
        var known: Set<Name> = []
        for header in headers {
            guard let name = header.map(Name.init), name.isWhole, known.insert(name).inserted else { continue }
            names.append(name)
        }
        guard names.count > 1 else { return [indices] }
        var parts: [Name: [Int]] = [:]
        var lost: [Int] = []
        for (index, header) in zip(indices, headers) {
            let name = header.map(Name.init)
            if let name, name.isWhole {
                parts[name, default: []].append(index)
            } else if let fitting = name.flatMap({ name in onlyOne(of: names, that: name.fits) }) {
                parts[fitting, default: []].append(index)
            } else {
                lost.append(index)
            }
        }
        return (names.compactMap { parts[$0] } + [lost]).filter { !$0.isEmpty }
    }

    /// The indices of what names no purchase, and may be about those that others name.
    static func guests(among evidence: [UnsafeRawBufferPointer]) -> [Int] {
        let keyless = evidence.indices.filter {
            EvidenceReader.header(evidence[$0])?.originalTransactionID.isAbsent ?? false
        }
        guard !keyless.isEmpty, keyless.count < evidence.count else { return [] }
        return keyless.filter { !EvidenceReader.possibleSubjects(evidence[$0], .current).isEmpty }
    }

    private static func onlyOne(of names: [Name], that fits: (Name) -> Bool) -> Name? {
        guard let first = names.firstIndex(where: fits) else { return nil }
        return names[(first + 1)...].contains(where: fits) ? nil : names[first]
    }

    /// Where and of which app a subscription is, as far as a body says.
    private struct Name: Hashable {
        let environment: UInt64
        let bundleID: UInt64

        init(_ header: Statement.Header) {
            environment = TimelineID.of(header.environment)
            bundleID = TimelineID.of(header.bundleID)
        }

        var isWhole: Bool { environment != TimelineID.none && bundleID != TimelineID.none }

        /// Whether it may be this one, as far as it says.
        func fits(_ other: Name) -> Bool {
            (environment == TimelineID.none || environment == other.environment)
                && (bundleID == TimelineID.none || bundleID == other.bundleID)
        }
    }
}
