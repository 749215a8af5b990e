import Testing

@testable import NotificationTranslation

@Suite("The counts of a run")
struct TallyTests {
    @Test("Adding two parts adds every count that a checkpoint keeps")
    func addsAll() {
        var part = Tally()
        for (place, count) in Tally.counts.enumerated() { part[keyPath: count] = place + 1 }
        var sum = part
        sum.add(part)
        #expect(Tally.counts.map { sum[keyPath: $0] } == Tally.counts.indices.map { 2 * ($0 + 1) })
    }
}
