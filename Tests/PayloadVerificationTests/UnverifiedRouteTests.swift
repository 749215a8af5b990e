import NotificationTranslation
import Testing

@Suite("A route that is not verified") struct UnverifiedRouteTests {
    @Test("A route that is not verified reads version 1") func readsVersionOne() {
        let body = """
            {"notification_type":"CANCEL","password":"p","bid":"com.example.app","environment":"PROD",\
            "unified_receipt":{"environment":"Sandbox","latest_receipt_info":[{"bid":"com.example.other"}]}}
            """
        let route = UnverifiedRoute(body: Array(body.utf8))
        #expect(route?.unverifiedVersion == .v1)
        #expect(route?.unverifiedBundleID == "com.example.app")
        #expect(route?.unverifiedEnvironment == .production)
    }

    @Test("A route that is not verified reads version 2") func readsVersionTwo() throws {
        let token = try Token(try ForgedChain(.small), payload: Token.notification(environment: "Sandbox")).text()
        let route = UnverifiedRoute(body: Array("{\"signedPayload\":\"\(token)\"}".utf8))
        #expect(route?.unverifiedVersion == .v2)
        #expect(route?.unverifiedBundleID == "com.example.app")
        #expect(route?.unverifiedEnvironment == .sandbox)
    }

    @Test(
        "A route that is not verified reads nothing else",
        arguments: ["", "{}", "[]", "{\"signedPayload\":\"a.b.c\"}", "{\"notification_type\":1}", "{\"x\":1,}"])
    func readsNothingElse(_ body: String) {
        #expect(UnverifiedRoute(body: Array(body.utf8)) == nil)
    }
}
