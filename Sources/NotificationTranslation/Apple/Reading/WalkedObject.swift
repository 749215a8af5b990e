/// A value that may hold the notification, met on the way through an object.
struct BodyCandidate {
    /// Which is tried first, in the order of the cases.
    enum Rank: Comparable {
        /// An object under `signedPayload`.
        case signedPayload
        /// A name in ``Envelope/bodies``, by its place.
        case body(Int)
        /// A text under `data`.
        case dataText
        /// An object that a decoded V2 payload has, by its slot in ``V1Keys/Root``.
        case part(Int)

        /// Whether it is where a decoded V2 payload has its data.
        var isPayload: Bool {
            switch self {
            case .dataText, .part: true
            case .signedPayload, .body: false
            }
        }
    }

    var rank: Rank
    var value: JSONWalker.Value
    var place: JSONWalker.Place

    /// The key of a decoded V2 payload's data.
    var payloadName: String? {
        switch rank {
        case .dataText, .part(V1Keys.Root.v2Data.rawValue): "data"
        case .part(let slot): V1Keys.root.name(slot).description
        case .signedPayload, .body: nil
        }
    }
}

/// What the walk through an object met besides its scalars.
struct WalkedObject {
    /// Where the object begins.
    let start: JSONWalker.Place
    var candidates: [BodyCandidate] = []
    /// Whether it has a member that this build does not know as a field of a notification.
    var hasUnknownMember = false
    /// Whether a value that may hold a notification is under a name that says nothing.
    var hasOthers = false
    /// The object among the candidates whose grammar has not been checked yet.
    var unchecked: BodyCandidate?
    /// The parts of a decoded payload that are in it.
    var parts = PartPlaces()
    var times: EnvelopeTimes
    /// What its keys show of shapes that are no notification's.
    var shapes = KnownShapes()
    /// Whether only a search in the whole tree says what it is.
    var needsSearch = false

    init(_ start: JSONWalker.Place, _ receivedAt: ReceiveTime?) {
        self.start = start
        times = EnvelopeTimes(receivedAt)
    }
}
