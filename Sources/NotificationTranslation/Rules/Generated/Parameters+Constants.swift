// Written from Mappings/ by `RECORD=1 swift test --filter Generated`; a test compares them.

/// The constants of `parameters` in `Mappings/v1-to-v2.json`, which says what each means and where it comes from;
/// times in milliseconds.
struct Parameters: Sendable {
    let eraStarts: [Int64] = [1_567_296_000_000, 1_615_334_400_000, 1_617_494_400_000, 1_643_673_600_000]
    let cancelsAreRefundsFrom: Int64 = 1_643_673_600_000
    let cancelsLeadAsRefundsFrom: Int64 = 1_617_494_400_000
    let periodMonths: [Int64] = [1, 2, 3, 6, 12]
    let deducedRenewalsMost: Int64 = 120
    let contiguous: Int64 = 60000
    let replacedWithin: Int64 = 3000
    let sameTimeProduction: Int64 = 300000
    let sameTimeSandbox: Int64 = 60000
    let retryEnd: Int64 = 5_184_000_000
    let retryLastDay: Int64 = 5_097_600_000
    let justBeforeExpiry: Int64 = 60000
    let switchedWithPurchase: Int64 = 10000
    let historyCap: Int64 = 100
    let promotionalOffersSince: Int64 = 1_551_398_400_000
    let familySharingSince: Int64 = 1_606_780_800_000
    let renewalsToldSince: Int64 = 1_603_929_600_000
    let failuresToldSince: Int64 = 1_567_296_000_000
    let reversalsToldSince: Int64 = 1_685_923_200_000
    let switchesToldSince: Int64 = 1_559_347_200_000
    let deliveryHorizon: Int64 = 284_400_000
    let importedAfter: Int64 = 565_200_000
    let deliveryAttempts: [Int64] = [0, 21_600_000, 86_400_000, 108_000_000, 172_800_000, 280_800_000]
    let attemptSlack: Int64 = 900000
    let attemptEarly: Int64 = 60000
    let signedAtOnce: Int64 = 15000
    let earliestDate: Int64 = 1_199_145_600_000
    let extensionAtLeast: Int64 = 3_600_000
    let lateDelivery: Int64 = 3_600_000
    let atBoundary: Int64 = 1000
    let longestGrace: Int64 = 2_419_200_000
    let chargedAhead: Int64 = 86_400_000
    let shownWithin: Int64 = 3_600_000
    let shownWithinSandbox: Int64 = 60000
    let cancelledAgain: Int64 = 2000
    let penalties = Penalties()
}

/// How unlikely each way is in which a happening may reach an archive: the constants `penalty_…`.
struct Penalties: Sendable {
    let outOfOrder: Int64 = 1
    let late: Int64 = 3
    let atRetry: Int64 = 4
    let again: Int64 = 3
    let keptTwice: Int64 = 3
    let coincidence: Int64 = 4
    let atOddHours: Int64 = 5
    let untold: Int64 = 6
    let unpaired: Int64 = 3
    let reading: Int64 = 2
    let clear: Int64 = 6
}
