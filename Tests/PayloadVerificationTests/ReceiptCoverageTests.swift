import NotificationTranslation
import Testing

/// What a receipt proves of the event around it.
@Suite("A receipt")
struct ReceiptCoverageTests {
    private static let time = EventTime(milliseconds: 1_700_000_000_000)

    /// A receipt of one subscription: two periods, the first one refunded.
    private static var receipt: AppReceipt {
        var receipt = AppReceipt(kind: .production, bundleID: "com.example.app", createdAt: time)
        var record = AppReceipt.Transaction()
        record.quantity = 1
        record.productID = "com.example.app.month"
        record.transactionID = "1001"
        record.originalTransactionID = "1000"
        record.purchasedAt = EventTime("2023-11-14T22:13:15Z")
        record.originalPurchasedAt = EventTime("2023-10-14T22:13:15Z")
        record.expiresAt = EventTime("2023-12-14T22:13:15Z")
        record.webOrderLineItemID = 56
        receipt.transactions = [record]
        record.transactionID = "1000"
        record.purchasedAt = EventTime("2023-10-14T22:13:15Z")
        record.expiresAt = EventTime("2023-11-14T22:13:15Z")
        record.webOrderLineItemID = 55
        record.cancelledAt = EventTime("2023-10-20T08:00:00Z")
        receipt.transactions.append(record)
        return receipt
    }

    /// The event that agrees with the first record.
    private static var claims: UnifiedEvent {
        var transaction = UnifiedEvent.Transaction()
        transaction.originalTransactionID = "1000"
        transaction.transactionID = "1001"
        transaction.webOrderLineItemID = "56"
        transaction.productID = "com.example.app.month"
        transaction.quantity = 1
        transaction.purchasedAt = EventTime("2023-11-14T22:13:15.000Z")
        transaction.originalPurchasedAt = EventTime("2023-10-14T22:13:15.000Z")
        transaction.expiresAt = EventTime("2023-12-14T22:13:15.000Z")
        var event = UnifiedEvent(id: "1", type: .refundIssued)
        event.bundleID = "com.example.app"
        event.environment = NotificationEnvironment(rawValue: "PROD")
        event.transaction = transaction
        return event
    }

    @Test("A receipt covers an event that says what Apple signed")
    func coversAll() {
        let coverage = Self.receipt.coverage(of: Self.claims)
        #expect(coverage.covers == .all)
        #expect(coverage.refusal == nil)
        #expect(coverage.contradicted == [] && coverage.unproven == [])
        #expect(!coverage.lacksTransaction)
    }

    @Test("A receipt covers what an event leaves out, save the end of access")
    func coversLess() {
        var claims = Self.claims
        claims.transaction?.quantity = nil
        claims.transaction?.webOrderLineItemID = nil
        claims.transaction?.originalPurchasedAt = nil
        #expect(Self.receipt.coverage(of: claims).covers == .all)
        claims.transaction?.expiresAt = nil
        let coverage = Self.receipt.coverage(of: claims)
        #expect(coverage.covers == .some)
        #expect(coverage.contradicted == [.expiresAt])
    }

    /// What of a genuine body is changed, and what that contradicts.
    private static let forgeries:
        [(
            what: String, contradicted: Set<ReceiptCoverage.Fact>,
            change: @Sendable (inout UnifiedEvent.Transaction) -> Void
        )] = [
            ("a later expiry", [.expiresAt], { $0.expiresAt = EventTime("2099-12-14T22:13:15Z") }),
            ("an expiry a second later", [.expiresAt], { $0.expiresAt = EventTime("2023-12-14T22:13:16Z") }),
            ("another product", [.productID], { $0.productID = "com.example.app.year" }),
            ("another subscription", [.originalTransactionID], { $0.originalTransactionID = "2000" }),
            ("another line of the order", [.webOrderLineItemID], { $0.webOrderLineItemID = "57" }),
            ("more of it", [.quantity], { $0.quantity = 100 }),
            ("another purchase date", [.purchasedAt], { $0.purchasedAt = EventTime("2023-11-15T22:13:15Z") }),
            (
                "another first purchase", [.originalPurchasedAt],
                { $0.originalPurchasedAt = EventTime("2020-10-14T22:13:15Z") }
            ),
            ("a refund that never was", [.revokedAt], { $0.revokedAt = EventTime("2023-11-20T08:00:00Z") }),
            (
                "the refunded period with its refund taken out",
                [.revokedAt, .expiresAt, .purchasedAt, .webOrderLineItemID], { $0.transactionID = "1000" }
            ),
        ]

