import NotificationTranslation

/// A catalogue of the products of an archive, with empty cells for what the archive does not show.
struct CatalogueTemplate {
    /// The text of the file, in parts.
    let parts: [String]

    /// - Parameters:
    ///   - tally: The products of the archive.
    ///   - known: A catalogue that is completed.
    ///   - isJSON: Whether it is JSON and not CSV.
    init(_ tally: ProductTally, _ known: ProductCatalogue?, isJSON: Bool) {
        let products = tally.template(completing: known)
        let (text, unfit) = isJSON ? (ProductCatalogue.json(products), 0) : ProductCatalogue.csv(products)
        parts = [text]
        if unfit > 0 {
            Program.say(
                "\(count(unfit, "offer id")) with a space left out, as CSV separates several by spaces; "
                    + "--format json has them")
        }
        if tally.leftOut > 0 {
            Program.say(
                "more products, or offers of a product, than a template lists; \(count(tally.leftOut, "mention")) left out"
            )
        }
    }
}
