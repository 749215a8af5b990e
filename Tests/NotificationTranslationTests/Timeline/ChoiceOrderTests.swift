import Testing

@testable import NotificationTranslation

/// Plans are numbers; the period runs as plan 1, and times are seconds.
@Suite("The order of choices")
struct ChoiceOrderTests {
    private static func firsts(
        _ choices: [(plan: UInt64, at: Int64)], sights: [(plan: UInt64, at: Int64)] = [], isSandbox: Bool = false
    ) -> [Int?]? {
        let start: Int64 = 1_600_000_000_000
        let deliveries = choices.map {
            ChoiceOrder.Delivery(text: $0.plan, plan: $0.plan, offer: TimelineID.none, received: start + $0.at * 1000)
        }
        var order = ChoiceOrder(
            deliveries, sights: sights.map { ChoiceOrder.Sight(at: start + $0.at * 1000, plan: $0.plan) }, initial: 1,
            during: start - 864_000_000..<start + 8_640_000_000, DecisionTable.current.parameters, isSandbox: isSandbox)
        return order.verdicts()?.map(\.first)
    }

    private static let hour: Int64 = 3600

    @Test("A choice that comes again at an hour of the retries is the same")
    func again() {
        #expect(Self.firsts([(2, 0), (2, 6 * Self.hour + 20)]) == [nil, 0])
        #expect(
            Self.firsts([(2, 0), (1, Self.hour), (2, 6 * Self.hour)], sights: [(1, 9 * Self.hour)]) == [nil, nil, 0])
    }

    @Test("A choice that was taken back in between is another one")
    func takenBack() {
        #expect(Self.firsts([(2, 0), (1, Self.hour), (2, 2 * Self.hour)]) == [nil, nil, nil])
    }

    @Test("What was in force afterwards decides against the hours")
    func inForce() {
        let choices: [(plan: UInt64, at: Int64)] = [(2, 0), (1, Self.hour), (2, 6 * Self.hour)]
        #expect(Self.firsts(choices, sights: [(2, 9 * Self.hour)]) == [nil, nil, nil])
    }

    @Test("Two choices that were both told twice at odd hours are four")
    func oddHours() {
        let choices: [(plan: UInt64, at: Int64)] = [(2, 0), (2, 6), (1, 330), (1, 28 * Self.hour)]
        #expect(Self.firsts(choices) == [nil, nil, nil, nil])
    }

    @Test("A retry counts from the delivery that it repeats, not from the last one")
    func fromItsFirst() {
        let choices: [(plan: UInt64, at: Int64)] = [
            (2, 0), (1, 46 * Self.hour), (2, 53 * Self.hour + 1900), (2, 78 * Self.hour + 300),
            (1, 94 * Self.hour + 100),
        ]
        #expect(Self.firsts(choices) == [nil, nil, nil, 0, 1])
    }

    @Test("The sandbox delivers once")
    func sandbox() {
        #expect(Self.firsts([(2, 0), (1, 3), (1, 45)], isSandbox: true) != nil)
        #expect(Self.firsts([(2, 0), (1, 100), (2, 200)], isSandbox: true) == [nil, nil, nil])
    }

    @Test("More choices than can be compared are not judged together")
    func tooMany() {
        let choices = (0...ChoiceOrder.most).map { (plan: UInt64(1 + $0 % 2), at: Int64($0) * 10) }
        #expect(Self.firsts(choices) == nil)
    }
}
