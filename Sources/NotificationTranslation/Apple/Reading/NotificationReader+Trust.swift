extension NotificationReader {
    /// Judges the payload in `v2`, which came without its signature.
    func authenticityOfUnsigned() throws(NotificationError) -> Authenticity {
        if policy.checksNothing { return .unverified }
        do throws(AuthenticityError) {
            return try policy.authenticity(
                ofUnsignedPayloadOf: v2[data: .bundleId].string, appAppleID: v2[data: .appAppleId].integer,
                environment: v2[data: .environment].string)
        } catch {
            throw NotificationError(error)
        }
    }

    /// Judges the body in `v1` by the secret it carries.
    func authenticityOfV1(
        _ memory: UnsafeRawPointer
    ) throws(NotificationError) -> Authenticity {
        if policy.checksNothing { return .unverified }
        let view = TextView(memory: memory)
        // What somebody masked, or left blank, is not there; it is no wrong secret.
        let given = v1[.password]
        let isMask = given.isBlank || view.isMasked(given) && !view.isHexadecimal(given)
        let password = isMask ? .absent : given
        var bundleID = Self.string(v1[.bid], view)
        for row in v1.unifiedRows..<max(v1.unifiedRows, v1.rows.count) where bundleID == nil {
            bundleID = Self.string(v1[row: row, .bid], view)
        }
        let environment = Self.string(v1[.environment], view)
        do throws(AuthenticityError) {
            return try policy.authenticity(
                ofPassword: password.isAbsent ? nil : plain(password, memory), bundleID: bundleID,
                environment: environment)
        } catch {
            throw NotificationError(error, offset: password.start)
        }
    }

    private static func string(_ text: JSONText, _ view: TextView) -> String? {
        text.isBlank ? nil : view.string(text)
    }
}
