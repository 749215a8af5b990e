import Testing

@testable import NotificationTranslation

/// Every value that Apple's models have room for, put into a payload and looked for in its event.
@Suite("Nothing that version 2 says is lost")
struct NothingLostTests {
    /// The fields of an object of Apple's: `?` stands for a text, `#` for a number, `@` for a time, each of its own.
    private static let transaction = """
        {"transactionId":?,"originalTransactionId":?,"webOrderLineItemId":?,"bundleId":?,"productId":?,
        "subscriptionGroupIdentifier":?,"purchaseDate":@,"originalPurchaseDate":@,"expiresDate":@,"quantity":#,"type":?,
        "appAccountToken":?,"inAppOwnershipType":?,"signedDate":@,"revocationReason":#,"revocationDate":@,
        "isUpgraded":true,"offerType":#,"offerIdentifier":?,"environment":?,"storefront":?,"storefrontId":?,
        "transactionReason":?,"price":#,"currency":?,"offerDiscountType":?,"appTransactionId":?,"offerPeriod":?,
        "revocationType":?,"revocationPercentage":#,"billingPlanType":?,"previousOriginalTransactionId":?,
        "commitmentInfo":{"billingPeriodNumber":#,"commitmentExpiresDate":#,"commitmentPrice":#,"totalBillingPeriods":#},
        "multiSeatInfo":{"invitationManagement":?,"priceTiers":[{"price":#,"quantity":#}],"revokedSeatQuantity":#},
        "advancedCommerceInfo":{"descriptors":{"description":?,"displayName":?},"estimatedTax":#,"items":[{"SKU":?,
        "refunds":[{"refundAmount":#,"refundDate":#,"refundReason":?,"refundType":?}],"revocationDate":#}],
        "period":?,"requestReferenceId":?,"taxCode":?,"taxExclusivePrice":#,"taxRate":?},"newField":{"signedDate":#}}
        """
    private static let renewal = """
        {"expirationIntent":#,"originalTransactionId":?,"autoRenewProductId":?,"productId":?,"autoRenewStatus":1,
        "isInBillingRetryPeriod":true,"priceIncreaseStatus":#,"gracePeriodExpiresDate":@,"offerType":#,
        "offerIdentifier":?,"signedDate":@,"environment":?,"recentSubscriptionStartDate":#,"renewalDate":@,
        "renewalPrice":#,"currency":?,"offerDiscountType":?,"eligibleWinBackOfferIds":[?,?],"appTransactionId":?,
        "offerPeriod":?,"appAccountToken":?,"advancedCommerceInfo":{"consistencyToken":?,"items":[{"SKU":?,
        "priceIncreaseInfo":{"dependentSKUs":[?,?],"price":#,"status":?}}]},
        "commitmentInfo":{"commitmentAutoRenewProductId":?,"commitmentAutoRenewStatus":#,
        "commitmentRenewalBillingPlanType":?,"commitmentRenewalDate":#,"commitmentRenewalPrice":#},
        "renewalBillingPlanType":?,"multiSeatInfo":{"renewalPriceTiers":[{"price":#,"quantity":#}]}}
        """
    private static let app = """
        {"receiptType":?,"appAppleId":#,"bundleId":?,"applicationVersion":?,"versionExternalIdentifier":#,
        "receiptCreationDate":@,"originalPurchaseDate":@,"originalApplicationVersion":?,"deviceVerification":?,
        "deviceVerificationNonce":?,"preorderDate":@,"appTransactionId":?,"originalPlatform":?,"signedDate":@}
        """
    private static let data = """
        "environment":?,"appAppleId":#,"bundleId":?,"bundleVersion":?,"status":#,"consumptionRequestReason":?,
        "originalTransactionId":?,"productId":?
        """

    /// What is beside the type of a payload.
    private enum Part: String, CaseIterable {
        case objects, signed, appTransaction, newPart, alone, summary, token, unclaim
    }

