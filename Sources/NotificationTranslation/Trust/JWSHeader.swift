/// The header of a JWS that says ES256 and brings a chain of three certificates.
///
/// `kid`, `jwk`, `jku` and `x5u` are not even looked at: a key that a token brings along proves nothing but itself.
package struct JWSHeader {
    /// How many certificates Apple sends: leaf, intermediate, root.
    package static let chainCount = 3

    /// DER of the certificates as sent, the leaf first.
    ///
    /// The third proves nothing: roots are the verifier's own.
    package var chain: [[UInt8]]

    private enum Key: Int {
        case alg, crit, x5c

        static let table = KeyTable(["alg", "crit", "x5c"])
    }

    /// Reads a header.
    ///
    /// - Parameter json: The decoded part, followed by slack.
    /// - Throws: `jws.bad-header`, `jws.duplicate-key`, `jws.algorithm`, `jws.crit`, `jws.no-chain`,
    ///   `jws.chain-count`, `jws.bad-base64`.
    init(_ json: UnsafeRawBufferPointer) throws(AuthenticityError) {
        guard let memory = json.baseAddress else { throw AuthenticityError(.badHeader) }
        var isES256 = false
        var hasDemands = false
        var hasChain = false
        var entries: [JSONText] = []
        var foreignEntries = 0
        do throws(JSONFault) {
            try StrictObject.read(json, keys: Key.table) { (member, walker) throws(JSONFault) in
                switch Key(rawValue: member.slot) {
                case .alg:
                    isES256 =
                        member.value.kind == .string
                        && StrictObject.string(member.value.text, memory) == "ES256"
                case .crit:
                    hasDemands = true
                case .x5c where member.value.kind == .array:
                    hasChain = true
                    var array = try walker.enterArray()
                    while let entry = try walker.nextElement(of: &array) {
                        if entry.kind == .string { entries.append(entry.text) } else { foreignEntries += 1 }
                        try walker.skip(entry)
                    }
                    return
                default:
                    break
                }
                try walker.skip(member.value)
            }
        } catch {
            throw AuthenticityError(error.code == .duplicateKey ? .duplicateHeaderKey : .badHeader)
        }
        guard isES256 else { throw AuthenticityError(.algorithm, path: "alg") }
        guard !hasDemands else { throw AuthenticityError(.criticalHeader, path: "crit") }
        guard hasChain else { throw AuthenticityError(.noChain, path: "x5c") }
        guard entries.count == Self.chainCount, foreignEntries == 0 else {
            throw AuthenticityError(.chainCount, path: "x5c")
        }
        chain = []
        chain.reserveCapacity(Self.chainCount)
        for (place, entry) in entries.enumerated() {
            guard let der = Self.decoded(entry, memory) else {
                throw AuthenticityError(.badBase64, path: "x5c[\(place)]")
            }
            chain.append(der)
        }
    }

    private static func decoded(_ entry: JSONText, _ memory: UnsafeRawPointer) -> [UInt8]? {
        if entry.hasEscapes { return StrictBase64.decoded(standard: KeyLog.characters(entry, memory)) }
        return StrictBase64.decoded(standard: Array(StrictObject.bytes(entry, memory)))
    }
}
