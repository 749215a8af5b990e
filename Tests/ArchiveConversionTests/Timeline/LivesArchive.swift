import SimulatedLives

@testable import NotificationArchives

/// The notifications of some simulated lives of every era, in the order of their arrival, with broken lines between.
enum LivesArchive {
    static func text(lives: Int, seed: UInt64 = 1) -> String {
        var deliveries: [(receivedAt: Int64, body: [UInt8])] = []
        for era in SimulatedEra.allCases {
            for number in 0..<lives {
                let life = SimulatedLife(seed: seed * 1000 + UInt64(number), era: era, receiptLength: 8...16)
                deliveries += life.deliveries.map { ($0.receivedAt, $0.body) }
            }
        }
        deliveries.sort { $0.receivedAt < $1.receivedAt }
        var text = ""
        for (number, delivery) in deliveries.enumerated() {
            text +=
                #"{"received_at":\#(delivery.receivedAt),"body":\#(String(decoding: delivery.body, as: UTF8.self))}"#
            text += "\n"
            if number % 50 == 7 { text += "broken\n\n" }
        }
        return text
    }
}

extension TimelineRequest {
    /// So little memory that everything is spilled again and again.
    static var frugal: TimelineRequest {
        var request = TimelineRequest()
        request.budgets.lines = 3000
        request.budgets.evidence = 2500
        request.budgets.verdicts = 600
        request.budgets.windows = 500
        request.budgets.block = 5000
        return request
    }
}
