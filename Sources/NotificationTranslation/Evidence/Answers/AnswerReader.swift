/// Finds Apple's answers in a record, through whatever a script put around them, and reads them.
///
///     {"original_transaction_id":"…","response":{"signedTransactions":["eyJ…"],"hasMore":false,…}}
///
/// It goes through the small tree of the record, texts of JSON included. What is signed is verified by the same code as
/// a notification.
package struct AnswerReader {
    private let policy: TrustPolicy
    private(set) var answers: [StoreAnswer] = []

    private init(_ policy: TrustPolicy) { self.policy = policy }

    /// Keys of the forms, or how they end; those that no V1 notification has come first.
    private static let keys: [StaticString] = [
        "Transactions", "in_app", "signedTransactionInfo", "latest_receipt_info", "pending_renewal_info",
    ]
    /// How many of them, at the beginning, also show an answer in a record that holds a notification.
    private static let keysBesideNotification = 3
    /// How base64 of an object begins (before a quote, a line end, a tab or a space), and of an array.
    private static let packed: [StaticString] = ["eyJ", "ewo", "ew0", "ewk", "eyA", "W3s", "Wwo", "Ww0", "WyB", "WyJ"]

    /// Whether a record may hold an answer, as far as its words show.
    ///
    /// - Parameters:
    ///   - record: Its text.
    ///   - hasNotification: Whether it holds a notification, which has some of the keys itself.
    /// - Returns: False only if it holds none.
    package static func mayBe(in record: UnsafeRawBufferPointer, besidesNotification hasNotification: Bool) -> Bool {
        guard hasNotification else { return keys.contains { record.holds($0) } || packed.contains { record.holds($0) } }
        return keys.prefix(keysBesideNotification).enumerated().contains { number, key in
            guard record.holds(key) else { return false }
            // A decoded version 2 notification has one transaction itself; only a second one shows an answer.
            var own = number == keysBesideNotification - 1 && record.holds("notificationType") ? 1 : 0
            var start = 0
            while let offset = record.offset(of: key, from: start) {
                start = offset + key.utf8CodeUnitCount
                // Only a whole key counts: `in_app` also begins `in_app_ownership_type`.
                guard start < record.count, record[start] == 0x22 || record[start] == 0x5C else { continue }
                if own == 0 { return true }
                own -= 1
            }
            return false
        }
    }

    /// The answers of a record; none where it is not JSON.
    ///
    /// - Throws: Why a part that is signed must not be used.
    package static func answers(
        in record: UnsafeRawBufferPointer, _ policy: TrustPolicy
    ) throws(NotificationError) -> [StoreAnswer] {
        var reader = AnswerReader(policy)
        let mayBeTyped = TypedValues.mayBe(in: record)
        for tree in (try? JSONTree(Array(record))).map({ [$0] }) ?? trees(within: record) {
            let plain = mayBeTyped ? TypedValues.unwrapped(tree) : nil
            try reader.look(at: plain.flatMap { try? JSONTree($0.bytes) } ?? tree, depth: 0)
        }
        return reader.answers
    }

    /// The trees of the objects in the line of a log.
    private static func trees(within line: UnsafeRawBufferPointer) -> [JSONTree] {
        var trees: [JSONTree] = []
        var start = 0
        while let part = LogPart(in: line, from: start), part.isWhole {
            start = part.range.upperBound
            if let tree = try? JSONTree(Array(line[part.range])) { trees.append(tree) }
        }
        return trees
    }

    // MARK: The search

    /// Levels of envelopes, texts included.
    private static let deepest = 8
    /// Members of a notification in which everything is part of it.
    private static let ofNotification: Set<String> = [
        "data", "summary", "appData", "unified_receipt", "latest_receipt_info", "latest_expired_receipt_info",
        "pending_renewal_info", "signedPayload",
    ]

    private mutating func look(at value: JSONTree, depth: Int) throws(NotificationError) {
        guard depth <= Self.deepest else { return }
        switch value.kind {
        case .array:
            for part in value.parts { try look(at: part, depth: depth + 1) }
        case .string:
            if let inner = value.string.flatMap(Self.inner) { try look(at: inner, depth: depth + 1) }
        case .object:
            let isNotification = Self.isNotification(value)
            if !isNotification, let form = Self.form(of: value) { return try read(value, form) }
            for name in value.keys where name != "unified_receipt" {
                if isNotification, Self.ofNotification.contains(name) { continue }
                if let member = value[name] { try look(at: member, depth: depth + 1) }
            }
        default: break
        }
    }

    /// The value that a text holds, as JSON or in base64.
    private static func inner(of text: String) -> JSONTree? {
        switch text.utf8.first(where: { $0 > 0x20 }) {
        case 0x7B, 0x5B, 0x22: return try? JSONTree(Array(text.utf8))
        case 0x57, 0x65:
            return text.utf8.withMemory { Envelope.unpacked($0).flatMap { try? JSONTree(Array($0.bytes)) } }
        default: return nil
        }
    }

    private static func isNotification(_ object: JSONTree) -> Bool {
        object["notification_type"] != nil || object["notificationType"] != nil || object["signedPayload"] != nil
    }

    /// Which answer an object is; `nil` for none.
    private static func form(of object: JSONTree) -> StoreAnswer.Form? {
        if object["signedTransactions"]?.kind == .array {
            if object["bundleId"] != nil { return .history }
            return object["hasMore"] == nil && object["status"]?.kind == .number ? .order : .refunds
        }
        if object["data"]?.elements?.contains(where: { $0["lastTransactions"]?.kind == .array }) ?? false {
            return .statuses
        }
        if object["lastTransactions"]?.kind == .array { return .statuses }
        if let info = object["signedTransactionInfo"], info.kind == .object || info.kind == .string {
            return object["status"] != nil && object["originalTransactionId"] != nil ? .statuses : .transaction
        }
        // What lost its type was a notification.
        guard object["unified_receipt"] == nil, object["bid"] == nil, object["password"] == nil else { return nil }
        let list = object["latest_receipt_info"]?.kind
        let isOldKind = list == .object && object["receipt"]?.kind == .object
        let isReceipt =
            list == .array || isOldKind || object["pending_renewal_info"]?.kind == .array
            || object["receipt"]?["in_app"]?.kind == .array
        return isReceipt ? .receipt : nil
    }

    // MARK: Forms

    private mutating func read(_ object: JSONTree, _ form: StoreAnswer.Form) throws(NotificationError) {
        var answer = StoreAnswer(form: form)
        answer.environment = object.text("environment")
        answer.bundleID = object.text("bundleId")
        answer.appAppleID = object.text("appAppleId").flatMap { Int64($0) }
        answer.hasMore = object["hasMore"].flatMap { TextView(memory: $0.memory).truth($0.range) }
        switch form {
        case .history, .refunds, .order:
            for part in object["signedTransactions"]?.elements ?? [] { try take(transaction: part, &answer) }
        case .statuses:
            for group in object["data"]?.elements ?? [object] {
                for item in group["lastTransactions"]?.elements ?? [group] { try take(status: item, &answer) }
            }
        case .transaction:
            if let part = object["signedTransactionInfo"] { try take(transaction: part, &answer) }
        case .receipt: try take(receipt: object, &answer)
        }
        if let last = answers.last, last.isContinued(by: answer) {
            answers[answers.count - 1].add(page: answer)
        } else {
            answers.append(answer)
        }
    }

    /// Takes a transaction; returns the original transaction id that it names.
    @discardableResult private func take(
        transaction part: JSONTree, _ answer: inout StoreAnswer
    ) throws(NotificationError) -> String? {
        guard let payload = try payload(of: part, as: .transaction, &answer) else { return nil }
        let fields = try Self.fields(of: payload, V2Keys.transaction)
        let reason = payload["transactionReason"].map { EventText($0.range, in: $0.memory) }
        if let transaction = StoreAnswer.Transaction(fields, reason: reason ?? .absent) {
            answer.transactions.append(transaction)
        }
        return fields[V2Keys.Transaction.originalTransactionId.rawValue].string
    }

    private static func fields(of payload: JSONTree, _ keys: KeyTable) throws(NotificationError) -> V2Fields.Part {
        do throws(JSONFault) {
            return V2Fields.Part(
                table: try TextTable.row(of: payload, keys).table, view: TextView(memory: payload.memory))
        } catch {
            throw NotificationError(error, in: payload)
        }
    }

    private func take(status item: JSONTree, _ answer: inout StoreAnswer) throws(NotificationError) {
        var named = item.text("originalTransactionId")
        let shown = try (item["signedTransactionInfo"] ?? item["transactionInfo"]).flatMap {
            (part) throws(NotificationError) in try take(transaction: part, &answer)
        }
        if let shown {
            guard named == nil || named == shown else { throw Self.otherSubscription(item) }
            named = shown
        }
        var renewal = StoreAnswer.Renewal()
        if let part = item["signedRenewalInfo"] ?? item["renewalInfo"] {
            guard let payload = try payload(of: part, as: .renewal, &answer) else { return }
            let fields = try Self.fields(of: payload, V2Keys.renewal)
            func value(_ key: V2Keys.Renewal) -> V2Value { fields[key.rawValue] }
            var isUnreadable = false
            renewal.shown = EventDraft.Renewal(fields, &isUnreadable)
            renewal.originalTransactionID = value(.originalTransactionId).string
            renewal.environment = value(.environment).string
            renewal.signedAt = value(.signedDate).time
        } else if shown == nil, !policy.trustsUnproven {
            return
        }
        guard named == nil || renewal.originalTransactionID ?? named == named else {
            throw Self.otherSubscription(item)
        }
        renewal.originalTransactionID = named ?? renewal.originalTransactionID
        // It is outside of what is signed, and belongs to what is.
        renewal.status = item.text("status").flatMap { Int64($0) }.flatMap { 1...5 ~= $0 ? $0 : nil }
        answer.renewals.append(renewal)
    }

    private static func otherSubscription(_ item: JSONTree) -> NotificationError {
        NotificationError(AuthenticityError(.partTransaction, path: "originalTransactionId"), offset: item.offset)
    }

    /// The payload of a part: of a JWS what was signed, else the object as it is; `nil` for what is not used.
    private func payload(
        of part: JSONTree, as kind: SignedPayloadKind, _ answer: inout StoreAnswer
    ) throws(NotificationError) -> JSONTree? {
        let around = PayloadClaims.Identity(
            bundleID: answer.bundleID, environment: answer.environment, appAppleID: answer.appAppleID)
        if let text = part.string {
            do throws(AuthenticityError) {
                let payload = try Array(text.utf8).span.bytes.withUnsafeBytes { (bytes) throws(AuthenticityError) in
                    try policy.payload(ofSignedAnswer: bytes, as: kind, in: around)
                }
                guard let tree = try? JSONTree(payload), tree.kind == .object else {
                    throw AuthenticityError(.badPayload)
                }
                answer.sources.append(tree)
                return tree
            } catch {
                throw NotificationError(error, offset: part.offset)
            }
        }
        guard part.kind == .object else { return nil }
        answer.sources.append(part)
        return try takesUnsigned(part.text("bundleId"), part.text("environment"), &answer) ? part : nil
    }

    /// Whether a part without a signature is used; what is of another app is an error.
    private func takesUnsigned(
        _ bundleID: String?, _ environment: String?, _ answer: inout StoreAnswer
    ) throws(NotificationError) -> Bool {
        guard policy.trustsUnproven else {
            answer.unproven += 1
            return false
        }
        do throws(AuthenticityError) {
            let said = PayloadClaims.Identity(
                bundleID: bundleID ?? answer.bundleID, environment: environment ?? answer.environment)
            if said.bundleID != nil { try policy.expected.check(said, comparesApp: false) }
        } catch {
            throw NotificationError(error)
        }
        return true
    }

    // MARK: verifyReceipt

    private func take(receipt object: JSONTree, _ answer: inout StoreAnswer) throws(NotificationError) {
        let receipt = object["receipt"]
        answer.bundleID = receipt?.text("bundle_id") ?? receipt?.text("bid")
        answer.askedAt =
            [receipt?["request_date_ms"], receipt?["request_date"]].lazy
            .compactMap { $0.flatMap(EnvelopeTimes.time)?.milliseconds }.first
        let proof = try proof(of: object, bundleID: answer.bundleID)
        guard proof != nil || policy.receiptVerifier == nil else {
            answer.unproven += 1
            return
        }
        if proof == nil {
            guard try takesUnsigned(answer.bundleID, answer.environment, &answer) else { return }
        } else if let proof {
            answer.askedAt = answer.askedAt ?? proof.createdAt.milliseconds
        }
        answer.sources.append(object)
        let (fields, view) = (try Self.lists(of: object), TextView(memory: object.memory))
        var known: Set<String> = []
        for row in 0..<fields.rows.count {
            let id = view.string(fields[row: row, .transactionID])
            guard !id.isEmpty, known.insert(id).inserted else { continue }
            let isProven = proof?.transactions.contains { $0.transactionID == id } ?? true
            if !isProven, !policy.trustsUnproven {
                answer.unproven += 1
            } else if let transaction = StoreAnswer.Transaction(fields, row: row, view) {
                answer.transactions.append(transaction)
            }
        }
        // Nothing signed says what is to come.
        guard policy.trustsUnproven else { return }
        answer.renewals += (0..<fields.pending.count).map { StoreAnswer.Renewal(pending: $0, fields, view) }
    }

    /// The rows and the renewal infos of an answer of verifyReceipt, read as those of a notification are.
    private static func lists(of object: JSONTree) throws(NotificationError) -> V1Fields {
        let fields = V1Fields()
        do throws(JSONFault) {
            for list in [object["latest_receipt_info"], object["receipt"]?["in_app"]] {
                for row in list.map({ $0.elements ?? [$0] }) ?? [] where row.kind == .object {
                    try fields.takeRow(row, V1Keys.row, into: &fields.rows)
                }
            }
            for entry in object["pending_renewal_info"]?.elements ?? [] where entry.kind == .object {
                try fields.takeRow(entry, V1Keys.pending, into: &fields.pending)
            }
        } catch {
            throw NotificationError(error, in: object)
        }
        return fields
    }

    /// What Apple signed of it; `nil` if nobody asks, or nothing does.
    private func proof(of object: JSONTree, bundleID: String?) throws(NotificationError) -> AppReceipt? {
        guard let verifier = policy.receiptVerifier, let text = object.text("latest_receipt") else { return nil }
        do throws(AuthenticityError) {
            let receipt = try verifier.verify(Array(text.utf8).span.bytes)
            let environment = object.text("environment")
            let refusal = receipt.refusal(environment: environment, bundleID: bundleID, policy.expected)
            if let refusal { throw AuthenticityError(refusal) }
            return receipt
        } catch {
            throw NotificationError(error.inside("latest_receipt"))
        }
    }
}

extension NotificationError {
    /// The error of a value in a tree that cannot be read.
    fileprivate init(_ fault: JSONFault, in tree: JSONTree) {
        self.init(fault, in: tree.memory, from: tree.wholeRange.lowerBound, to: tree.wholeRange.upperBound)
    }
}

extension JSONTree {
    /// The characters of a string or a number; `nil` for a blank one and for anything else.
    func text(_ key: StaticString) -> String? {
        guard let value = member(key), value.kind == .string || value.kind == .number else { return nil }
        let text = value.characters
        return text.utf8.contains { $0 > 0x20 } ? text : nil
    }
}
