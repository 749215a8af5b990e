@testable import NotificationTranslation

/// Every combination of the facts that some rules ask for, numbered, with what follows from each.
///
/// Values of a fact that no rule tells apart are one class, so `lapse` and `long-lapse` count once where every rule
/// names both or neither; `unknown` is always a class of its own, the last one. A combination is a number in mixed
/// radix, one digit for each fact. As `unknown` is the highest digit, replacing it by any known class gives a smaller
/// number, and the completions of all combinations can be found in one go from 0 upwards:
///
///     gap:   0 overlap   1 lapse   2 unknown        completions(gap 2, offer 0)
///     offer: 0 none      1 code    2 unknown            = completions(gap 0, offer 0) ∪ completions(gap 1, offer 0)
///
/// This knows nothing of how ``DecisionTable`` follows unknown facts: it tries them all.
struct FactSpace {
    /// A fact, a value for each of its classes, and its weight in a number.
    struct Digit {
        var fact: Fact
        var values: [Int]
        /// Whether the last class is `unknown`.
        var hasUnknown: Bool
        var weight: Int
    }

    let rules: [Rule]
    let digits: [Digit]
    let count: Int
    /// The answers of the rules, each once; sets of them are bits.
    let answers: [Rule.Answer]

    /// The space of all facts the rules name, but for those that are given.
    ///
    /// - Parameters:
    ///   - rules: The rules of a type, in order.
    ///   - given: Facts that are settled; rules that ask for another value of them can never hold and are left out.
    ///   - settled: Which of the given facts are.
    init(_ rules: [Rule], given: Facts? = nil, _ settled: Set<Fact> = []) {
        let possible = rules.filter { rule in
            rule.conditions.allSatisfy { wanted in
                guard let given, settled.contains(Fact.allCases[wanted.fact]) else { return true }
                return wanted.allowed >> UInt16(given[wanted.fact]) & 1 == 1
            }
        }
        self.rules = possible
        var digits: [Digit] = []
        var weight = 1
        for fact in Fact.allCases where !settled.contains(fact) {
            let masks = possible.flatMap(\.conditions).filter { $0.fact == fact.index }.map(\.allowed)
            guard !masks.isEmpty else { continue }
            var classes: [[Bool]: Int] = [:]
            var values: [Int] = []
            for value in fact.values.indices where value != fact.unknown {
                let signature = masks.map { $0 >> UInt16(value) & 1 == 1 }
                if classes.updateValue(value, forKey: signature) == nil { values.append(value) }
            }
            if let unknown = fact.unknown { values.append(unknown) }
            digits.append(Digit(fact: fact, values: values, hasUnknown: fact.unknown != nil, weight: weight))
            weight *= values.count
        }
        self.digits = digits
        count = weight
        var answers: [Rule.Answer] = []
        for rule in rules where !answers.contains(rule.answer) { answers.append(rule.answer) }
        self.answers = answers
    }

    /// The facts of a number, those that no rule asks for as in `base`.
    func facts(_ number: Int, base: Facts = .unknown) -> Facts {
        var facts = base
        for digit in digits { facts[digit.fact.index] = digit.values[number / digit.weight % digit.values.count] }
        return facts
    }

    /// The number of the combination that some facts fall into.
    func number(_ facts: Facts) -> Int {
        var number = 0
        for digit in digits {
            let value = facts[digit.fact.index]
            let masks = rules.flatMap(\.conditions).filter { $0.fact == digit.fact.index }.map(\.allowed)
            let place = digit.values.firstIndex { candidate in
                if digit.hasUnknown, candidate == digit.values.last || value == digit.values.last {
                    return candidate == value
                }
                return masks.allSatisfy { $0 >> UInt16(candidate) & 1 == $0 >> UInt16(value) & 1 }
            }
            number += (place ?? 0) * digit.weight
        }
        return number
    }

    /// For every number, the place of the first rule that holds, and the answers of all its completions as bits.
    func survey() -> (first: [Int], completions: [UInt64]) {
        precondition(rules.count <= UInt64.bitWidth)
        // Of each class of each fact, the rules that it does not exclude, as bits: this is called a million times.
        let holding = digits.map { digit in
            digit.values.map { value in
                rules.enumerated().reduce(into: UInt64(0)) { bits, rule in
                    let conditions = rule.element.conditions.filter { $0.fact == digit.fact.index }
                    if conditions.allSatisfy({ $0.allowed >> UInt16(value) & 1 == 1 }) { bits |= 1 << rule.offset }
                }
            }
        }
        let classes = digits.map(\.values.count)
        let bits = rules.map { rule in UInt64(1) << UInt64(answers.firstIndex(of: rule.answer) ?? 0) }
        var first = [Int](repeating: 0, count: count)
        var completions = [UInt64](repeating: 0, count: count)
        for number in 0..<count {
            var rest = number
            var open = -1
            var possible = UInt64.max
            for digit in classes.indices {
                let (quotient, place) = rest.quotientAndRemainder(dividingBy: classes[digit])
                rest = quotient
                possible &= holding[digit][place]
                if place == classes[digit] - 1, digits[digit].hasUnknown { open = digit }
            }
            let rule = min(possible.trailingZeroBitCount, rules.count - 1)
            first[number] = rule
            if open < 0 {
                completions[number] = bits[rule]
            } else {
                for step in 1..<digits[open].values.count {
                    completions[number] |= completions[number - step * digits[open].weight]
                }
            }
        }
        return (first, completions)
    }

    /// Numbers that stand for all: facts are settled one after the other, and one that no rule still asks for, as what
    /// is settled already excludes the rules that would, keeps its first class.
    ///
    /// Where a rule that certainly holds has been met, no later rule asks for anything either.
    func representatives() -> [Int] {
        var numbers: [Int] = []
        settle(
            0,
            0,
            rules.map { Dictionary(uniqueKeysWithValues: $0.conditions.map { ($0.fact, $0.allowed) }) },
            &numbers
        )
        return numbers
    }

    /// Settles the fact at a place; `alive` has, of each rule that may still hold first, the conditions left.
    private func settle(_ place: Int, _ number: Int, _ alive: [[Int: UInt16]], _ numbers: inout [Int]) {
        guard place < digits.count else { return numbers.append(number) }
        let digit = digits[place]
        let fact = digit.fact.index
        guard alive.contains(where: { $0[fact] != nil }) else {
            return settle(place + 1, number, alive, &numbers)
        }
        for (step, value) in digit.values.enumerated() {
            var rest: [[Int: UInt16]] = []
            if digit.hasUnknown, step == digit.values.count - 1 {
                rest = alive
            } else {
                for var conditions in alive {
                    if let allowed = conditions.removeValue(forKey: fact), allowed >> UInt16(value) & 1 == 0 {
                        continue
                    }
                    rest.append(conditions)
                    if conditions.isEmpty { break }
                }
            }
            settle(place + 1, number + step * digit.weight, rest, &numbers)
        }
    }
}
