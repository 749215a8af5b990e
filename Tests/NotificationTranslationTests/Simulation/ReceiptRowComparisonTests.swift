import SimulatedLives
import Testing

@testable import NotificationTranslation

/// Simulated V1 rows compared with, or completed by, the receipt in the same body; a receipt says of each row what receipts
/// hold, and nothing more.
@Suite("Rows and the receipt beside them")
struct ReceiptRowComparisonTests {
    /// Takes base64 of JSON as a receipt of Apple's.
    private struct Reader: ReceiptVerifier {
        func verify(_ receipt: RawSpan) throws(AuthenticityError) -> AppReceipt {
            let bytes = receipt.withUnsafeBytes { StrictBase64.decoded(standard: $0) }
            guard let bytes, let tree = try? JSONTree(bytes) else { throw .refused }
            var receipt = AppReceipt(
                kind: AppReceipt.Kind(rawValue: tree["kind"]?.string ?? ""), bundleID: tree["bid"]?.string ?? "",
                createdAt: EventTime(milliseconds: 1_900_000_000_000))
            for row in tree["rows"]?.elements ?? [] {
                func number(_ key: String) -> Int64? { row[key]?.string.flatMap { Int64($0) } }
                func time(_ key: String) -> EventTime? { number(key).map(EventTime.init(milliseconds:)) }
                var record = AppReceipt.Transaction()
                record.quantity = number("quantity")
                record.productID = row["product_id"]?.string
                record.transactionID = row["transaction_id"]?.string
                record.originalTransactionID = row["original_transaction_id"]?.string
                record.webOrderLineItemID = number("web_order_line_item_id")
                record.purchasedAt = time("purchase_date_ms")
                record.originalPurchasedAt = time("original_purchase_date_ms")
                // The single receipts of the first era have their milliseconds under the other name.
                record.expiresAt = time("expires_date_ms") ?? time("expires_date")
                record.cancelledAt = time("cancellation_date_ms")
                record.isTrialPeriod = row["is_trial_period"]?.string.map { $0 == "true" }
                record.isInIntroOfferPeriod = row["is_in_intro_offer_period"]?.string.map { $0 == "true" }
                receipt.transactions.append(record)
            }
            return receipt
        }
    }

    /// The body with its rows moved into the receipt; `nil` where it has no list.
    private static func moved(_ body: [UInt8]) throws -> [UInt8]? {
        let tree = try JSONTree(body)
        let value = JSONValue(tree)
        guard case .object(var members) = value,
            case .object(var unified) = members["unified_receipt"],
            case .array(let rows) = unified["latest_receipt_info"], !rows.isEmpty
        else { return nil }
        let isSandbox = tree["environment"]?.string?.uppercased() == "SANDBOX"
        let receipt = JSONValue.object([
            "kind": .string(isSandbox ? "ProductionSandbox" : "Production"),
            "bid": members["bid"] ?? .string(""), "rows": .array(rows),
        ])
        unified["latest_receipt"] = .string(StrictBase64.encoded(standard: text(receipt)))
        unified["latest_receipt_info"] = .array([])
        members["unified_receipt"] = .object(unified)
        return text(.object(members))
    }

    /// The body with a receipt that has its rows; `nil` where it has none.
    private static func proven(_ body: [UInt8], withoutOneTime: Bool) throws -> [UInt8]? {
        let tree = try JSONTree(body)
        let value = JSONValue(tree)
        guard case .object(var members) = value else { return nil }
        let list = tree["unified_receipt"]?["latest_receipt_info"]?.elements ?? []
        let singles = ["latest_receipt_info", "latest_expired_receipt_info"].compactMap { tree[$0] }
        let rows = (list.isEmpty ? singles : list).filter {
            !withoutOneTime || $0["expires_date_ms"] != nil || $0["expires_date"] != nil
        }
        guard !list.isEmpty || !singles.isEmpty else { return nil }
        let isSandbox = tree["environment"]?.string?.uppercased() == "SANDBOX"
        let receipt = JSONValue.object([
            "kind": .string(isSandbox ? "ProductionSandbox" : "Production"),
            "bid": .string(tree["bid"]?.string ?? singles.first?["bid"]?.string ?? ""),
            "rows": .array(rows.map { JSONValue($0) } + rows.compactMap(successor)),
        ])
        let text = JSONValue.string(StrictBase64.encoded(standard: text(receipt)))
        if case .object(var unified) = members["unified_receipt"] {
            unified["latest_receipt"] = text
            members["unified_receipt"] = .object(unified)
        } else {
            members[tree["latest_receipt"] == nil ? "latest_expired_receipt" : "latest_receipt"] = text
        }
        return Self.text(.object(members))
    }

