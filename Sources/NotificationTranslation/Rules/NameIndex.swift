/// The names of a table's rows with their numbers.
struct NameIndex: Sendable {
    private let ignoresCase: Bool
    private var numbers: [String: Int] = [:]

    /// An index of nothing.
    ///
    /// - Parameter ignoresCase: Whether names are found whatever the case of their letters; they are kept in upper case
    ///   then.
    init(ignoresCase: Bool = false) { self.ignoresCase = ignoresCase }

    /// Adds a name, with the number of names before it if no other is given; false if it is there already.
    mutating func insert(_ name: String, _ number: Int? = nil) -> Bool {
        guard self.number(of: name) == nil else { return false }
        numbers[ignoresCase ? name.uppercased() : name] = number ?? numbers.count
        return true
    }

    /// The number that a name was added with; `nil` if it was not, or with `exactly`, if it is kept in another case.
    func number(of name: String, exactly: Bool = false) -> Int? {
        numbers[name] ?? (ignoresCase && !exactly ? numbers[name.uppercased()] : nil)
    }
}
