import Testing

@testable import NotificationTranslation

@Suite("Dates")
struct AppleDateTests {
    private func milliseconds(_ text: String) -> Int64? {
        Array(text.utf8).withUnsafeBytes { AppleDate.written($0)?.milliseconds }
    }

    private func receiveTime(_ text: String) -> Int64? {
        Array(text.utf8).withUnsafeBytes { AppleDate.received($0)?.milliseconds }
    }

    @Test(
        "Dates of V1 are read in UTC and in the time of Los Angeles, summer and winter, and what is none is refused",
        arguments: [
            ("2020-07-16 14:36:42 Etc/GMT", 1_594_910_202_000), ("2020-07-16 14:36:42 GMT", 1_594_910_202_000),
            ("2020-07-16 07:36:42 America/Los_Angeles", 1_594_910_202_000),
            ("2020-01-16 06:36:42 America/Los_Angeles", 1_579_185_402_000),
            // The hours around both changes of 2020: 8 March and 1 November.
            ("2020-03-08 01:59:59 America/Los_Angeles", 1_583_661_599_000),
            ("2020-03-08 03:00:00 America/Los_Angeles", 1_583_661_600_000),
            ("2020-11-01 00:59:59 America/Los_Angeles", 1_604_217_599_000),
            ("2020-11-01 02:00:00 America/Los_Angeles", 1_604_224_800_000),
            ("1970-01-01 00:00:00 Etc/GMT", 0), ("2000-02-29 23:59:59 Etc/GMT", 951_868_799_000),
            ("2021-02-29 00:00:00 Etc/GMT", nil), ("2022-04-31 00:00:00 Etc/GMT", nil), ("", nil), ("2020-07-16", nil),
            ("2020-07-16 14:36:42", nil), ("2020-13-16 14:36:42 Etc/GMT", nil), ("2020-07-16 24:36:42 Etc/GMT", nil),
            ("2020-07-16 14:36:42 Europe/Paris", nil), ("2020/07/16 14:36:42 Etc/GMT", nil),
            ("xxxx-07-16 14:36:42 Etc/GMT", nil),
        ] as [(String, Int64?)])
    func ofV1(_ text: String, _ expected: Int64?) {
        let actual = milliseconds(text)
        #expect(actual == expected)
    }

    @Test(
        "Dates of receipt are read in the forms that servers write",
        arguments: [
            ("2020-11-03T09:12:44.000Z", 1_604_394_764_000), ("2020-11-03T09:12:44Z", 1_604_394_764_000),
            ("2020-11-03T10:12:44.5+01:00", 1_604_394_764_500), ("2020-11-03 09:12:44+00", 1_604_394_764_000),
            ("2020-11-03 09:12:44.123456 UTC", 1_604_394_764_123), ("2020-11-03 02:12:44-0700", 1_604_394_764_000),
            ("1604394764", 1_604_394_764_000), ("1604394764.25", 1_604_394_764_250),
            ("1604394764000", 1_604_394_764_000), ("2020-11-03", nil), ("soon", nil),
        ] as [(String, Int64?)])
    func receipt(_ text: String, _ expected: Int64?) {
        let actual = receiveTime(text)
        #expect(actual == expected)
    }

    @Test("Dates survive being written and read again")
    func roundTrip() {
        var value: Int64 = -62_135_596_800_000
        while value < 253_402_300_799_999 {
            let text = EventTime(milliseconds: value).description
            #expect(EventTime(text)?.milliseconds == value)
            value += 86_400_000 * 997 + 12_345_678
        }
    }

    @Test(
        "Dates given as numbers are rounded by their decimal digits",
        arguments: [
            ("1697679936049.7297", 1_697_679_936_050), ("1697679936049.4999", 1_697_679_936_049),
            ("1.743495457425E12", 1_743_495_457_425), ("1743495457425", 1_743_495_457_425), ("-1.5", -2), ("0.4", 0),
            ("1e3", 1000), ("12e-1", 1), ("1e30", nil), ("x", nil), ("1e", nil),
        ] as [(String, Int64?)])
    func rounded(_ text: String, _ expected: Int64?) {
        let actual = Array(text.utf8).withUnsafeBytes { JSONNumber.rounded($0) }
        #expect(actual == expected)
    }
}
