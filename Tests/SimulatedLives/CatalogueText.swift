/// The catalogue of all simulated products, as somebody who runs their apps would write it.
package enum CatalogueText {
    /// CSV with a header; the ids of promotional offers are left out, as lives make them up.
    package static let csv: String = {
        var lines = ["product_id,kind,period,rank,group"]
        for app in [App.reader, App.fitness] {
            for group in app.groups {
                for plan in group.plans {
                    lines.append(
                        "\(plan.productId),auto-renewable,\(plan.period.duration),\(plan.level),\(group.identifier)")
                }
            }
            for product in app.oneTimeProducts {
                lines.append("\(product.productId),\(product.isConsumable ? "consumable" : "non-consumable"),,,")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }()
}

extension Period {
    /// As an ISO 8601 duration.
    fileprivate var duration: String {
        switch self {
        case .week: "P1W"
        case .months(let count): "P\(count)M"
        }
    }
}
