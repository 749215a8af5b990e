/// The keys of an envelope: which may hold a body, and when it was received.
extension NotificationDecoder {
    /// Takes a key that belongs to no notification: perhaps an envelope's.
    @inline(never)
    func takeEnvelopeKey(
        _ member: JSONWalker.Member, _ walker: inout JSONWalker, _ met: inout Met
    ) throws(JSONFault) {
        let slot = Self.slot(of: member.key, in: Envelope.keys, walker.memory)
        let place = walker.place
        try met.shapes.take(member, &walker)
        walker.go(to: place)
        if slot >= Envelope.bodies.count {
            if slot == Envelope.bodies.count + Envelope.aroundTimes.count {
                try takeAttempts(member.value, &walker, &met)
            } else {
                try takeTimes(inside: member.value, &walker, &met)
            }
            walker.go(to: place)
            met.others.append(Other(value: member.value, place: place))
            return try walker.skip(member.value)
        } else if slot >= 0 {
            if member.value.kind == .object || member.value.kind == .string || member.value.kind == .array {
                met.candidates.append(Candidate(rank: .body(slot), value: member.value, place: place))
            }
            return try passOrSkip(member.value, isBody: true, &walker, &met)
        } else if try takeTime(member, &walker, &met) {
            return
        } else {
            walker.go(to: place)
            v1.oddities.formUnion(.of(member.key, member.value, walker.memory))
        }
        if Other.mayHoldNotification(member.value, walker.memory) {
            met.others.append(Other(value: member.value, place: place))
            if let part = NamedPart(member.key, member.value, walker) { met.parts.named.append(part) }
        }
        try passOrSkip(member.value, isBody: false, &walker, &met)
    }

    /// Walks past a value that may hold the notification.
    ///
    /// One object, rather one with the name of a body, is not checked yet: it is walked again when it is taken.
    private func passOrSkip(
        _ value: JSONWalker.Value, isBody: Bool, _ walker: inout JSONWalker, _ met: inout Met
    ) throws(JSONFault) {
        guard value.kind == .object, level < Envelope.deepest, met.unchecked == nil || isBody && !met.passedBody else {
            return try walker.skip(value)
        }
        let place = walker.place
        try check(&met, &walker)
        walker.go(to: place)
        guard walker.pass() else { return try walker.skip(value) }
        met.unchecked = (value, place)
        met.passedBody = isBody
    }

    /// Takes the time of receipt if the key is the name of one; false if it is not, or its value is not a time.
    private func takeTime(
        _ member: JSONWalker.Member, _ walker: inout JSONWalker, _ met: inout Met
    ) throws(JSONFault) -> Bool {
        let rank = Self.slot(of: member.key, in: Envelope.timeKeys, walker.memory)
        guard rank >= 0 else { return try takeLooseTime(member, &walker, &met) }
        guard let time = try receiveTime(member.value, &walker) else { return member.value.kind.isScalar }
        if rank < met.timeRank {
            met.timeRank = rank
            met.receivedAt = time
        }
        return true
    }

    /// Takes the time of receipt that is in an object beside the body.
    private func takeTimes(
        inside value: JSONWalker.Value, _ walker: inout JSONWalker, _ met: inout Met
    ) throws(JSONFault) {
        guard value.kind == .object else { return }
        var object = try walker.enterObject()
        while let member = try walker.nextMember(of: &object, known: Envelope.timeKeys) {
            if member.slot >= 0, Envelope.times.count + member.slot < met.timeRank,
                let time = try receiveTime(member.value, &walker)
            {
                met.timeRank = Envelope.times.count + member.slot
                met.receivedAt = time
            } else if member.slot < 0 || member.value.kind == .array {
                try walker.skip(member.value)
            } else if member.value.kind == .object, Envelope.times.count + member.slot >= met.timeRank {
                try walker.skip(member.value)
            }
        }
    }

    /// The slot of a key in a table, however it is written; -1 if it is none of its keys.
    static func slot(of key: JSONText, in table: KeyTable, _ memory: UnsafeRawPointer) -> Int {
        guard key.hasEscapes else {
            return table.slot((memory + key.start).assumingMemoryBound(to: UInt8.self), key.count)
        }
        let plain = KeyLog.characters(key, memory)
        return (plain + [UInt8](repeating: 0, count: 8)).withUnsafeBufferPointer { bytes in
            bytes.baseAddress.map { table.slot($0, plain.count) } ?? -1
        }
    }

    // MARK: Pointers

    /// Goes down a JSON pointer and takes what it names; the times of receipt of the objects on the way hold for it.
    ///
    /// What the pointer does not lead to is checked on the way, what it leads to when it is taken.
    func followPointer(
        _ steps: ArraySlice<String>, _ value: JSONWalker.Value, _ walker: inout JSONWalker,
        _ receivedAt: ReceiveTime?, finishes: Bool, _ visitor: FoundVisitor
    ) throws(JSONFault) -> NotificationError? {
        guard let step = steps.first else { return try take(value, &walker, receivedAt, finishes: finishes, visitor) }
        var met = Met(walker.place, receivedAt)
        var target: (value: JSONWalker.Value, place: JSONWalker.Place)?
        switch value.kind {
        case .object:
            var object = try walker.enterObject()
            while let member = try walker.nextMember(of: &object, known: Envelope.keys) {
                let place = walker.place
                if KeyLog.characters(member.key, walker.memory).elementsEqual(step.utf8) {
                    target = (member.value, place)
                    try walker.passOrSkip(member.value)
                    continue
                }
                if member.slot >= Envelope.bodies.count {
                    try takeTimes(inside: member.value, &walker, &met)
                } else if try takeTime(member, &walker, &met) {
                    continue
                }
                walker.go(to: place)
                try walker.skip(member.value)
            }
        case .array:
            var array = try walker.enterArray()
            var index = 0
            while let element = try walker.nextElement(of: &array) {
                if String(index) == step {
                    target = (element, walker.place)
                    try walker.passOrSkip(element)
                } else {
                    try walker.skip(element)
                }
                index += 1
            }
        default:
            try walker.skip(value)
        }
        if finishes { try walker.finish() }
        if let target {
            walker.go(to: target.place)
            return try followPointer(
                steps.dropFirst(), target.value, &walker, met.receivedAt, finishes: false, visitor)
        }
        visitor.missedPointer = true
        visitor.visit(Found(.foreign, walker.memory, self, receivedAt))
        return nil
    }

    /// The time of receipt at a JSON pointer; `nil` where nothing is there that is a time.
    func time(
        at steps: [String], _ root: JSONWalker.Value, _ walker: inout JSONWalker
    ) throws(JSONFault) -> ReceiveTime? {
        var value = root
        for step in steps {
            guard let next = try child(step, of: value, &walker) else { return nil }
            value = next
        }
        return try receiveTime(value, &walker)
    }

    /// The member or element of that name or number; `walker` then is before what it holds.
    private func child(
        _ step: String, of value: JSONWalker.Value, _ walker: inout JSONWalker
    ) throws(JSONFault) -> JSONWalker.Value? {
        if value.kind == .object {
            var object = try walker.enterObject()
            while let member = try walker.nextMember(of: &object, known: Envelope.keys) {
                if KeyLog.characters(member.key, walker.memory).elementsEqual(step.utf8) { return member.value }
                try walker.passOrSkip(member.value)
            }
        } else if value.kind == .array {
            var array = try walker.enterArray()
            var index = 0
            while let element = try walker.nextElement(of: &array) {
                if String(index) == step { return element }
                try walker.passOrSkip(element)
                index += 1
            }
        }
        return nil
    }
}
