import Testing

@testable import NotificationTranslation

@Suite("A JSON tree")
struct JSONTreeTests {
    private func tree(_ text: String) throws -> JSONTree { try JSONTree(Array(text.utf8)) }

    @Test("A JSON tree finds members, elements and the text of both")
    func finds() throws {
        let tree = try tree(#"{"a":{"b":[1,"two",[],{}]},"c":null,"d":true,"e":false,"":-1.5e3}"#)
        #expect(tree.keys == ["a", "c", "d", "e", ""])
        let list = try #require(tree["a"]?["b"])
        #expect(list.elements?.map(\.kind) == [.number, .string, .array, .object])
        #expect(list.elements?.compactMap(\.string) == ["two"])
        #expect(list.elements?.first?.integer == 1)
        #expect(tree["c"]?.kind == .null && tree["d"]?.kind == .true && tree["e"]?.kind == .false)
        #expect(tree[""]?.characters == "-1.5e3")
        #expect(tree["b"] == nil && list["b"] == nil && list.keys.isEmpty && tree.elements == nil)
        #expect(tree.member("d")?.kind == .true && tree.member("a")?.member("c") == nil)
    }

    @Test("A JSON tree resolves the escapes of keys and strings")
    func unescapes() throws {
        let tree = try tree(#"{"\u0061\n":"\ud83d\ude00\"","plain":"\\"}"#)
        #expect(tree.keys == ["a\n", "plain"])
        #expect(tree["a\n"]?.string == "😀\"")
        #expect(tree.member("a\n")?.says("😀\"") == true)
        #expect(tree["plain"]?.says(#"\"#) == true)
        #expect(tree["plain"]?.says(#"\\"#) == false)
    }

    @Test("A JSON value is equal to one with the same members in another order, and to no other")
    func compares() throws {
        let one = try JSONValue(tree(#"{"a":[1,{"b":"c"}],"d":null}"#))
        #expect(try one == JSONValue(tree(#" { "d" : null , "a" : [ 1 , { "b" : "\u0063" } ] } "#)))
        for other in [
            #"{"a":[1,{"b":"c"}]}"#, #"{"a":[1,{"b":"c"}],"d":false}"#, #"{"a":[{"b":"c"},1],"d":null}"#,
            #"{"a":[1,{"b":"c"}],"d":null,"e":0}"#, #"{"a":[1],"d":null}"#, "[]", "1",
        ] {
            #expect(try one != JSONValue(tree(other)))
        }
    }

    @Test("A JSON tree refuses a key that appears twice in one object")
    func refusesTwins() throws {
        for text in [#"{"often":1,"often":2}"#, #"{"rare":1,"rare":2}"#, #"{"often":1,"\u006fften":2}"#] {
            let fault = #expect(throws: JSONFault.self) { try JSONTree(Array(text.utf8)) }
            #expect(fault?.code == .duplicateKey)
        }
        let tree = try JSONTree(Array(#"{"often":{"often":1,"rare":2},"rare":3}"#.utf8))
        #expect(tree["often"]?["often"]?.integer == 1)
        #expect(tree["rare"]?.integer == 3)
    }
}
