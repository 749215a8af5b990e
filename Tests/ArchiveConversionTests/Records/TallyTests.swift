import Testing

@testable import NotificationArchives

@Suite("The counts of a run")
struct TallyTests {
    private static let counts: [any WritableKeyPath<Tally, Int> & Sendable] = [
        \.records, \.converted, \.evidence, \.unprovenAnswers, \.rejected, \.skipped, \.signs, \.missedPointers,
        \.received,
        \.zoneless, \.premature, \.overdue, \.exact, \.inferred, \.ambiguous, \.unmapped, \.companions,
        \.duplicates, \.deduced, \.ambiguousDeduced, \.receipts.present, \.receipts.verified, \.receipts.covering,
        \.receipts.partly, \.receipts.contradicting,
    ]

    @Test("Adding two parts adds every count")
    func addsAll() {
        var part = Tally()
        for (index, count) in Self.counts.enumerated() { part[keyPath: count] = index + 1 }
        var sum = part
        sum.add(part)
        #expect(Self.counts.map { sum[keyPath: $0] } == Self.counts.indices.map { 2 * ($0 + 1) })
        let numbers = Array(Mirror(reflecting: part).children) + Mirror(reflecting: part.receipts).children
        #expect(Self.counts.count == numbers.count { $0.value is Int })
    }
}