    @Test("A receipt contradicts a body that was changed around it")
    func contradicts() throws {
        for (what, contradicted, change) in Self.forgeries {
            var claims = Self.claims
            var transaction = try #require(claims.transaction)
            change(&transaction)
            claims.transaction = transaction
            let coverage = Self.receipt.coverage(of: claims)
            #expect(coverage.covers == .some, "\(what)")
            #expect(coverage.contradicted == contradicted, "\(what)")
        }
    }

    @Test("A receipt covers what an upgrade replaced, if it has what took its place")
    func coversUpgraded() {
        var receipt = Self.receipt
        receipt.transactions[0].cancelledAt = EventTime("2023-11-20T08:00:00Z")
        var claims = Self.claims
        #expect(receipt.coverage(of: claims).contradicted == [.revokedAt])
        claims.transaction?.isUpgraded = true
        // The word is not signed: a refund must not hide behind it.
        #expect(receipt.coverage(of: claims).contradicted == [.revokedAt])
        var next = receipt.transactions[0]
        next.transactionID = "1002"
        next.productID = "com.example.app.year"
        next.cancelledAt = nil
        for (begun, covers) in [
            ("2023-11-20T08:00:00Z", UnifiedEvent.ReceiptProof.Covers.all), ("2023-11-20T08:05:00Z", .all),
            ("2023-11-20T08:05:01Z", .some), ("2023-11-20T07:54:59Z", .some),
        ] {
            next.purchasedAt = EventTime(begun)
            receipt.transactions[2...] = [next]
            #expect(receipt.coverage(of: claims).covers == covers)
        }
        next.purchasedAt = EventTime("2023-11-20T08:00:00Z")
        next.productID = "com.example.app.month"
        receipt.transactions[2] = next
        #expect(receipt.coverage(of: claims).contradicted == [.revokedAt])
        next.productID = "com.example.app.year"
        next.originalTransactionID = "2000"
        receipt.transactions[2] = next
        #expect(receipt.coverage(of: claims).contradicted == [.revokedAt])
        next.originalTransactionID = "1000"
        receipt.transactions[2] = next
        claims.transaction?.revokedAt = EventTime("2023-11-21T08:00:00Z")
        #expect(receipt.coverage(of: claims).contradicted == [.revokedAt])
    }

    @Test("A receipt covers an introductory offer that it has, and no other")
    func offers() {
        func outcome(_ isTrial: Bool?, _ isIntroductory: Bool?, _ claimed: String) -> ReceiptCoverage {
            var receipt = Self.receipt
            receipt.transactions[0].isTrialPeriod = isTrial
            receipt.transactions[0].isInIntroOfferPeriod = isIntroductory
            var claims = Self.claims
            switch claimed {
            case "trial":
                claims.transaction?.offerType = .init(rawValue: 1)
                claims.transaction?.offerDiscountType = .init(rawValue: "FREE_TRIAL")
            case "introductory": claims.transaction?.offerType = .init(rawValue: 1)
            case "promotional": claims.transaction?.offerType = .init(rawValue: 2)
            default: break
            }
            return receipt.coverage(of: claims)
        }
        #expect(outcome(true, false, "trial").covers == .all)
        #expect(outcome(true, true, "trial").covers == .all)
        #expect(outcome(false, true, "trial").contradicted == [.offerType])
        #expect(outcome(nil, nil, "trial").unproven == [.offerType])
        #expect(outcome(false, true, "introductory").covers == .all)
        #expect(outcome(true, nil, "introductory").covers == .all)
        #expect(outcome(false, false, "introductory").contradicted == [.offerType])
        #expect(outcome(false, nil, "introductory").unproven == [.offerType])
        #expect(outcome(false, false, "promotional").covers == .all)
        #expect(outcome(true, true, "").covers == .all)
    }

    @Test("A receipt compares texts byte for byte, not as Unicode calls them equivalent")
    func bytes() {
        var receipt = Self.receipt
        receipt.bundleID = "com.example.Kiosk"
        receipt.transactions[0].productID = "Kiosk.month"
        var claims = Self.claims
        claims.bundleID = "com.example.Kiosk"
        claims.transaction?.productID = "Kiosk.month"
        #expect(receipt.coverage(of: claims).covers == .all)
        claims.transaction?.productID = "\u{212A}iosk.month"
        #expect(receipt.coverage(of: claims).contradicted == [.productID])
        claims.bundleID = "com.example.\u{212A}iosk"
        #expect(receipt.coverage(of: claims).refusal == .receiptBundleID)
    }

