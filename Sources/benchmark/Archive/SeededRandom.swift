import SystemLibC

/// SplitMix64: the same seed gives the same archive on every machine.
struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number from 0 up to, not including, 1.
    mutating func share() -> Double {
        Double(next() >> 11) / 9_007_199_254_740_992
    }

    mutating func number(in range: ClosedRange<Int>) -> Int {
        Int.random(in: range, using: &self)
    }

    /// True that often.
    mutating func happens(_ probability: Double) -> Bool {
        share() < probability
    }

    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[number(in: 0...elements.count - 1)]
    }

    /// A number whose logarithm is normally distributed.
    mutating func logNormal(middle: Double, spread: Double) -> Double {
        let normal = (-2 * log(1 - share())).squareRoot() * cos(2 * .pi * share())
        return exp(log(middle) + spread * normal)
    }

    /// Decimal digits, the first of them not 0.
    mutating func digits(_ count: Int) -> String {
        var text = String(number(in: 1...9))
        while text.utf8.count < count { text += String(number(in: 0...9)) }
        return text
    }

    mutating func hexadecimal(_ count: Int) -> String {
        let all = String(next(), radix: 16) + String(next(), radix: 16) + "0123456789abcdef0123456789abcdef"
        return String(all.prefix(count))
    }
}
