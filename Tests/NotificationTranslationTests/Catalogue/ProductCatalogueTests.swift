import Testing

@testable import NotificationTranslation

@Suite("A catalogue of products")
struct ProductCatalogueTests {
    private static let header = "product_id,kind,period,rank,group,promotional_offers,price_changes\n"

    private static func number(_ id: StaticString) -> UInt64 { TimelineID.of(EventText(id)) }

    @Test("A catalogue reads the same from a table and from JSON, whatever the order of columns and rows")
    func readsBothForms() throws {
        let table = try ProductCatalogue(
            file: Array(
                """
                \u{FEFF}rank,product_id,kind,period,group,price_changes,promotional_offers\r
                1,gold,auto-renewable,P1M,"Premium, all",2021-05-01 2022-01-01,one two\r
                \r
                ,coins,consumable,,,,\r
                2,silver,auto-renewable,P1Y,"Premium, all",,none
                """.utf8))
        let json = try ProductCatalogue(
            file: Array(
                #"""
                {"products":[
                  {"product_id":"silver","kind":"auto-renewable","period":"P1Y","rank":2,"group":"Premium, all",
                   "promotional_offers":[]},
                  {"product_id":"coins","kind":"consumable","rank":null},
                  {"product_id":"gold","kind":"auto-renewable","period":"P1M","rank":1,"group":"Premium, all",
                   "promotional_offers":["two","one"],"price_changes":["2021-05-01","2022-01-01"]}]}
                """#.utf8))
        #expect(table.fingerprint == json.fingerprint)
        #expect(table.products.map(\.productID) == ["gold", "coins", "silver"])
        #expect(table.products[0].group == "Premium, all")
        #expect(table.products[0].promotionalOffers == ["one", "two"])
        #expect(table.products[1].promotionalOffers == nil)
        #expect(table.products[2].promotionalOffers == [])
        let other = try ProductCatalogue(file: Array("product_id,rank\ngold,2\n".utf8))
        #expect(other.fingerprint != table.fingerprint)
        #expect(try ProductCatalogue(table.products) == table)
    }

    @Test(
        "A catalogue that cannot be understood is refused with the line and the reason",
        arguments: [
            ("", "line 1: catalogue.not-a-catalogue"), ("[1]", "line 1: catalogue.not-a-catalogue"),
            ("{\"items\":[]}", "line 1: catalogue.unknown-column"), ("[{]", "line 1: catalogue.not-a-catalogue"),
            ("product_id,colour\na,b\n", "line 1: catalogue.unknown-column"),
            ("product_id,rank,rank\na,1,1\n", "line 1: catalogue.duplicate-column"),
            ("kind\nconsumable\n", "line 1: catalogue.no-product-id"),
            ("product_id,kind\na,consumable\n\n,consumable\n", "line 4: catalogue.no-product-id"),
            ("product_id,kind\na,consumable\nb,Consumable\n", "line 3: catalogue.unknown-kind"),
            ("product_id,period\na,1 month\n", "line 2: catalogue.bad-period"),
            ("product_id,period\na,P0M\n", "line 2: catalogue.bad-period"),
            ("product_id,period\na,P1M2D\n", "line 2: catalogue.bad-period"),
            ("product_id,period\na,P+1M\n", "line 2: catalogue.bad-period"),
            ("product_id,rank\na,0\n", "line 2: catalogue.bad-rank"),
            ("product_id,rank\na,first\n", "line 2: catalogue.bad-rank"),
            ("product_id,price_changes\na,2021-02-30\n", "line 2: catalogue.bad-date"),
            ("product_id,group\n\"a\nb\",x\n\"a\nb\",y\n", "line 4: catalogue.duplicate-product"),
            ("product_id,group\na\n", "line 2: catalogue.bad-row"),
            ("product_id,group\na,b,c\n", "line 2: catalogue.bad-row"),
            ("product_id,group\na,\"b\n", "line 2: catalogue.bad-row"),
            ("product_id,group\na,b\"c\"\n", "line 2: catalogue.bad-row"),
            ("product_id,group\na,\"b\"c\n", "line 2: catalogue.bad-row"),
            ("[\n {\"product_id\":\"a\"},\n {\"product_id\":\"a\"}]", "line 3: catalogue.duplicate-product"),
            ("[{\"product_id\":\"a\",\n\"rank\":\"1\"}]", "line 2: catalogue.bad-rank"),
            ("[{\"product_id\":\"a\",\"rank\":1.5}]", "line 1: catalogue.bad-rank"),
            ("[{\"product_id\":\"a\",\"price_changes\":\"2021-05-01\"}]", "line 1: catalogue.bad-value"),
            ("[{\"product_id\":1}]", "line 1: catalogue.bad-value"),
        ])
    func refuses(_ text: String, _ problem: String) throws {
        let error = #expect(throws: CatalogueError.self) { try ProductCatalogue(file: Array(text.utf8)) }
        let told = try #require(error).description
        #expect(told.hasPrefix(problem + ": "))
    }

    @Test("A catalogue of products refuses bytes that are not UTF-8, and crashes on no bytes")
    func refusesBytes() throws {
        #expect(throws: CatalogueError.self) { try ProductCatalogue(file: [0x61, 0xFF, 0x0A]) }
        let whole = Array((Self.header + "a,auto-renewable,P1M,1,\"g\"\"h\",none,2021-05-01\n").utf8)
        for length in whole.indices { _ = try? ProductCatalogue(file: Array(whole[..<length])) }
        for place in whole.indices {
            for byte in [UInt8(0x22), 0x2C, 0x0A, 0x0D, 0x7B, 0x00] {
                var changed = whole
                changed[place] = byte
                _ = try? ProductCatalogue(file: changed)
            }
        }
    }

    @Test("A catalogue says what a change of product means by level, then by duration, and nothing across groups")
    func changes() throws {
        let catalogue = try ProductCatalogue(
            file: Array(
                (Self.header
                    + """
                    gold,auto-renewable,P1M,1,A,,
                    gold.year,auto-renewable,P1Y,1,A,,
                    gold.twelve,auto-renewable,P12M,1,A,,
                    silver,auto-renewable,P1M,2,A,,
                    open,auto-renewable,,1,A,,
                    unranked,auto-renewable,P1M,,A,,
                    other,auto-renewable,P1M,3,B,,
                    loose,auto-renewable,P1M,3,,,
                    """).utf8))
        func change(_ old: StaticString, _ new: StaticString) -> FactValue.PlanChange {
            catalogue.change(from: Self.number(old), to: Self.number(new))
        }
        #expect(change("silver", "gold") == .upgrade)
        #expect(change("gold", "silver") == .downgrade)
        #expect(change("gold", "gold.year") == .crossgradeOtherPeriod)
        #expect(change("gold.year", "gold.twelve") == .crossgradeSamePeriod)
        #expect(change("gold", "gold") == .unknown)
        #expect(change("gold", "open") == .unknown)
        #expect(change("open", "silver") == .downgrade)
        #expect(change("unranked", "gold") == .unknown)
        #expect(change("gold", "other") == .unknown)
        #expect(change("gold", "loose") == .downgrade)
        #expect(change("gold", "missing") == .unknown)
    }

    @Test("A catalogue fills in the kind of a product that version 1 does not name, and nothing that it names")
    func productType() throws {
        let body = try Fixture(table: "v1-to-v2", name: "refund").bytes("input.json")
        let plain = try NotificationNormalizer(policy: .trustingTheSource).event(from: body)
        let id = try #require(plain.transaction?.productID)
        #expect(plain.transaction?.productType == nil)
        #expect(plain.flags.contains(.productKindUnknown))
        let catalogue = try ProductCatalogue(file: Array("product_id,kind\n\(id),non-renewing\n".utf8))
        let event = try NotificationNormalizer(policy: .trustingTheSource, catalogue: catalogue).event(from: body)
        #expect(event.transaction?.productType == .nonRenewingSubscription)
        #expect(!event.flags.contains(.productKindUnknown))
        #expect(event.id == plain.id)
        #expect(event.v2 == plain.v2)
    }

    @Test("A catalogue changes the evidence of version 1 only")
    func evidence() throws {
        let catalogue = try ProductCatalogue(file: Array("product_id\nnobody.has.it\n".utf8))
        let without = NotificationNormalizer(policy: .trustingTheSource)
        let with = NotificationNormalizer(policy: .trustingTheSource, catalogue: catalogue)
        for name in ["refund", "interactive-upgrade-marked", "refund-row-unclear", "fail"] {
            let body = try Fixture(table: "v1-to-v2", name: name).bytes("input.json")
            let plain = try without.timelineEntries(from: body)[0].evidence
            let marked = try with.timelineEntries(from: body)[0].evidence
            #expect(marked.bytes.count == plain.bytes.count + (plain.key == nil && plain.possibleKeys.isEmpty ? 9 : 8))
            #expect(Array(marked.bytes.prefix(plain.bytes.count)) == plain.bytes)
            #expect(marked.possibleKeys == plain.possibleKeys)
            var rows: [TimelineRow] = []
            let number = marked.bytes.withUnsafeBytes { EvidenceReader.statement($0, .current, &rows)?.catalogue }
            #expect(number == catalogue.fingerprint)
            #expect(Evidence(text: marked.text) == marked)
        }
    }
}
