/// The facts of one notification.
typealias Facts = FactValues<Fact>

/// The value of every fact of a kind: four bits each, so that equal facts are equal words and the decision they lead to
/// is found again without reading a rule.
struct FactValues<Key: FactKey>: Hashable, Sendable {
    private var words: (UInt64, UInt64, UInt64) = (0, 0, 0)

    /// The number of a fact's value, by the fact's place.
    @inline(__always)
    subscript(index: Int) -> Int {
        get {
            let shift = UInt64(index & 15) * 4
            switch index >> 4 {
            case 0: return Int(words.0 >> shift & 15)
            case 1: return Int(words.1 >> shift & 15)
            default: return Int(words.2 >> shift & 15)
            }
        }
        set {
            let shift = UInt64(index & 15) * 4
            let cleared = ~(UInt64(15) << shift)
            let bits = UInt64(truncatingIfNeeded: newValue & 15) << shift
            switch index >> 4 {
            case 0: words.0 = words.0 & cleared | bits
            case 1: words.1 = words.1 & cleared | bits
            default: words.2 = words.2 & cleared | bits
            }
        }
    }

    /// The name of a fact's value.
    subscript(fact: Key) -> String {
        get { fact.values[self[fact.index]] }
        set { if let value = fact.values.firstIndex(of: newValue) { self[fact.index] = value } }
    }

    /// Sets a fact to one of its values.
    @inline(__always)
    mutating func set<Value: FactValue.Value>(_ fact: Key, _ value: Value) {
        self[fact.index] = value.number
    }

    /// Whether a fact has one of its values.
    @inline(__always)
    func says<Value: FactValue.Value>(_ fact: Key, _ value: Value) -> Bool { self[fact.index] == value.number }

    /// Sets a fact whose values are `yes` and `no`.
    mutating func set(_ fact: Key, _ isSo: Bool) {
        set(fact, isSo ? FactValue.Plain.yes : .no)
    }

    /// The values as three words, as ``Evidence`` keeps them.
    var packed: (UInt64, UInt64, UInt64) { words }

    init() {}

    /// No fact was looked at: no condition holds, not even one that names `unknown`.
    static var unexamined: Self {
        var facts = Self()
        facts.words = (.max, .max, .max)
        return facts
    }

    /// The facts of three words; values that do not exist become unknown.
    init(packed: (UInt64, UInt64, UInt64)) {
        words = packed
        for fact in Key.allCases where self[fact.index] >= fact.values.count {
            self[fact.index] = fact.unknown ?? 0
        }
    }

    /// A number that equal facts share.
    var mixed: UInt64 {
        var value = words.0 &* 0x9E37_79B9_7F4A_7C15
        value = (value ^ value >> 29 ^ words.1) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 32 ^ words.2) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }

    /// The facts of a set alone; all others are the same.
    func only(_ set: FactSet) -> Self {
        var facts = self
        facts.words = (words.0 & set.words.0, words.1 & set.words.1, words.2 & set.words.2)
        return facts
    }

    static func == (one: Self, other: Self) -> Bool {
        one.words == other.words
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(words.0)
        hasher.combine(words.1)
        hasher.combine(words.2)
    }
}

extension Facts {
    /// Everything that can be unknown is.
    static var unknown: Facts { Fact.allUnknown }

    /// Nothing is stated: as ``unknown``, and of a fact that cannot be unknown no condition holds.
    static var unstated: Facts {
        var facts = Facts.unexamined
        for fact in Fact.allCases { if let unknown = fact.unknown { facts[fact.index] = unknown } }
        return facts
    }
}

/// Some of the facts there are.
struct FactSet {
    /// Four bits set for each fact.
    fileprivate(set) var words: (UInt64, UInt64, UInt64) = (0, 0, 0)

    init() {}

    /// Adds the fact at a place.
    mutating func insert(_ index: Int) {
        let bits: UInt64 = 15 << (UInt64(index & 15) * 4)
        switch index >> 4 {
        case 0: words.0 |= bits
        case 1: words.1 |= bits
        default: words.2 |= bits
        }
    }
}
