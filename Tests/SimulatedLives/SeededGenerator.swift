/// A SplitMix64 generator: the same seed gives the same lives on every machine.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// An independent generator, so that one story's length does not disturb the next.
    mutating func fork() -> SeededGenerator { SeededGenerator(seed: next()) }

    /// A number of a range, each as likely.
    package mutating func number(_ range: ClosedRange<Int64>) -> Int64 {
        let width = UInt64(bitPattern: range.upperBound &- range.lowerBound) &+ 1
        return width == 0 ? Int64(bitPattern: next()) : range.lowerBound &+ Int64(bitPattern: next() % width)
    }

    /// A number of a range, each as likely.
    package mutating func number(_ range: ClosedRange<Int>) -> Int {
        Int(number(Int64(range.lowerBound)...Int64(range.upperBound)))
    }

    /// True in so many of a hundred cases.
    package mutating func chance(_ percent: Double) -> Bool { Double(next() >> 11) / Double(1 << 53) < percent / 100 }

    /// One of the choices, each as likely; there has to be one.
    package mutating func pick<T>(_ choices: [T]) -> T { choices[number(0...choices.count - 1)] }

    /// One of the choices, each as likely as its weight says.
    mutating func weighted<T>(_ choices: [(weight: Int, value: T)]) -> T {
        var left = number(1...choices.reduce(0) { $0 + $1.weight })
        for choice in choices {
            left -= choice.weight
            if left <= 0 { return choice.value }
        }
        return choices[choices.count - 1].value
    }

    package mutating func shuffled<T>(_ values: [T]) -> [T] {
        var result = values
        for index in result.indices.reversed() where index > 0 {
            result.swapAt(index, number(0...index))
        }
        return result
    }
}
