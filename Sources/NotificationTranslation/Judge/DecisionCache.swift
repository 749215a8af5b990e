/// Decisions met before, found by their facts, each with what it says in an event.
///
/// Only facts that some rule of the type asks for are distinguished: 45,901 bodies of many kinds then share 356
/// decisions, which stay in the processor's cache, and not 2,899. Without the cache a small record costs a third more.
///
/// Three passes have one for each worker: ``Judge`` reads bodies, ``Settlement`` judges them again with their neighbours,
/// and ``CorrectedLineWriter`` writes what that changed. What is done once, as in a server, asks the table.
struct DecisionCache {
    /// Where the decision of one set of facts is; a value without references, so that looking for it counts none.
    private struct Slot {
        var facts = Facts()
        var type: Int32 = -1
        var place: Int32 = 0
    }

    /// Slots that are kept at most, twice as many as combinations.
    private static let most = 16 * 1024

    private let table: DecisionTable
    private let names: EventNames
    /// What the rules of each type ask for.
    private let asked: [FactSet]
    private var slots: [Slot]
    private var decisions: [Decision] = []
    private var judgements: [Judgement] = []

    init(_ table: DecisionTable, _ names: EventNames = .current) {
        self.table = table
        self.names = names
        asked = table.types.map(\.asked)
        slots = Array(repeating: Slot(), count: 256)
    }

    /// What the table says, from memory if it was asked before.
    mutating func decision(type: Int, facts: Facts) -> Decision {
        decisions[place(type: type, facts: facts)]
    }

    /// Puts what the table says into an event; returns how the date of its type relates to the time of the event.
    mutating func judge(_ event: inout EventDraft, type: Int, facts: Facts) -> TypeRules.Timing {
        let place = place(type: type, facts: facts)
        let decision = decisions[place]
        event.take(decision, judgements[place])
        return decision.timing
    }

    /// Where the answer is; it is found first if it is not there yet.
    private mutating func place(type: Int, facts: Facts) -> Int {
        let all = facts
        let facts = all.only(asked[type])
        let mask = slots.count - 1
        var place = Self.home(Int32(type), facts) & mask
        while slots[place].type >= 0 {
            if slots[place].type == type, slots[place].facts == facts { return Int(slots[place].place) }
            place = (place + 1) & mask
        }
        return add(type: type, facts: facts, of: all, at: place)
    }

    @inline(never)
    private mutating func add(type: Int, facts: Facts, of all: Facts, at free: Int) -> Int {
        var place = free
        if decisions.count * 2 > slots.count {
            grow()
            let mask = slots.count - 1
            place = Self.home(Int32(type), facts) & mask
            while slots[place].type >= 0 { place = (place + 1) & mask }
        }
        let decision = table.decision(type: type, facts: all)
        slots[place] = Slot(facts: facts, type: Int32(type), place: Int32(decisions.count))
        decisions.append(decision)
        judgements.append(Judgement(decision, names))
        return decisions.count - 1
    }

    /// Doubles the room; where archives hold more combinations than are worth keeping, begins again.
    private mutating func grow() {
        let old = slots
        let isFull = old.count >= Self.most
        slots = Array(repeating: Slot(), count: isFull ? 1024 : old.count * 2)
        guard !isFull else {
            decisions.removeAll()
            judgements.removeAll()
            return
        }
        let mask = slots.count - 1
        for slot in old where slot.type >= 0 {
            var place = Self.home(slot.type, slot.facts) & mask
            while slots[place].type >= 0 { place = (place + 1) & mask }
            slots[place] = slot
        }
    }

    private static func home(_ type: Int32, _ facts: Facts) -> Int {
        Int(truncatingIfNeeded: facts.mixed &+ UInt64(type) &* 0x9E37_79B9)
    }
}
