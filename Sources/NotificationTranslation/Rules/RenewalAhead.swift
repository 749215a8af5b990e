/// A period that may have been charged ahead of its beginning and replaced by another plan before that.
///
/// Apple charges a renewal up to a day before the period begins. A customer who buys another plan in that time leaves a
/// receipt in which the newer purchase has the earlier date:
///
///     monthly  {1}  05-09 20:55 … 06-09 20:55
///     monthly  {2}  06-09 20:55 … 07-09 20:55   charged on 06-09 at noon, later marked is_upgraded
///     yearly   {3}  06-09 17:28 … 06-09 17:28   bought after 2 was charged; what runs from then on
///
/// So 2 comes before 3, whatever the dates say.
struct RenewalAhead {
    var purchase: Int64
    var cancelled: Int64?
    var isUpgraded: Bool
    /// Whether it continues a period of the same product.
    var continues: Bool

    /// Whether two purchases are so close that the later one may have been charged before the other one was made.
    static func mayBeReplaced(_ purchase: Int64, by other: Int64, _ ahead: Int64) -> Bool {
        let (distance, overflows) = purchase.subtractingReportingOverflow(other)
        return !overflows && distance > 0 && distance <= ahead
    }

    /// Whether a period of another product that was bought before this one began, and runs beyond that, replaced it.
    ///
    /// The other one ends by itself or by a cancellation.
    func isReplaced(byOneThatEnds end: Int64?, isUpgraded other: Bool) -> Bool {
        guard let end, end > max(purchase, cancelled ?? purchase) else { return false }
        return isUpgraded ? !other || cancelled != nil : continues && !other
    }
}
