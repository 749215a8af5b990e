/// The word that was most likely meant, or `nil` when none is near enough.
func nearest(to word: String, among words: [String]) -> String? {
    let distances = words.map { (word: $0, distance: editDistance(word, $0)) }
    guard let best = distances.min(by: { $0.distance < $1.distance }) else { return nil }
    return best.distance <= max(1, min(3, word.utf8.count / 3)) ? best.word : nil
}

/// How many letters have to be added, removed, replaced or swapped with their neighbour to make one word of another.
func editDistance(_ first: String, _ second: String) -> Int {
    let from = Array(first.utf8)
    let to = Array(second.utf8)
    var rows = [Array(0...to.count)]
    for row in 1..<(from.count + 1) {
        var current = [row]
        for column in 1..<(to.count + 1) {
            let same = from[row - 1] == to[column - 1]
            var best = min(
                rows[row - 1][column] + 1,
                current[column - 1] + 1,
                rows[row - 1][column - 1] + (same ? 0 : 1)
            )
            if row > 1, column > 1, from[row - 1] == to[column - 2], from[row - 2] == to[column - 1] {
                best = min(best, rows[row - 2][column - 2] + 1)
            }
            current.append(best)
        }
        rows.append(current)
    }
    return rows[from.count][to.count]
}
