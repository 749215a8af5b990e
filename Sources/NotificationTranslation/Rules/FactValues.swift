/// The facts of one notification.
typealias Facts = FactValues<Fact>

/// The value of every fact of a kind: four bits each, so that equal facts are equal words and the decision they lead to
/// is found again without reading a rule.
struct FactValues<Key: FactKey>: Hashable, Sendable {
    /// Sixteen facts each.
    var words = SIMD4<UInt64>()

    init() {}

    /// The number of a fact's value, by the fact's index.
    @inline(__always)
    subscript(index: Int) -> Int {
        get { Int(words[index >> 4] >> UInt64((index & 15) * 4) & 15) }
        set {
            let shift = UInt64((index & 15) * 4)
            let bits = UInt64(truncatingIfNeeded: newValue & 15) << shift
            words[index >> 4] = words[index >> 4] & ~(15 << shift) | bits
        }
    }

    /// The name of a fact's value.
    subscript(fact: Key) -> String {
        get { fact.values[self[fact.index]] }
        set { if let value = fact.values.firstIndex(of: newValue) { self[fact.index] = value } }
    }

    @inline(__always)
    mutating func set<Value: FactValue.Value>(_ fact: Key, _ value: Value) {
        assert(fact.values[value.rawValue] == value.name, "\(value) is not a value of \(fact.name)")
        self[fact.index] = value.rawValue
    }

    @inline(__always)
    func says<Value: FactValue.Value>(_ fact: Key, _ value: Value) -> Bool {
        assert(fact.values[value.rawValue] == value.name, "\(value) is not a value of \(fact.name)")
        return self[fact.index] == value.rawValue
    }

    /// Sets a fact whose values are `yes` and `no`.
    mutating func set(_ fact: Key, _ isSo: Bool) { set(fact, isSo ? FactValue.Plain.yes : .no) }

    /// No fact was looked at: no condition holds, not even one that names `unknown`.
    static var unexamined: Self {
        var facts = Self()
        facts.words = .init(repeating: .max)
        return facts
    }

    /// No fact was looked at; each one that has a value `unknown` is set to it.
    static var unstated: Self { unexamined.open }

    /// A copy in which each fact that has a value `unknown` is set to it.
    fileprivate var open: Self {
        Key.allCases.reduce(into: self) { facts, fact in if let unknown = fact.unknown { facts[fact.index] = unknown } }
    }

    /// The facts of which `set` has all bits; all others are the same.
    func only(_ set: Self) -> Self {
        var facts = self
        facts.words &= set.words
        return facts
    }
}

extension Facts {
    /// Everything that can be unknown is.
    static let unknown = Facts().open
}
