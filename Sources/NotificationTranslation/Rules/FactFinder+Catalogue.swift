extension FactFinder {
    /// Adds what the catalogue says of the products of a body.
    ///
    /// A product that begins in another's place where that was cancelled is an upgrade only if its level allows that; the
    /// facts that the dates alone gave are taken back otherwise.
    @inline(never)
    func products(_ reading: inout V1Reading, _ catalogue: ProductCatalogue) {
        kind(&reading, catalogue)
        priceIncrease(&reading, catalogue)
        if reading.facts.says(.nextProduct, FactValue.Product.different) {
            let (current, next) = nextProducts(&reading)
            reading.facts.set(.nextPlan, catalogue.change(from: number(current), to: number(next)))
        }
        let shape = reading.type.map { table.shape(ofType: $0) }
        if shape?.transaction == .cancelled {
            cancelledPlan(&reading, catalogue)
        } else {
            planBefore(&reading, catalogue)
        }
    }

    private func number(_ text: JSONText) -> UInt64 {
        ProductCatalogue.number(EventText(text, in: view.memory))
    }

    private func kind(_ reading: inout V1Reading, _ catalogue: ProductCatalogue) {
        let notified = reading.notified.map { fields[row: $0.index, .productID] } ?? fields[.productID]
        guard let place = catalogue.place(EventText(notified, in: view.memory)) else { return }
        if let kind = catalogue.kind(place) { reading.facts.set(.productKind, FactValue.ProductKind(kind)) }
        guard let row = reading.notified else { return }
        let offer = fields[row: row.index, .promotionalOfferID]
        if !offer.isBlank, let isListed = catalogue.lists(EventText(offer, in: view.memory), of: place) {
            reading.facts.set(.offerListed, isListed ? FactValue.Listed.yes : .no)
        }
    }

    /// Whether the renewal at the end of the notified period is the first at a higher price; it may be one of a product
    /// that was chosen since.
    private func priceIncrease(_ reading: inout V1Reading, _ catalogue: ProductCatalogue) {
        let isSandbox = reading.facts.says(.environment, FactValue.Environment.sandbox)
        guard !isSandbox, let purchase = reading.notified?.purchase?.milliseconds,
            let expires = reading.notified?.expires?.milliseconds, purchase < expires
        else { return }
        let (current, next) = nextProducts(&reading)
        guard !current.isBlank else { return }
        var rises: [Int64] = []
        for product in [current, next] where !product.isBlank {
            guard let place = catalogue.place(EventText(product, in: view.memory)),
                let days = catalogue.priceIncreases(place)
            else { return }
            rises += days
        }
        let slack = table.parameters.priceIncreaseTolerance
        let day: Int64 = 86_400_000
        let isNear = rises.contains { $0 - slack <= expires && $0 + day + slack >= purchase }
        reading.facts.set(.priceIncrease, isNear ? FactValue.PriceIncrease.near : .none)
    }

    /// The change from the product of the period before to that of the notified one.
    private func planBefore(_ reading: inout V1Reading, _ catalogue: ProductCatalogue) {
        guard let notified = reading.notified, let previous = reading.previous else { return }
        let change = catalogue.change(
            from: number(fields[row: previous.index, .productID]), to: number(fields[row: notified.index, .productID]))
        reading.facts.set(.planChange, change)
        if change.isLater, reading.facts.says(.previousUpgraded, FactValue.Upgraded.likely) {
            reading.facts.set(.previousUpgraded, FactValue.Upgraded.refunded)
        }
    }

    /// The change from the product that was cancelled to the one that began in its place.
    private func cancelledPlan(_ reading: inout V1Reading, _ catalogue: ProductCatalogue) {
        guard let notified = reading.notified, let at = reading.time?.milliseconds else { return }
        let isSandbox = reading.facts.says(.environment, FactValue.Environment.sandbox)
        let tolerance = isSandbox ? table.parameters.sameTimeSandbox : table.parameters.sameTimeProduction
        let product = fields[row: notified.index, .productID]
        for row in 0..<fields.rows.count
        where row != notified.index && fields.isRow(row, of: reading.subject.originalTransactionID, view) {
            guard let purchase = fields.date(.purchase, row: row, view).date?.milliseconds,
                abs(purchase - at) <= tolerance, !view.same(fields[row: row, .productID], product)
            else { continue }
            let change = catalogue.change(from: number(product), to: number(fields[row: row, .productID]))
            reading.facts.set(.planChange, change)
            if change.isLater, reading.facts.says(.cancelledRow, FactValue.CancelledRow.superseded) {
                reading.facts.set(.cancelledRow, FactValue.CancelledRow.plain)
            }
            return
        }
    }
}

extension FactValue.ProductKind {
    init(_ kind: ProductCatalogue.Kind) {
        switch kind {
        case .consumable: self = .consumable
        case .nonConsumable: self = .nonConsumable
        case .nonRenewing: self = .nonRenewing
        case .autoRenewable: self = .autoRenewable
        }
    }
}
