extension Array {
    /// The elements in an order; equal ones stay in the order that they have.
    ///
    /// The standard library's `sorted` is compiled anew for each type and each comparison: 63 copies were 7 % of the code
    /// of the program. This one sorts indices, and is compiled once. What is sorted for each record uses `sort`.
    ///
    /// - Parameter precedes: Whether the first element has to come before the second.
    /// - Returns: All elements.
    @_semantics("optimize.sil.specialize.generic.never")
    @inline(never)
    package func ordered(by precedes: (Element, Element) -> Bool) -> [Element] {
        guard let order = order(of: count, by: { precedes(self[$0], self[$1]) }) else { return self }
        return Array(unsafeUninitializedCapacity: count) { memory, initialized in
            for place in order {
                memory.initializeElement(at: initialized, to: self[place])
                initialized += 1
            }
        }
    }

    /// The index from which on a condition holds for all elements (partition point); the count if there is none.
    package func firstPlace(where holds: (Element) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if holds(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

extension Sequence {
    /// The same of elements that are in no array.
    package func ordered(by precedes: (Element, Element) -> Bool) -> [Element] { Array(self).ordered(by: precedes) }
}

/// The indices below `count` in an order, equal ones as they are; `nil` if all of them are.
@inline(never)
private func order(of count: Int, by precedes: (Int, Int) -> Bool) -> [Int]? {
    if !(0..<count).dropFirst().contains(where: { precedes($0, $0 - 1) }) { return nil }
    return (0..<count).sorted(by: precedes)
}