    /// What took the place of an upgraded row: a list may have been cut, but receipts hold the whole subscription.
    private static func successor(_ row: JSONTree) -> JSONValue? {
        guard row["is_upgraded"] != nil, let begun = row["cancellation_date_ms"]?.string,
            let original = row["original_transaction_id"]?.string
        else { return nil }
        return .object([
            "transaction_id": .string(original + "99"), "original_transaction_id": .string(original),
            "product_id": .string("what.took.its.place"), "purchase_date_ms": .string(begun),
        ])
    }

    @Test(
        "Rows beside a receipt are as the receipt says in every simulated body", arguments: [false, true],
        SimulatedEra.allCases)
    func genuine(_ withoutOneTime: Bool, _ era: SimulatedEra) throws {
        let normalizer = NotificationNormalizer(policy: TrustPolicy.trustingTheSource.verifyingReceipts(with: Reader()))
        var covered = 0
        for number in 0..<(Environment.number("LIVES") ?? 20) {
            let seed = (Environment.number("SEED") ?? 1) * 500_000 + number
            for delivery in SimulatedLife(seed: UInt64(seed), era: era).deliveries {
                guard let body = try Self.proven(delivery.body, withoutOneTime: withoutOneTime) else { continue }
                let event = try normalizer.event(from: body)
                let comment = Comment(rawValue: String(decoding: event.line(), as: UTF8.self))
                guard let receipt = event.source.receipt else { continue }
                if withoutOneTime, event.transaction?.transactionID != nil, event.transaction?.expiresAt == nil {
                    #expect(event.flags.contains("TRANSACTION_NOT_IN_RECEIPT"), comment)
                    continue
                }
                #expect(!event.flags.contains("RECEIPT_CONTRADICTS_ROW"), comment)
                #expect(!event.flags.contains("TRANSACTION_NOT_IN_RECEIPT"), comment)
                guard event.transaction?.transactionID != nil, event.bundleID != nil else { continue }
                #expect(receipt.covers == .all, comment)
                covered += 1
            }
        }
        #expect(covered > 50)
    }

    private static func text(_ value: JSONValue) -> [UInt8] {
        let output = OutputBuffer(capacity: 1024)
        value.append(to: output)
        return Array(output.bytes)
    }

    @Test(
        "Rows beside a receipt are never wrong where exact, alone and in a timeline",
        arguments: [SimulatedEra.transition, .unified])
    func sound(_ era: SimulatedEra) throws {
        let policy = TrustPolicy.trustingTheSource.verifyingReceipts(with: Reader())
        let (plain, completing) = (
            NotificationNormalizer(policy: policy),
            NotificationNormalizer(
                policy: TrustPolicy.trustingTheSource.verifyingReceipts(with: Reader(), completesRows: true))
        )
        var (before, after) = (SimulatedLivesTests.Score(), SimulatedLivesTests.Score())
        var (told, whole) = (TimelineScore(), TimelineScore())
        var completed = 0
        for number in 0..<(Environment.number("LIVES") ?? 20) {
            let seed = (Environment.number("SEED") ?? 1) * 400_000 + number
            let life = SimulatedLife(seed: UInt64(seed), era: era)
            var entries: [TimelineEntry] = []
            var unmoved: [TimelineEntry] = []
            for delivery in life.deliveries {
                let body = try Self.moved(delivery.body) ?? delivery.body
                let receivedAt = EventTime(milliseconds: delivery.receivedAt)
                let entry = try #require(completing.timelineEntries(from: body, receivedAt: receivedAt).first)
                if entry.event.flags.contains("RECEIPT_ROWS") { completed += 1 }
                entries.append(entry)
                after.take(entry.event, delivery.truth)
                let cut = try #require(plain.timelineEntries(from: body, receivedAt: receivedAt).first)
                unmoved.append(cut)
                before.take(cut.event, delivery.truth)
            }
            let end = life.span.upperBound
            whole.take(life, LifeArchive.settled(entries, .all, asOf: end))
            told.take(life, LifeArchive.settled(unmoved, .all, asOf: end))
        }
        print("\(era), without rows: \(before)\n\(era), rows of the receipt: \(after)")
        print("\(era), without rows: \(told)\n\(era), rows of the receipt: \(whole)")
        #expect(completed > 20)
        #expect(after.wrongExact == [])
        #expect(whole.wrongExact == [])
        #expect(after.answered > before.answered)
        #expect(after.percent(after.among) >= 99)
        #expect(whole.percent(.answered, of: .deliveries) >= 97)
        #expect(whole.percent(.toldNever, of: .told) < 1)
    }
}
