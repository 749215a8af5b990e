import SimulatedLives
import Testing

@testable import NotificationTranslation

/// Plans are numbers; the period runs as plan 1, and times are seconds.
@Suite("The association of deliveries")
struct AssociationTests {
    private static let start: Int64 = 1_600_000_000_000
    private static let hour: Int64 = 3600

    private static func choice(_ plan: UInt64, at: Int64) -> Association.Delivery {
        Association.Delivery(text: plan, at: start + at * 1000, clock: .received, chain: .plans, state: plan)
    }

    private static func association(_ deliveries: [Association.Delivery]) -> Association {
        var association = Association(deliveries, DecisionTable.current.parameters)
        association.period = start - 864_000_000..<start + 8_640_000_000
        association.initial = 1
        return association
    }

    // MARK: Choices of a plan

    /// Choices, what was in force afterwards, and which earlier choice each is.
    struct Choices: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var choices: [(plan: UInt64, at: Int64)]
        var snapshots: [(plan: UInt64, at: Int64)] = []
        var isSandbox = false
        var firsts: [Int?]
    }

    private static let cases = [
        Choices(
            testDescription: "A choice that comes again at an hour of the retries is the same",
            choices: [(2, 0), (2, 6 * hour + 20)], firsts: [nil, 0]),
        Choices(
            testDescription: "It is the same where the other one was in force afterwards",
            choices: [(2, 0), (1, hour), (2, 6 * hour)], snapshots: [(1, 9 * hour)], firsts: [nil, nil, 0]),
        Choices(
            testDescription: "A choice that was taken back in between is another one",
            choices: [(2, 0), (1, hour), (2, 2 * hour)], firsts: [nil, nil, nil]),
        Choices(
            testDescription: "What was in force afterwards decides against the hours",
            choices: [(2, 0), (1, hour), (2, 6 * hour)], snapshots: [(2, 9 * hour)], firsts: [nil, nil, nil]),
        Choices(
            testDescription: "Two choices that were both told twice at odd hours are four",
            choices: [(2, 0), (2, 6), (1, 330), (1, 28 * hour)], firsts: [nil, nil, nil, nil]),
        Choices(
            testDescription: "A retry counts from the delivery that it repeats, not from the last one",
            choices: [(2, 0), (1, 46 * hour), (2, 53 * hour + 1900), (2, 78 * hour + 300), (1, 94 * hour + 100)],
            firsts: [nil, nil, nil, 0, 1]),
        Choices(
            testDescription: "The sandbox delivers once", choices: [(2, 0), (1, 100), (2, 200)], isSandbox: true,
            firsts: [nil, nil, nil]),
    ]

    @Test("Each choice of a plan is the first or another one", arguments: cases)
    func choices(_ given: Choices) {
        var association = Self.association(given.choices.map { Self.choice($0.plan, at: $0.at) })
        association.snapshots = given.snapshots.map {
            Association.Snapshot(at: Self.start + $0.at * 1000, state: $0.plan)
        }
        association.isSandbox = given.isSandbox
        #expect(association.matches().map(\.first) == given.firsts)
    }

    @Test("Equal bodies without any time are one notification, even of a type that Apple repeats")
    func undated() {
        let body = Association.Delivery(
            text: 1, at: Self.start, clock: .undated, chain: nil, state: 0, isAskedAgain: true)
        var other = body
        other.detail = 1
        #expect(Self.association([body, body]).matches().map(\.first) == [nil, 0])
        #expect(Self.association([body, other]).matches().map(\.first) == [nil, nil])
    }

    // MARK: V1 beside V2

    /// Switches of renewal, on or off, as V1 dates and V2 signs them.
    private static func switches(_ changes: [(isSigned: Bool, isOn: Bool, at: Int64)]) -> [Association.Match] {
        var deliveries = changes.map { change in
            Association.Delivery(
                text: UInt64(bitPattern: change.at), at: start + change.at * 1000,
                clock: change.isSigned ? .signed : .dated, chain: .switches, state: change.isOn ? 1 : 2)
        }
        for place in deliveries.indices where !changes[place].isSigned {
            for signed in deliveries.indices where changes[signed].isSigned {
                guard changes[signed].isOn == changes[place].isOn else { continue }
                let apart = abs(deliveries[signed].at - deliveries[place].at)
                deliveries[place].beside.append(
                    (signed, .init(terms: apart <= 15_000 ? 0 : 3, apart: apart)))
            }
        }
        return association(deliveries).matches()
    }

    @Test("Quick changes that V2 signs some seconds later are joined in their order")
    func interleaved() {
        let matches = Self.switches([(false, false, 0), (false, true, 5), (true, false, 7), (true, true, 12)])
        let isClear = matches.map { $0.isClear }
        #expect(matches.map(\.first) == [2, 3, nil, nil])
        #expect(isClear == [true, true, true, true])
    }

    @Test("Many changes of plan that both versions report some seconds apart are joined, each with its own")
    func manyChanges() {
        let deliveries = (0..<7).flatMap { change -> [Association.Delivery] in
            var first = Self.choice(2 - UInt64(change % 2), at: Int64(change) * 600)
            first.beside = (0..<7).filter { $0 % 2 == change % 2 }.map { other in
                (2 * other + 1, Association.Penalty(terms: other == change ? 0 : 3, apart: abs(Int64(other - change))))
            }
            var second = Self.choice(first.state, at: Int64(change) * 600 + 10)
            second.clock = .signed
            return [first, second]
        }
        let matches = Self.association(deliveries).matches()
        #expect(matches.map(\.first) == (0..<14).map { $0 % 2 == 0 ? $0 + 1 : nil })
    }

    @Test("A change is not joined across the contrary that nothing else reports")
    func contrary() {
        let matches = Self.switches([(false, false, 0), (false, true, 8), (true, false, 20)])
        #expect(matches.map(\.first) == [nil, nil, nil])
    }

    // MARK: Every explanation

    /// The best explanation of all, and what is clear of it.
    private static func bruteForce(_ association: Association) -> (penalty: Association.Penalty, isClear: [Bool]) {
        var all: [(penalty: Association.Penalty, firsts: [Int?])] = []
        let part = Association.Part(association)
        func explain(_ taken: [Association.Step], _ penalty: Association.Penalty) {
            guard taken.count < association.deliveries.count else {
                all.append((penalty + association.orderPenalty(taken), Association.firsts(taken)))
                return
            }
            for (step, more) in association.options(in: part, after: taken) {
                explain(taken + [step], penalty + more)
            }
        }
        explain([], Association.Penalty(terms: 0))
        guard let best = all.min(by: { $0.penalty < $1.penalty }) else { return (Association.Penalty(terms: 0), []) }
        let margin = association.parameters.penalties.clear
        let near = all.filter { $0.penalty.terms < best.penalty.terms + margin }
        let isClear = association.deliveries.indices.map { place in
            near.allSatisfy { $0.firsts[place] == best.firsts[place] }
        }
        return (best.penalty, isClear)
    }

    private static func random(_ random: inout SeededGenerator) -> Association {
        let attempts: [Int64] = [0, 3, 40, 600, 3000, 21_600, 21_630, 86_400, 108_000, 300_000]
        let signedCount = Int.random(in: 0...2, using: &random)
        var at: Int64 = 0
        var deliveries: [Association.Delivery] = []
        let count = Int.random(in: 1...5, using: &random)
        // Most often first, as V2 is signed when it happens.
        let isFirst = Int.random(in: 0..<3, using: &random) > 0
        let signed = Set((isFirst ? Array(0..<count) : (0..<count).shuffled(using: &random)).prefix(signedCount))
        for place in 0..<count {
            at += attempts.randomElement(using: &random) ?? 0
            var delivery = choice(UInt64.random(in: 1...3, using: &random), at: at)
            if signed.contains(place) {
                delivery.clock = .signed
            } else {
                let clocks: [Association.Clock] = [.received, .received, .received, .dated, .undated]
                delivery.clock = clocks.randomElement(using: &random) ?? .received
                // Each choice may have been made before whatever else came, so that two have hundreds of explanations.
                let isChoice = deliveries.count { $0.chain == .plans && $0.clock == .received } < 2
                if !isChoice || Bool.random(using: &random) { delivery.chain = nil }
                if delivery.clock != .received { delivery.chain = [.plans, .switches].randomElement(using: &random) }
                delivery.isAskedAgain = delivery.chain == nil && Bool.random(using: &random)
            }
            deliveries.append(delivery)
        }
        for place in deliveries.indices where !signed.contains(place) {
            for other in signed.sorted() where deliveries[other].state == deliveries[place].state {
                let penalty = Association.Penalty(
                    terms: Int64.random(in: 0...5, using: &random),
                    apart: abs(deliveries[place].at - deliveries[other].at))
                deliveries[place].beside.append((other, penalty))
            }
        }
        var association = association(deliveries)
        association.isSandbox = Int.random(in: 0..<8, using: &random) == 0
        if Bool.random(using: &random) {
            association.snapshots = [Association.Snapshot(at: start + at * 500, state: 2, mayBeAutomatic: true)]
        }
        return association
    }

    @Test("An explanation has the penalty of its steps, also where there are too many to compare")
    func penaltyOfSteps() throws {
        var random = SeededGenerator(seed: UInt64(Environment.number("SEED") ?? 1))
        var tooMany = 0
        for number in 0..<(Environment.number("STRESS") == nil ? 10 : 500) {
            var at: Int64 = 0
            let association = Self.association(
                (0..<Association.most).map { _ in
                    at += [3, 40, 600, 21_600, 86_400].randomElement(using: &random) ?? 0
                    return Self.choice(UInt64.random(in: 1...3, using: &random), at: at)
                })
            if association.matches().allSatisfy({ !$0.isClear }) { tooMany += 1 }
            let part = Association.Part(association)
            let found = try #require(association.explanation())
            var expected = association.orderPenalty(found.steps)
            for (place, step) in found.steps.enumerated() {
                let options = association.options(in: part, after: Array(found.steps[..<place]))
                expected = expected + (try #require(options.first { $0.step == step })).penalty
            }
            #expect(found.penalty == expected, "case \(number)")
        }
        #expect(tooMany > 0)
    }

    @Test("The explanation is that of a search of every one, and so is what is clear")
    func everyExplanation() {
        var random = SeededGenerator(seed: UInt64(Environment.number("SEED") ?? 1))
        for number in 0..<(Environment.number("STRESS") == nil ? 500 : 10_000) {
            let association = Self.random(&random)
            let found = association.explanation()
            let isClear = association.matches().map { $0.isClear }
            let expected = Self.bruteForce(association)
            #expect(found?.penalty == expected.penalty, "case \(number)")
            #expect(isClear == expected.isClear, "case \(number)")
        }
    }

    @Test("Three hundred choices of one period are judged, and nothing of them is clear")
    func tooMany() {
        let choices = (0..<300).map { Self.choice(UInt64(1 + $0 % 2), at: Int64($0) * 10) }
        let matches = Self.association(choices).matches()
        #expect(matches.count == choices.count)
        let clear = matches.count { $0.isClear }
        #expect(clear == 0)
    }
}
