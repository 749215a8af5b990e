import NotificationTranslation
import Testing

@Suite("A route that is not verified") struct UnverifiedRouteTests {
    @Test("A route that is not verified reads both versions") func readsBothVersions() throws {
        let version1 = """
            {"notification_type":"CANCEL","password":"p","bid":"com.example.app","environment":"PROD",\
            "unified_receipt":{"environment":"Sandbox","latest_receipt_info":[{"bid":"com.example.other"}]}}
            """
        let token = try Token(try ForgedChain(.small), payload: Token.notification(environment: "Sandbox")).text()
        for (body, version, environment) in [
            (version1, NotificationVersion.v1, NotificationEnvironment.production),
            ("{\"signedPayload\":\"\(token)\"}", .v2, .sandbox),
        ] {
            let route = try #require(UnverifiedRoute(body: Array(body.utf8)))
            #expect(route.unverifiedVersion == version && route.unverifiedEnvironment == environment)
            #expect(route.unverifiedBundleID == "com.example.app")
        }
    }

    @Test(
        "A route that is not verified reads nothing else",
        arguments: ["", "{}", "[]", "{\"signedPayload\":\"a.b.c\"}", "{\"notification_type\":1}", "{\"x\":1,}"])
    func readsNothingElse(_ body: String) {
        #expect(UnverifiedRoute(body: Array(body.utf8)) == nil)
    }
}
