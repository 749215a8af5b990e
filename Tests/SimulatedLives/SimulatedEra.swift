/// The three ages of version 1, by the shape of its bodies and the tables Apple had published.
package enum SimulatedEra: String, CaseIterable, Sendable {
    /// October 2017 to November 2019: one receipt object, nothing unified.
    case legacy = "2018"
    /// November 2019 to March 2021: `unified_receipt`, often with the old object beside it.
    case transition = "2020"
    /// April 2021 to December 2023: `unified_receipt` alone.
    case unified = "2022"

    /// When the first life may begin and when the archive ends.
    package var span: ClosedRange<Instant> {
        switch self {
        case .legacy: CivilTime(2017, 10, 1).instant...CivilTime(2019, 11, 15).instant
        case .transition: CivilTime(2019, 11, 22).instant...CivilTime(2021, 3, 9).instant
        case .unified: CivilTime(2021, 4, 5).instant...CivilTime(2023, 12, 31).instant
        }
    }
}

/// How closely Apple keeps to its pages.
package enum Manner: Sendable {
    /// As the pages say.
    case documented
    /// As developers found it: times of one act seconds or minutes apart, retries at any hour, sets of the year before
    /// or after, dates left out more often, charges a day ahead.
    case loose
}

/// The days on which Apple changed what it sent.
enum AppleCalendar {
    static let statusChanges = CivilTime(2019, 2, 1).instant
    static let promotionalOffers = CivilTime(2019, 4, 1).instant
    static let groupInLegacyObject = CivilTime(2019, 10, 1).instant
    static let unifiedReceipt = CivilTime(2019, 11, 21).instant
    static let statusBecomesNumber = CivilTime(2020, 1, 1).instant
    static let lastLegacyOnlyBody = CivilTime(2020, 1, 31).instant
    static let bundleAtTop = CivilTime(2020, 6, 1).instant
    static let oneTimeRefunds = CivilTime(2020, 6, 22).instant
    static let ownershipInRows = CivilTime(2020, 10, 1).instant
    static let offerCodes = CivilTime(2020, 10, 15).instant
    static let renewalsAndPriceConsent = CivilTime(2020, 10, 29).instant
    static let familyNotices = CivilTime(2021, 3, 10).instant
    static let upgradeWithoutCancel = CivilTime(2021, 4, 1).instant
    static let consumptionRequests = CivilTime(2021, 6, 7).instant
    static let renewalExtensions = CivilTime(2021, 10, 1).instant
    static let secondVersion = CivilTime(2021, 10, 21).instant
    /// Before some day of 2022 a payload had no `signedDate` of its own, only those inside had.
    static let outerSignedDate = CivilTime(2022, 9, 1).instant
    /// Version 2.8 of the notifications: REFUND_REVERSED and `data.status`.
    static let refundReversals = CivilTime(2023, 6, 5).instant
    static let originalTransactionAtTop = CivilTime(2022, 1, 15).instant
    /// Before this day version 2 said OFFER_REDEEMED of a purchase with an offer, since then SUBSCRIBED.
    static let offersSubscribe = CivilTime(2024, 1, 23).instant
    /// The sandbox sends ONE_TIME_CHARGE from here on.
    static let oneTimeCharges = CivilTime(2024, 6, 10).instant
}

/// Which notifications Apple's tables promise on a given day.
///
/// From February to November 2019 both readings of the tables were seen: the talk of June 2019 (no
/// DID_CHANGE_RENEWAL_STATUS beside other types) and the page that followed it. A life keeps to one of them.
struct Practice: Sendable {
    let day: Instant
    let environment: StoreEnvironment
    let followsTalkOf2019: Bool

    /// DID_CHANGE_RENEWAL_STATUS exists.
    var tellsStatus: Bool { day >= AppleCalendar.statusChanges }

    /// DID_CHANGE_RENEWAL_STATUS also accompanies purchases and refunds and tells the end of billing retry.
    var tellsStatusBeside: Bool { day >= AppleCalendar.unifiedReceipt || (tellsStatus && !followsTalkOf2019) }

    var tellsFailure: Bool { day >= AppleCalendar.unifiedReceipt }
    var tellsRecoveryByName: Bool { day >= AppleCalendar.unifiedReceipt }
    var tellsRecoveryAsRenewal: Bool { day < AppleCalendar.familyNotices }
    var tellsRenewal: Bool { day >= AppleCalendar.renewalsAndPriceConsent }
    var tellsPriceConsent: Bool { day >= AppleCalendar.renewalsAndPriceConsent }
    var tellsOneTimeRefund: Bool { day >= AppleCalendar.oneTimeRefunds }
    var tellsConsumption: Bool { day >= AppleCalendar.consumptionRequests }
    var cancelsOnUpgrade: Bool { day < AppleCalendar.upgradeWithoutCancel }

    /// The table of November 2019 listed INTERACTIVE_RENEWAL for a downgrade.
    var tellsDowngradeTwice: Bool { day >= AppleCalendar.unifiedReceipt && day < AppleCalendar.upgradeWithoutCancel }

    /// Whether the table names the recipient for this type, and the sandbox has it.
    func delivers(_ type: String, to ownership: Ownership) -> Bool {
        if environment == .sandbox, !Practice.sandboxTypes.contains(type) || ownership == .familyShared { return false }
        switch ownership {
        case .purchased: return type != "REVOKE"
        case .familyShared:
            return day >= AppleCalendar.familyNotices && Practice.familyTypes.contains(type)
        }
    }

    private static let sandboxTypes = [
        "INITIAL_BUY", "DID_CHANGE_RENEWAL_PREF", "DID_CHANGE_RENEWAL_STATUS", "DID_RENEW", "DID_RECOVER",
        "INTERACTIVE_RENEWAL", "CANCEL", "REFUND",
    ]

    private static let familyTypes = [
        "DID_CHANGE_RENEWAL_PREF", "DID_CHANGE_RENEWAL_STATUS", "DID_FAIL_TO_RENEW", "DID_RECOVER", "DID_RENEW",
        "INTERACTIVE_RENEWAL", "REVOKE",
    ]
}
