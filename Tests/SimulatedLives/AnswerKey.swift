/// Lines of JSON that hold the right answers.
package enum AnswerKey {
    /// The key line of a delivery; lines of the archive count from 1, `leader` is the line of the one that
    /// leads it, `twin` that of the one that told the same in the other version before.
    package static func line(
        for delivery: Delivery,
        at line: Int,
        life: Int,
        era: SimulatedEra,
        leader: Int?,
        twin: Int? = nil
    ) -> [UInt8] {
        var members = JSONMembers()
        members.set("line", .number(Int64(line)))
        members.set("life", .number(Int64(life)))
        members.set("era", era.rawValue)
        members.set("type", delivery.type)
        members.set("pair", delivery.truth.pair.map(json) ?? .null)
        members.set("also", .array(delivery.truth.also.map(json)))
        members.set("repeat", .bool(delivery.truth.isRepeat))
        members.set("version", .number(delivery.isVersion2 ? 2 : 1))
        members.set("notice", .number(Int64(delivery.notice)))
        members.set("promoted", .bool(delivery.truth.isPromoted))
        members.set("nameless", .bool(delivery.truth.isNameless))
        members.set("twin", twin.map { .number(Int64($0)) } ?? .null)
        members.set("leader", leader.map { .number(Int64($0)) } ?? .null)
        members.set("otid", delivery.truth.originalTransactionId)
        members.set("tid", delivery.truth.transactionId)
        members.set("time_ms", .number(delivery.truth.time))
        members.set("happening", .number(Int64(delivery.happening)))
        members.set("received_ms", .number(delivery.receivedAt))
        return members.value.bytes
    }

    /// One line for a true happening, told or silent.
    package static func line(for happening: Happening, number: Int, life: Int, era: SimulatedEra) -> [UInt8] {
        var members = JSONMembers()
        members.set("life", .number(Int64(life)))
        members.set("era", era.rawValue)
        members.set("happening", .number(Int64(number)))
        members.set("pair", json(happening.pair))
        members.set("silent", .bool(happening.isSilent))
        members.set("shown", .bool(happening.isShown))
        members.set("elsewhere", .bool(happening.isShownElsewhere))
        members.set("documented", .bool(happening.isDocumented))
        members.set("otid", happening.originalTransactionId)
        members.set("tid", happening.transactionId)
        members.set("time_ms", .number(happening.dated))
        members.set("at_ms", .number(happening.at))
        return members.value.bytes
    }

    private static func json(_ pair: V2Pair) -> JSONText {
        .object([("type", .string(pair.type)), ("subtype", pair.subtype.map { .string($0) } ?? .null)])
    }
}

extension Delivery {
    /// The delivery as an archive keeps it: the body inside an object that says when it came.
    package var envelope: [UInt8] {
        Array("{\"receivedAt\":\"\(CivilTime(receivedAt).rfc3339)\",\"body\":".utf8) + body + [UInt8(ascii: "}")]
    }
}