    @Test("A receipt proves nothing of a transaction that it does not have")
    func lacksTransaction() {
        var claims = Self.claims
        claims.transaction?.transactionID = "3001"
        var coverage = Self.receipt.coverage(of: claims)
        #expect(coverage.covers == .nothing && coverage.lacksTransaction && coverage.refusal == nil)
        claims.transaction?.transactionID = nil
        coverage = Self.receipt.coverage(of: claims)
        #expect(coverage.covers == .some && coverage.unproven == [.transactionID])
        claims.transaction?.originalTransactionID = "3000"
        #expect(Self.receipt.coverage(of: claims).lacksTransaction)
        claims.transaction = nil
        coverage = Self.receipt.coverage(of: claims)
        #expect(coverage.covers == .nothing && !coverage.lacksTransaction)
        var empty = Self.receipt
        empty.transactions = []
        #expect(empty.coverage(of: Self.claims).lacksTransaction)
    }

    @Test("A receipt proves nothing of another app")
    func otherApp() {
        var claims = Self.claims
        claims.bundleID = "com.example.other"
        let coverage = Self.receipt.coverage(of: claims)
        #expect(coverage.covers == .nothing && coverage.refusal == .receiptBundleID)
        #expect(coverage.contradicted == [.bundleID])
        let expected = ExpectedApp(bundleIDs: ["com.example.other"], appAppleIDs: nil, environment: nil)
        #expect(Self.receipt.coverage(of: Self.claims, expecting: expected).refusal == .receiptBundleID)
        // A body that names no app is not covered whole, unless an app is expected.
        claims.bundleID = nil
        #expect(Self.receipt.coverage(of: claims).covers == .some)
        #expect(Self.receipt.coverage(of: claims).unproven == [.bundleID])
        let own = ExpectedApp(bundleIDs: ["com.example.app"], appAppleIDs: nil, environment: .production)
        #expect(Self.receipt.coverage(of: claims, expecting: own).covers == .all)
    }

    @Test(
        "A receipt proves nothing of another environment, and Xcode's proves nothing at all",
        arguments: [
            ("Production", "PROD", true), ("Production", "Production", true), ("ProductionVPP", "PROD", true),
            ("ProductionSandbox", "Sandbox", true), ("ProductionVPPSandbox", "Sandbox", true),
            ("ProductionSandbox", "PROD", false), ("Production", "Sandbox", false), ("Xcode", "Xcode", false),
            ("Xcode", "PROD", false), ("Xcode", "Sandbox", false), ("Tomorrow", "PROD", false),
        ]
    )
    func environments(_ kind: String, _ environment: String, _ covers: Bool) {
        var receipt = Self.receipt
        receipt.kind = AppReceipt.Kind(rawValue: kind)
        var claims = Self.claims
        claims.environment = NotificationEnvironment(rawValue: environment)
        let coverage = receipt.coverage(of: claims)
        #expect(coverage.covers == (covers ? .all : .nothing))
        #expect(coverage.refusal == (covers ? nil : .receiptKind))
        let sandbox = ExpectedApp(bundleIDs: nil, appAppleIDs: nil, environment: .sandbox)
        let expected = receipt.coverage(of: claims, expecting: sandbox).covers
        #expect(expected == (covers && environment == "Sandbox" ? .all : .nothing))
    }

    @Test("A receipt may be as old as the caller says")
    func age() throws {
        let day: Int64 = 86_400_000
        let made = Self.time.milliseconds
        let age = ReceiptAge(longest: .milliseconds(3 * day))
        try age.check(Self.receipt, at: made)
        try age.check(Self.receipt, at: made + 3 * day)
        try age.check(Self.receipt, at: made - 300_000)
        #expect(throws: AuthenticityError(.receiptTooOld)) { try age.check(Self.receipt, at: made + 3 * day + 1) }
        #expect(throws: AuthenticityError(.receiptInFuture)) { try age.check(Self.receipt, at: made - 300_001) }
        try ReceiptAge(longest: nil).check(Self.receipt, at: .max)
        #expect(throws: AuthenticityError(.receiptInFuture)) {
            try ReceiptAge(longest: nil, tolerance: .milliseconds(Int64.min)).check(Self.receipt, at: .min)
        }
    }
}
