/// Members of a version 2 payload that this build does not know: Apple adds objects beside `data`.
struct UnknownMembers {
    /// The keys of those that nothing else reads.
    private(set) var keys: Set<String> = []
    /// The only one that names an app, where `data` is missing and nothing beside it does: it takes that place.
    private(set) var data: (key: String, object: JSONTree)?

    /// Finds them in a payload.
    ///
    /// What was signed is Apple's as a whole. A decoded payload may be in a document with members of its own, such as
    /// the time of arrival, so of these only objects that name an app are taken.
    init(of payload: JSONTree, besides data: String?, isSigned: Bool) {
        var naming: [(key: String, object: JSONTree)] = []
        var isNamed = data != nil
        for (name, value) in payload.pairs {
            let (key, slot) = (name.characters, name.slot(in: V1Keys.root))
            let isOfVersion2 = V1Keys.Root.v2Data.rawValue...V1Keys.Root.v2UnclaimInfo.rawValue ~= slot
            let isOfApp = value.kind == .object && slot < 0 && PartPlace.kind(key) == nil && Self.namesApp(value)
            if ["environment", "appAppleId", "bundleId"].contains(key), value.kind != .null { isNamed = true }
            if isOfApp { naming.append((key, value)) }
            if isOfVersion2 ? value.kind == .object && key != data : slot < 0 && (isSigned || isOfApp) {
                keys.insert(key)
            }
        }
        if !isNamed, naming.count == 1 { self.data = naming[0] }
    }

    /// Whether an object names an app as every object of Apple's does that is beside `data`.
    private static func namesApp(_ object: JSONTree) -> Bool {
        object.member("bundleId")?.kind == .string
            && (object.member("environment")?.kind.isScalar == true
                || object.member("appAppleId")?.kind.isScalar == true)
    }
}
