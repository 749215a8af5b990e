/// Why a catalogue of products cannot be used; nothing is converted with a part of one.
public struct CatalogueError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong.
    @nonexhaustive
    package enum Reason: String, Hashable, Sendable, CaseIterable {
        /// The file is empty, or holds something else than a table or a list of products.
        case notACatalogue = "catalogue.not-a-catalogue"
        /// A column or key that is none of the known ones.
        case unknownColumn = "catalogue.unknown-column"
        /// A column or key that appears twice.
        case duplicateColumn = "catalogue.duplicate-column"
        /// A row with fewer or more fields than the header, or a quoted field that is not closed.
        case badRow = "catalogue.bad-row"
        /// A value of the wrong type, such as a number for a name.
        case badValue = "catalogue.bad-value"
        /// A product without an id.
        case noProductID = "catalogue.no-product-id"
        /// A product that has a row already.
        case duplicateProduct = "catalogue.duplicate-product"
        /// A kind that is none of the four.
        case unknownKind = "catalogue.unknown-kind"
        /// A period that is not a duration of one number and unit.
        case badPeriod = "catalogue.bad-period"
        /// A level that is not a whole number from 1.
        case badRank = "catalogue.bad-rank"
        /// A day that is none.
        case badDate = "catalogue.bad-date"

        /// What is wrong, as a sentence without its end.
        package var sentence: String {
            switch self {
            case .notACatalogue: "not a catalogue: expected a CSV table with a header or a JSON array of products"
            case .unknownColumn:
                "no such column or key (expected: \(ProductCatalogue.columns.joined(separator: ", ")))"
            case .duplicateColumn: "the column or key appears twice"
            case .badRow: "the row does not have the fields of the header, or a quoted field is not closed"
            case .badValue: "a value of the wrong type"
            case .noProductID: "a product without product_id"
            case .duplicateProduct: "the product has a row already"
            case .unknownKind:
                "no such kind (expected: \(ProductCatalogue.Kind.allCases.map(\.rawValue).joined(separator: ", ")))"
            case .badPeriod: "not a period (expected: P and a number and D, W, M or Y, such as P1W, P6M or P1Y)"
            case .badRank: "not a level (expected: a whole number from 1, which is the highest level)"
            case .badDate: "not a day (expected: one such as 2021-05-01)"
            }
        }
    }

    /// What is wrong.
    package var reason: Reason
    /// The line of the file, from 1; 0 if the products came from no file.
    public var line: Int
    /// What is there; empty where that says nothing.
    package var value: String

    init(_ reason: Reason, line: Int, value: String = "") {
        self.reason = reason
        self.line = line
        self.value = value
    }

    /// Code, sentence and value: `catalogue.bad-period: not a period (expected: …): '1 month'`.
    package var sentence: String {
        "\(reason.rawValue): \(reason.sentence)" + (value.isEmpty ? "" : ": '\(value)'")
    }

    /// The line, the code, one sentence, and what is there.
    public var description: String { (line > 0 ? "line \(line): " : "") + sentence }
}
