import Testing
import NotificationLibC

@testable import NotificationArchives

@Suite("Reading gzip") struct GzipTests {
    /// What is done to a packed archive.
    enum Harm: String, CaseIterable {
        case none, members, empty, emptyMembers, cutInside, cutInChecksum, cutInLength, changedData, changedChecksum
        case changedLength, garbage, zeros, oneByteOfMagic, magicOnly, unknownMethod, brokenMember, cutInHeader
        case cutInName, cutInExtra

        var isDamage: Bool {
            switch self {
            case .none, .members, .empty, .emptyMembers, .zeros: false
            default: true
            }
        }

        func apply(to packed: [UInt8], nothing: [UInt8]) -> [UInt8] {
            func changed(at place: Int) -> [UInt8] {
                var bytes = packed
                bytes[place] ^= 0x10
                return bytes
            }
            switch self {
            case .none: return packed
            case .members: return packed + nothing + packed + packed
            case .empty: return nothing
            case .emptyMembers: return nothing + nothing + nothing
            case .cutInside: return Array(packed.prefix(packed.count / 2))
            case .cutInChecksum: return packed.dropLast(6)
            case .cutInLength: return packed.dropLast(2)
            case .changedData: return changed(at: packed.count / 2)
            case .changedChecksum: return changed(at: packed.count - 6)
            case .changedLength: return changed(at: packed.count - 1)
            case .garbage: return packed + Array("garbage".utf8)
            case .zeros: return packed + [UInt8](repeating: 0, count: 1000)
            case .oneByteOfMagic: return packed + [0x1F]
            case .magicOnly: return packed + [0x1F, 0x8B]
            case .unknownMethod: return packed + [0x1F, 0x8B, 7, 0, 0, 0, 0, 0, 0, 3, 1, 2, 3]
            case .brokenMember: return packed + packed.dropFirst(packed.count / 3)
            case .cutInHeader: return packed + nothing.prefix(6)
            case .cutInName: return packed + [0x1F, 0x8B, 8, 8, 0, 0, 0, 0, 0, 3, 0x61, 0x62]
            case .cutInExtra: return [0x1F, 0x8B, 8, 4, 0, 0, 0, 0, 0, 3, 16, 0, 1, 2, 3, 4, 5, 6]
            }
        }
    }

    private func isDamaged(_ name: String, in workspace: Workspace) throws -> Bool {
        let file = try Descriptor.reading(workspace.path(name))
        defer { file.closeQuietly() }
        let unpacker = try Unpacker("gzip", file, from: 0, after: [])
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 50_000, alignment: 16)
        defer { room.deallocate() }
        while try unpacker.read(into: room) > 0 {}
        return try unpacker.isDamaged()
    }

    /// A text of 400 KB with some variety, packed, and an empty one.
    private func archive(_ workspace: Workspace) throws -> (packed: [UInt8], nothing: [UInt8]) {
        var state: UInt32 = 1
        let words = (0..<2000).map { _ in
            state = state &* 1_664_525 &+ 1_013_904_223
            return String(state, radix: 36)
        }
        try workspace.write(String(repeating: words.joined(separator: " "), count: 27), to: "a")
        try workspace.write("", to: "b")
        try workspace.pack("gzip", "a", "a.gz")
        try workspace.pack("gzip", "b", "b.gz")
        return (try workspace.bytes("a.gz"), try workspace.bytes("b.gz"))
    }

    @Test("Damaged archives are reported, odd ones are not")
    func damageIsReported() throws {
        let workspace = try Workspace()
        let (packed, nothing) = try archive(workspace)
        for harm in Harm.allCases {
            try workspace.write(harm.apply(to: packed, nothing: nothing), to: "x")
            #expect(try isDamaged("x", in: workspace) == harm.isDamage, "\(harm)")
        }
    }

    @Test("A child that is no longer needed is stopped and leaves no zombie")
    func closesEarly() throws {
        let workspace = try Workspace()
        _ = try archive(workspace)
        let file = try Descriptor.reading(workspace.path("a.gz"))
        defer { file.closeQuietly() }
        var unpacker: Unpacker? = try Unpacker("gzip", file, from: 0, after: [])
        let number = try #require(unpacker?.child.identifier)
        unpacker = nil
        #expect(kill(number, 0) == -1 && errno == ESRCH)
    }
}
