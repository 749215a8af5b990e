/// Goes through the entries of many sorted runs in order.
///
/// A binary heap of cursors, the one with the smallest numbers on top. No two entries have both numbers in common, so
/// the order is the same however the entries are spread over runs.
struct SortedRunMerge {
    private var heap: [SortedRunCursor]

    init(_ cursors: [SortedRunCursor]) {
        heap = cursors.filter { !$0.isAtEnd }
        for place in heap.indices.reversed() { sink(place) }
    }

    /// The cursor that is at the smallest entry; `nil` at the end.
    var top: SortedRunCursor? { heap.first }

    mutating func advance() throws(ArchiveError) {
        guard let top else { return }
        try top.advance()
        if top.isAtEnd {
            let last = heap.removeLast()
            if heap.isEmpty { return }
            heap[0] = last
        }
        if heap.count > 1 { sink(0) }
    }

    private mutating func sink(_ start: Int) {
        let cursor = heap[start]
        var place = start
        while true {
            var child = 2 * place + 1
            guard child < heap.count else { break }
            if child + 1 < heap.count, Self.comes(heap[child + 1], before: heap[child]) { child += 1 }
            guard Self.comes(heap[child], before: cursor) else { break }
            heap[place] = heap[child]
            place = child
        }
        heap[place] = cursor
    }

    private static func comes(_ one: SortedRunCursor, before other: SortedRunCursor) -> Bool {
        one.first != other.first ? one.first < other.first : one.second < other.second
    }
}
