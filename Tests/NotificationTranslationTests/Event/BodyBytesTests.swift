import NotificationTranslation
import Testing

@Suite("Bodies of every type of bytes")
struct BodyBytesTests {
    private static let text = #"{"notification_type":"CANCEL","environment":"PROD","bid":"com.example.app"}"#

    @Test("Bodies of every type of bytes give the same events")
    func same() throws {
        let array = Array(Self.text.utf8)
        let event = try trusting.event(from: array)
        let padded = [0x20] + array + [0x20]
        #expect(try trusting.event(from: padded[1...array.count]) == event)
        #expect(try trusting.event(from: Self.text.utf8) == event)
        #expect(try trusting.event(from: Data(array)) == event)
        #expect(try trusting.event(from: array.lazy.map { $0 }) == event)
        #expect(UnverifiedRoute(body: Self.text.utf8)?.unverifiedBundleID == "com.example.app")
    }

    @Test("Bodies of every type of bytes are refused with the same errors")
    func refused() throws {
        let bytes = Array(#"{"notification_type":"CANCEL",}"#.utf8)
        let expected = #expect(throws: NotificationError.self) { try trusting.event(from: bytes) }
        let lazily = #expect(throws: NotificationError.self) { try trusting.event(from: bytes.lazy.map { $0 }) }
        #expect(lazily == expected)
        let nothing = #expect(throws: NotificationError.self) { try trusting.event(from: []) }
        #expect(nothing?.cause == .unreadable)
    }
}
