/// A kind of archive.
enum Profile: String, CaseIterable {
    /// As a backend of many subscribers would have it: 1 to 100 transactions (log-normal, middle 12), receipts of 5 to
    /// 100 KB (log-normal, middle 20 KB), 30 % of the bodies with the receipt twice.
    case typical
    /// Young subscriptions: 1 to 3 transactions, receipts of 4 KB, lines of 6 to 7 KB.
    case small
    /// Old weekly subscriptions: 100 transactions, receipts of 80 KB.
    case heavy
    /// As `typical`, from a server that writes `/` as `\/`: one backslash in every 64 bytes of base64.
    case php

    /// The number of transactions and of base64 bytes of the next body.
    func sizes(_ random: inout SeededRandom) -> (transactions: Int, receipt: Int) {
        switch self {
        case .small:
            return (random.number(in: 1...3), random.number(in: 3_600...4_400))
        case .heavy:
            return (100, random.number(in: 76_000...84_000))
        case .typical, .php:
            let transactions = Int(random.logNormal(middle: 12, spread: 0.85).rounded())
            let receipt = Int(random.logNormal(middle: 20_000, spread: 0.6))
            return (min(100, max(1, transactions)), min(100_000, max(5_000, receipt)))
        }
    }

    /// How the next body was written down again by the server that kept it.
    func style(_ random: inout SeededRandom) -> BodyText.Style {
        if self == .php { return .php }
        let share = random.share()
        return share < 0.92 ? .apple : share < 0.96 ? .php : .python
    }
}
