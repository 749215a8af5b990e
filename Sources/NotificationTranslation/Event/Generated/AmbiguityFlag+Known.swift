// Written from Mappings/ by `RECORD=1 swift test --filter Generated`; a test compares them.

extension AmbiguityFlag {
    /// CANCEL means a refund and, until 2021, also that an upgrade replaced the subscription; the body does not say
    /// which.
    public static let cancelRefundOrUpgrade = Self(rawValue: "CANCEL_REFUND_OR_UPGRADE")
    /// The customer paid by hand while Apple was retrying the renewal.
    public static let resubscribeOrRecovery = Self(rawValue: "RESUBSCRIBE_OR_RECOVERY")
    /// Auto-renewal went off after the expiry and before billing retry could be over: the customer gave up, or the
    /// store did.
    public static let churnOrCancelInRetry = Self(rawValue: "CHURN_OR_CANCEL_IN_RETRY")
    /// Auto-renewal was switched on after the expiry, and no new transaction shows.
    public static let enabledAfterExpiry = Self(rawValue: "ENABLED_AFTER_EXPIRY")
    /// The body shows no earlier transaction, so whether a period was still running is unknown.
    public static let historyMissing = Self(rawValue: "HISTORY_MISSING")
    /// INITIAL_BUY, though the receipt shows earlier periods in the group.
    public static let historyContradictsType = Self(rawValue: "HISTORY_CONTRADICTS_TYPE")
    /// INTERACTIVE_RENEWAL, though the receipt looks like an automatic renewal.
    public static let typeHistoryMismatch = Self(rawValue: "TYPE_HISTORY_MISMATCH")
    /// A notification of a purchase without a new transaction.
    public static let noNewTransaction = Self(rawValue: "NO_NEW_TRANSACTION")
    /// DID_CHANGE_RENEWAL_PREF without both products, or with two different next ones.
    public static let nextProductUnknown = Self(rawValue: "NEXT_PRODUCT_UNKNOWN")
    /// A family member's first transaction: whether V2 says INITIAL_BUY or RESUBSCRIBE follows the purchaser's
    /// history.
    public static let familyFirstAccess = Self(rawValue: "FAMILY_FIRST_ACCESS")
    /// promotional_offer_id on a first purchase: perhaps an App Store promo code.
    public static let offerSourceUnclear = Self(rawValue: "OFFER_SOURCE_UNCLEAR")
    /// The customer cancelled around a price notice; Apple's V2 table leaves the subtype of that row blank.
    public static let priceIncreaseCancel = Self(rawValue: "PRICE_INCREASE_CANCEL")
    /// The sandbox sends DID_RECOVER at healthy renewals.
    public static let sandboxStrayRecovery = Self(rawValue: "SANDBOX_STRAY_RECOVERY")
    /// DID_RENEW after a failed renewal or a gap: perhaps a billing recovery.
    public static let renewAfterFailure = Self(rawValue: "RENEW_AFTER_FAILURE")
    /// CANCEL of a purchase that is shared with a family member, which Apple's tables say is not sent: the member
    /// lost access, or the purchase was refunded.
    public static let revokeOrRefund = Self(rawValue: "REVOKE_OR_REFUND")
    /// The period before was cancelled when this one was bought: an upgrade replaced it, or it was refunded and
    /// another product was bought right after that.
    public static let upgradeOrResubscribe = Self(rawValue: "UPGRADE_OR_RESUBSCRIBE")
    /// DID_CHANGE_RENEWAL_PREF with an offer on the next period of the running product: the customer returned to the
    /// plan, or redeemed an offer for it.
    public static let preferenceOrOffer = Self(rawValue: "PREFERENCE_OR_OFFER")
    /// The auto-renew status is missing, or the body states two.
    public static let autoRenewStateUnknown = Self(rawValue: "AUTO_RENEW_STATE_UNKNOWN")
    /// The receipt holds several subscriptions, and the body does not say which one is meant.
    public static let subjectUncertain = Self(rawValue: "SUBJECT_UNCERTAIN")
    /// The period ended while automatic renewal was on or not known, and nothing reports what followed: a
    /// notification was lost, is on its way, or was never sent.
    public static let statusUnreported = Self(rawValue: "STATUS_UNREPORTED")
    /// The status follows from time alone: a period ended with automatic renewal off, a grace period ended, or Apple
    /// gave up after 60 days of billing retry.
    public static let statusByTime = Self(rawValue: "STATUS_BY_TIME")
    /// V1 has no event for offers; this was read from offer fields.
    public static let offerInferred = Self(rawValue: "OFFER_INFERRED")
    /// DID_CHANGE_RENEWAL_STATUS was read as an expiry, because of its reason or its distance from the expiry.
    public static let statusMeansExpiry = Self(rawValue: "STATUS_MEANS_EXPIRY")
    /// DID_CHANGE_RENEWAL_STATUS was read as a resubscription, because a new transaction began at that time.
    public static let statusMeansResubscribe = Self(rawValue: "STATUS_MEANS_RESUBSCRIBE")
    /// Part of an upgrade; INTERACTIVE_RENEWAL carries the event.
    public static let companionOfUpgrade = Self(rawValue: "COMPANION_OF_UPGRADE")
    /// Part of a downgrade; DID_CHANGE_RENEWAL_PREF carries the event.
    public static let companionOfDowngrade = Self(rawValue: "COMPANION_OF_DOWNGRADE")
    /// Part of a resubscription after a lapse; INTERACTIVE_RENEWAL carries the event.
    public static let companionOfResubscribe = Self(rawValue: "COMPANION_OF_RESUBSCRIBE")
    /// Part of a first purchase; INITIAL_BUY carries the event.
    public static let companionOfPurchase = Self(rawValue: "COMPANION_OF_PURCHASE")
    /// Part of what the INTERACTIVE_RENEWAL at the same time reports: an upgrade, a resubscription, or a family
    /// member's first access.
    public static let companionOfInteractiveRenewal = Self(rawValue: "COMPANION_OF_INTERACTIVE_RENEWAL")
    /// Auto-renewal went off because of a refund; CANCEL carries the refund.
    public static let companionOfRefund = Self(rawValue: "COMPANION_OF_REFUND")
    /// Another notification reports that the same transaction began.
    ///
    /// A transaction begins once, so that one carries the event.
    public static let companionOfSameTransaction = Self(rawValue: "COMPANION_OF_SAME_TRANSACTION")
    /// A companion arrived, but the notification that it belongs to did not.
    ///
    /// So the companion carries the event.
    public static let partnerMissing = Self(rawValue: "PARTNER_MISSING")
    /// A combination that Apple's tables say is not sent.
    public static let docContradiction = Self(rawValue: "DOC_CONTRADICTION")
    /// Renewal was already off when the period ended, but the body gives the store's reason for the expiry.
    ///
    /// Either the customer or the store ended it.
    public static let expiredSince = Self(rawValue: "EXPIRED_SINCE")
    /// The billing retry and grace fields do not agree with the type.
    public static let retryStateUnexpected = Self(rawValue: "RETRY_STATE_UNEXPECTED")
    /// The sandbox ended a test subscription by switching renewal off; the customer did not do it.
    public static let sandboxAutoCancel = Self(rawValue: "SANDBOX_AUTO_CANCEL")
    /// The body was written after the customer agreed.
    public static let consentAlreadyGiven = Self(rawValue: "CONSENT_ALREADY_GIVEN")
    /// The pair is certain.
    ///
    /// Which transaction is meant is not certain, so the access that it gave is unknown.
    public static let transactionUncertain = Self(rawValue: "TRANSACTION_UNCERTAIN")
    /// A field that would decide is missing.
    public static let fieldMissing = Self(rawValue: "FIELD_MISSING")
    /// A field held something that no era of Apple's documents describes, or a masked id; it was left out.
    public static let fieldUnreadable = Self(rawValue: "FIELD_UNREADABLE")
    /// The app account token is not a UUID, which is what Apple's libraries read, so an object in the shape of
    /// version 2 leaves it out.
    ///
    /// An event keeps it.
    public static let accountTokenDropped = Self(rawValue: "ACCOUNT_TOKEN_DROPPED")
    /// The signed text was blanked or redacted.
    ///
    /// The event was made from the decoded copy beside it, which nothing proves.
    public static let signedTextMissing = Self(rawValue: "SIGNED_TEXT_MISSING")
    /// The record states the same transaction or renewal in two places, and they differ: the signed text is used; if
    /// there is none, `data`.
    ///
    /// Or it names a type in a field of its own and holds a notification of another type: the field is used if it
    /// holds an Apple type, otherwise the notification.
    public static let placesDisagree = Self(rawValue: "PLACES_DISAGREE")
    /// The keys of the body were changed when it was stored, and what it holds fits both versions, or each in part:
    /// it was read as the version that `source.version` names.
    public static let versionUncertain = Self(rawValue: "VERSION_UNCERTAIN")
    /// Another notification has the same notificationUUID with another type, subtype or transaction, so the id was
    /// masked or copied.
    ///
    /// Both are events; the later one gets an id made of that UUID, the subscription and #2, #3 …
    public static let uuidShared = Self(rawValue: "UUID_SHARED")
    /// A notification_type this build does not know; passed through.
    public static let unknownV1Type = Self(rawValue: "UNKNOWN_V1_TYPE")
    /// A notificationType or subtype this build does not know; passed through.
    public static let unknownV2Type = Self(rawValue: "UNKNOWN_V2_TYPE")
    /// The notification has no time of its own; it happened at this time or later.
    public static let timeLowerBound = Self(rawValue: "TIME_LOWER_BOUND")
    /// The best date in the body is the end of a period.
    ///
    /// The event may have happened before or after it.
    public static let timeFromEnd = Self(rawValue: "TIME_FROM_END")
    /// A date is given in Pacific time only, in the hour that happens twice when summer time ends (or never, when it
    /// begins): it may be one hour later than given.
    public static let timeAmbiguousHour = Self(rawValue: "TIME_AMBIGUOUS_HOUR")
    /// This notification cannot be distinguished with certainty from another one that says the same: it is judged
    /// alone and has no time of its own, or its neighbours leave open whether it reports the same happening.
    public static let identityWeak = Self(rawValue: "IDENTITY_WEAK")
    /// The transaction meant is not the newest one.
    public static let transactionNotLatest = Self(rawValue: "TRANSACTION_NOT_LATEST")
    /// The pair is known.
    ///
    /// Whether the plan went up, down or sideways is not, because only App Store Connect has the ranks.
    public static let planDirectionUnknown = Self(rawValue: "PLAN_DIRECTION_UNKNOWN")
    /// A scheduled change of plan took effect with this renewal.
    public static let planChangeApplied = Self(rawValue: "PLAN_CHANGE_APPLIED")
    /// Consumable, non-consumable or non-renewing subscription: V1 does not say.
    public static let productKindUnknown = Self(rawValue: "PRODUCT_KIND_UNKNOWN")
    /// Sharing turned off, left the family, or refunded: V1 does not say.
    public static let revokeCauseUnknown = Self(rawValue: "REVOKE_CAUSE_UNKNOWN")
    /// The body shows at most one transaction.
    ///
    /// That there was no earlier one is known from the type only.
    public static let historyUnchecked = Self(rawValue: "HISTORY_UNCHECKED")
    /// Older transactions may be missing: the receipt shows as many as it can, or a list without the first
    /// transaction of the subscription, which someone cut.
    public static let historyCapped = Self(rawValue: "HISTORY_CAPPED")
    /// Received an hour or more after it happened: Apple tried again, or the time of arrival is that of an import.
    public static let lateDelivery = Self(rawValue: "LATE_DELIVERY")
    /// The date that says when it happened is after the time of arrival, or after the creation of the verified app
    /// receipt in the body, as with a renewal charged ahead of its period, or with clocks that differ.
    ///
    /// The earlier of the two is given.
    public static let timeAfterReceipt = Self(rawValue: "TIME_AFTER_RECEIPT")
    /// The RENEWAL twin of a DID_RECOVER.
    public static let legacyTwin = Self(rawValue: "LEGACY_TWIN")
    /// RENEWAL, the old name of DID_RECOVER.
    public static let legacyType = Self(rawValue: "LEGACY_TYPE")
    /// Only a range is known; `occurred_at` is its start.
    public static let timeRange = Self(rawValue: "TIME_RANGE")
    /// No notification reported the end of billing retry: the time is 60 days after the expiry of the transaction
    /// (`transaction.expires_at`), the field that `occurred_at_basis` names.
    public static let retryEndReckoned = Self(rawValue: "RETRY_END_RECKONED")
    /// Other notifications of the subscription were needed to decide.
    public static let decidedByStream = Self(rawValue: "DECIDED_BY_STREAM")
    /// The pair is known.
    ///
    /// It is not known whether another period was active at that time, so the effect on access is unknown.
    public static let runningPeriodUnknown = Self(rawValue: "RUNNING_PERIOD_UNKNOWN")
    /// The notification gives, extends or keeps access to an auto-renewable subscription, but no end of that access
    /// is known, neither from it nor from the notifications in view.
    public static let accessEndUnknown = Self(rawValue: "ACCESS_END_UNKNOWN")
    /// No notification of this event is in the input; the other notifications make it likely and leave other pairs
    /// possible.
    public static let deducedLikely = Self(rawValue: "DEDUCED_LIKELY")
    /// A fact (an id, product, date, quantity, cancellation, introductory offer or the environment) of the event, or
    /// of another row of the body, differs from the verified receipt in the same body; or the body states a
    /// cancellation that the receipt does not have.
    public static let receiptContradictsRow = Self(rawValue: "RECEIPT_CONTRADICTS_ROW")
    /// The verified receipt in the same body lacks the transaction of the event, or that of another row of a
    /// subscription.
    ///
    /// Finished consumables vanish from receipts; any other transaction that is missing was made up.
    public static let transactionNotInReceipt = Self(rawValue: "TRANSACTION_NOT_IN_RECEIPT")
    /// The receipt in the same body verifies, but is of another app.
    public static let receiptOtherBundle = Self(rawValue: "RECEIPT_OTHER_BUNDLE")
    /// The body lacks a refund that a newer receipt of the subscription proves, or its receipt does not prove that
    /// the refund was reversed: the body is older than the refund, and was delivered late or sent again by somebody.
    ///
    /// The refund remains in force, and the event does not give back the access that it ended. Receipts are compared
    /// only where they are verified.
    public static let receiptOutdated = Self(rawValue: "RECEIPT_OUTDATED")
    /// Transactions that the body lacks were taken from its verified receipt (--verify-receipts).
    ///
    /// A receipt does not say whether an upgrade replaced a transaction, why it was cancelled, which offer it had or
    /// who owns it.
    public static let receiptRows = Self(rawValue: "RECEIPT_ROWS")
    /// The body does not say when it happened, and the time is the creation date of its receipt, which nobody
    /// verified (TrustPolicy.readingReceiptDates): whoever wrote the body may have chosen it.
    public static let receiptDateUnproven = Self(rawValue: "RECEIPT_DATE_UNPROVEN")
    /// The access of the members in the seats that `details.unclaim_info.unclaim_seat_ids` names ends; that of the
    /// purchaser continues.
    ///
    /// One word cannot say both.
    public static let seatsUnclaimed = Self(rawValue: "SEATS_UNCLAIMED")
    /// Only a part of the transaction was refunded (`details.transaction.revocation_percentage`, in thousandths of a
    /// percent), and no status says that its access ended.
    ///
    /// What is left of the purchase is not known.
    public static let refundPartial = Self(rawValue: "REFUND_PARTIAL")
    /// An answer of Apple's (App Store Server API, or verifyReceipt) decides something of the event, or fills in what
    /// version 1 never carries, such as the price.
    public static let settledByAnswer = Self(rawValue: "SETTLED_BY_ANSWER")
    /// An answer of Apple's shows the transaction with another product, purchase date or earlier refund than the
    /// body.
    ///
    /// The event says what the body says.
    public static let answerContradicts = Self(rawValue: "ANSWER_CONTRADICTS")
}
