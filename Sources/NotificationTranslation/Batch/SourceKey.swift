/// Which app's notification it was, in one number.
struct SourceKey {
    var version: NotificationVersion
    /// The numbers of names.
    var environment: Int
    var bundleID: Int

    var packed: UInt64 {
        (version == .v2 ? 1 << 24 : 0) | UInt64(environment) << 12 | UInt64(bundleID)
    }

    /// The same without its names.
    var folded: Self {
        SourceKey(version: version, environment: ReportNames.other, bundleID: ReportNames.other)
    }

    func renumbered(_ numbers: [Int]) -> Self {
        SourceKey(version: version, environment: numbers[environment], bundleID: numbers[bundleID])
    }
}

extension SourceKey {
    init(_ packed: UInt64) {
        version = packed >> 24 & 1 == 1 ? .v2 : .v1
        environment = Int(truncatingIfNeeded: packed >> 12 & 0xFFF)
        bundleID = Int(truncatingIfNeeded: packed & 0xFFF)
    }
}