    /// A text in which every `?`, `#` and `@` became a value of its own.
    private struct Filled {
        var text = ""
        /// How each of them may look in the event.
        var values: [[String]] = []

        mutating func fill(_ template: String) -> String {
            var text = ""
            for character in template {
                let number = values.count + 1
                switch character {
                case "?":
                    values.append(["\"text-\(number)\""])
                    text += "\"text-\(number)\""
                case "#":
                    values.append([":\(7_000_000 + number)", ":\"\(7_000_000 + number)\""])
                    text += "\(7_000_000 + number)"
                case "@":
                    let time = 1_600_000_000_000 + Int64(number) * 86_401_000
                    values.append([":\(time)", "\"\(EventTime(milliseconds: time))\""])
                    text += "\(time)"
                default: text.append(character)
                }
            }
            return text
        }
    }

    private static func signed(_ text: String) -> String { "\"\(OwnOutputTests.token(text))\"" }

    private static func payload(_ type: NotificationType, _ part: Part, _ filled: inout Filled) -> String {
        let head = filled.fill(
            #"{"notificationType":"\#(type.rawValue)","subtype":?,"notificationUUID":?,"signedDate":@,"#)
        let parts = { (filled: inout Filled, sign: (String) -> String, prefix: String) in
            let names =
                prefix.isEmpty ? ["transactionInfo", "renewalInfo"] : ["signedTransactionInfo", "signedRenewalInfo"]
            return ",\"\(names[0])\":\(sign(filled.fill(transaction))),\"\(names[1])\":\(sign(filled.fill(renewal)))"
        }
        let beside: String
        switch part {
        case .objects: beside = "\"data\":{" + filled.fill(data) + parts(&filled, { $0 }, "") + "}"
        case .signed: beside = "\"data\":{" + filled.fill(data) + parts(&filled, signed, "signed") + "}"
        case .appTransaction:
            beside = "\"appData\":{" + filled.fill(data) + ",\"signedAppTransactionInfo\":\(signed(filled.fill(app)))}"
        case .newPart:
            beside =
                "\"data\":{" + filled.fill(data) + parts(&filled, signed, "signed")
                + ",\"signedAppTransactionInfo\":\(signed(filled.fill(app))),\"signedNewInfo\":\(signed(filled.fill(app)))}"
        case .alone: beside = "\"data\":{" + filled.fill(data) + ",\"renewalInfo\":\(filled.fill(renewal))}"
        case .summary:
            beside = filled.fill(
                #""summary":{"environment":?,"appAppleId":#,"bundleId":?,"productId":?,"requestIdentifier":?,"#
                    + #""storefrontCountryCodes":[?,?],"succeededCount":#,"failedCount":#}"#)
        case .token:
            beside = filled.fill(
                #""externalPurchaseToken":{"externalPurchaseId":?,"tokenCreationDate":@,"appAppleId":#,"bundleId":?,"#
                    + #""tokenType":?,"tokenExpirationDate":@}"#)
        case .unclaim:
            beside = filled.fill(#""unclaimInfo":{"environment":?,"appAppleId":#,"bundleId":?,"unclaimSeatIds":[?,?]}"#)
        }
        return head + filled.fill(#""version":?,"#) + beside + "}"
    }

    @Test(
        "Every value of Apple's models is in the event",
        arguments: KnownNames.typesOfVersion2.sorted().map(NotificationType.init(rawValue:)))
    func isThere(_ type: NotificationType) {
        for part in Part.allCases {
            var filled = Filled()
            let payload = Self.payload(type, part, &filled).filter { $0 != "\n" }
            for record in [payload, "{\"signedPayload\":\(Self.signed(payload))}"] {
                let line = Conversion(of: record).lines.first ?? ""
                let lost = filled.values.filter { forms in !forms.contains { line.contains($0) } }
                #expect(lost == [], "\(part): \(payload)")
            }
        }
    }
}
