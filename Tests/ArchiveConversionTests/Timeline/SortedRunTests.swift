import NotificationTranslation
import Testing

@testable import NotificationArchives

@Suite("Sorted runs")
struct SortedRunTests {
    private struct Item: Hashable {
        var first: UInt64
        var second: UInt64
        var bytes: [UInt8]
    }

    private static func items(_ count: Int) -> [Item] {
        var state: UInt64 = 88172645463325252
        func random() -> UInt64 {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return state
        }
        return (0..<count).map { place in
            let length = place % 97 == 0 ? 3000 : Int(random() % 60)
            return Item(
                first: random() & 0xF300_0000_0000_0003, second: UInt64(place),
                bytes: (0..<length).map { UInt8(truncatingIfNeeded: $0 + place) })
        }
    }

    private static func store(_ items: [Item], _ workspace: Workspace, budget: Int) throws -> SortedStore {
        let store = SortedStore(in: workspace.folder, budget: budget)
        for item in items {
            item.bytes.withUnsafeBytes { store.add(item.first, item.second, $0) }
            try store.spillIfFull()
        }
        return store
    }

    private static func read(_ merge: SortedMerge, takes: Bool = true) throws -> [Item] {
        var merge = merge
        var items: [Item] = []
        let bytes = OutputBuffer()
        while let top = merge.top {
            bytes.removeAll()
            if takes { try top.take(into: bytes) }
            items.append(Item(first: top.first, second: top.second, bytes: Array(bytes.bytes)))
            try merge.advance()
        }
        return items
    }

    private static func sorted(_ items: [Item]) -> [Item] {
        items.sorted { ($0.first, $0.second) < ($1.first, $1.second) }
    }

    @Test("Sorted runs are read back in order", arguments: [0, 1, 50, 500], [200, 5000, 1 << 20])
    func order(count: Int, budget: Int) throws {
        let workspace = try Workspace()
        let items = Self.items(count)
        let store = try Self.store(items, workspace, budget: budget)
        #expect(try Self.read(store.merge(window: 64)) == Self.sorted(items))
        #expect(try Self.read(store.merge(window: 100_000)) == Self.sorted(items))
        let others = try Self.store(Self.items(count + 40).suffix(40), workspace, budget: budget)
        #expect(try Self.read(SortedMerge([store, others], window: 64)) == Self.sorted(Self.items(count + 40)))
        #expect(workspace.names.isEmpty)
    }

    @Test("Sorted runs can be skipped without being read")
    func passing() throws {
        let workspace = try Workspace()
        let items = Self.items(300)
        let store = try Self.store(items, workspace, budget: 3000)
        let read = try Self.read(store.merge(window: 64), takes: false)
        #expect(read.map(\.second) == Self.sorted(items).map(\.second))
    }
}
