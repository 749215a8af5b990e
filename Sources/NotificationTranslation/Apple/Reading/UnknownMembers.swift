/// Members of a version 2 payload that this build does not know: Apple adds objects beside `data`.
struct UnknownMembers {
    /// The keys of those that nothing else reads.
    private(set) var keys: Set<String> = []
    /// The only one that names an app, where `data` is missing and nothing beside it does: it takes that place.
    private(set) var data: (key: String?, place: JSONWalker.Place?)?

    /// Finds them in the object that `walker` is before.
    ///
    /// What was signed is Apple's as a whole. A decoded payload may be in a document with members of its own, such as
    /// the time of arrival, so of these only objects that name an app are taken.
    init(besides data: String?, isSigned: Bool, _ walker: inout JSONWalker) throws(JSONFault) {
        var naming: [(key: String, place: JSONWalker.Place)] = []
        var isNamed = data != nil
        var object = try walker.enterObject()
        while let member = try walker.nextMember(of: &object, known: V1Keys.root) {
            let place = walker.place
            let isObject = member.value.kind == .object
            let isOfVersion2 =
                V1Keys.Root.v2Data.rawValue...V1Keys.Root.v2UnclaimInfo.rawValue ~= member.slot
            let key = String(decoding: KeyLog.characters(member.key, walker.memory), as: UTF8.self)
            let mayBeOfApp = isObject && member.slot < 0 && NamedPart.kind(key) == nil
            let isOfApp = mayBeOfApp ? try Self.namesApp(&walker) : false
            walker.go(to: place)
            try walker.skip(member.value)
            if V2Details.namesApp(key), member.value.kind != .null { isNamed = true }
            if isOfApp { naming.append((key, place)) }
            if isOfVersion2 ? isObject && key != data : member.slot < 0 && (isSigned || isOfApp) {
                keys.insert(key)
            }
        }
        if !isNamed, naming.count == 1 { self.data = (naming[0].key, naming[0].place) }
    }

    /// Whether the object that `walker` is before names an app as every object of Apple's does that is beside `data`.
    private static func namesApp(_ walker: inout JSONWalker) throws(JSONFault) -> Bool {
        var hasBundle = false
        var hasOther = false
        var object = try walker.enterObject()
        while let member = try walker.nextMember(of: &object, known: V2Keys.data) {
            switch V2Keys.Data(rawValue: member.slot) {
            case .bundleId: hasBundle = member.value.kind == .string
            case .environment, .appAppleId: hasOther = hasOther || member.value.kind.isScalar
            default: break
            }
            try walker.skip(member.value)
        }
        return hasBundle && hasOther
    }
}
