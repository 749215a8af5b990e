/// A value that may hold the notification, met on the way through an object.
struct BodyCandidate {
    /// The least is tried first: an object under `signedPayload`, a name in ``Envelope/bodies``, a text under `data`, then
    /// the objects that a decoded V2 payload has.
    var rank: Int
    var value: JSONWalker.Value
    var place: JSONWalker.Place

    /// The rank of a text under `data`, and that of an object by its slot in ``V1Keys/Root``.
    static let dataText = Envelope.bodies.count
    static func part(_ slot: Int) -> Int { dataText + 1 + slot }

    /// Whether it is where a decoded V2 payload has its data.
    var isPayload: Bool { rank >= Self.dataText }
}

/// What the walk through an object met besides its scalars.
struct WalkedObject {
    let memory: UnsafeRawPointer
    /// Where the object begins.
    let start: Int
    var end = 0
    var candidates: [BodyCandidate] = []
    /// Whether it has a member that this build does not know as a field of a notification.
    var hasUnknownMember = false
    /// Whether a value that may hold a notification is under a name that says nothing.
    var hasOthers = false
    /// The object among the candidates whose grammar has not been checked yet.
    var unchecked: BodyCandidate?
    /// Whether an object under Apple's name of a payload's part is in it, and whether a value under a name of others.
    var hasParts = false
    var hasNamedParts = false
    var times: EnvelopeTimes
    /// Whether its keys are those of a request for the history.
    var mayBeHistoryRequest = false
    /// Whether only a search in the whole tree says what it is.
    var needsSearch = false

    /// The object taken apart, where its scalars are not enough.
    func tree() throws(JSONFault) -> JSONTree { try JSONTree(memory, start..<end) }
}
