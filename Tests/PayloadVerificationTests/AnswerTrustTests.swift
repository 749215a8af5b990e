@testable import NotificationArchives
import NotificationTranslation
import PayloadVerification
import Testing

/// What is signed in an answer is verified like a notification.
@Suite("Answers under a policy") struct AnswerTrustTests {
    private static let app = ExpectedApp(bundleIDs: ["com.example.app"], appAppleIDs: nil, environment: .production)

    /// What becomes of a record: `evidence`, or the code of its reject; and how many parts were not used.
    private static func outcome(_ text: String, _ policy: TrustPolicy) -> (String, Int) {
        let bytes = Array(text.utf8)
        let converter = RecordConverter(options: .init(), policy: policy)
        converter.begin(input: "a", offset: 0)
        (bytes + [UInt8](repeating: 0, count: RecordConverter.slack)).withUnsafeBytes { memory in
            converter.convertDocument(
                in: UnsafeRawBufferPointer(rebasing: memory[..<bytes.count]), range: 0..<bytes.count)
        }
        let (rejects, tally) = (converter.output.rejects, converter.output.tally)
        return (rejects.first?.code ?? (tally.evidence == 1 ? "evidence" : "skipped"), tally.unprovenAnswers)
    }

    private static func history(_ transactions: [String]) -> String {
        #"{"hasMore":false,"bundleId":"com.example.app","environment":"Production","signedTransactions":["#
            + transactions.joined(separator: ",") + "]}"
    }

    private static func signed(_ payload: String, _ chain: ForgedChain? = nil) throws -> String {
        "\"\(try Token(chain ?? Forged.chain, payload: payload).text())\""
    }

    @Test("A signed answer of the app is evidence, and a forged one is refused with its code")
    func aForgedAnswerIsRefused() throws {
        let policy = TrustPolicy.verify(try Forged.verifier, expecting: Self.app)
        let good = try Self.signed(Token.transaction())
        #expect(Self.outcome(Self.history([good]), policy) == ("evidence", 0))
        for (forged, code) in [
            (try Self.signed(Token.transaction(), ForgedChain()), "x509.bad-signature"),
            (try Self.signed(Token.transaction(bundleID: "com.example.other")), "payload.bundle-id"),
            (try Self.signed(Token.transaction(environment: "Sandbox")), "payload.environment"),
            (good.replacing(#/.{6}"$/#, with: "AAAAAA\""), "jws.bad-signature"),
        ] {
            #expect(Self.outcome(Self.history([good, forged]), policy).0 == code)
        }
        let customer =
            #"{"data":[{"lastTransactions":[{"status":1,"originalTransactionId":"2000","#
            + "\"signedTransactionInfo\":\(good)}]}]}"
        #expect(Self.outcome(customer, policy).0 == "payload.part-transaction")
    }

    @Test("What is not signed is not used where a proof is required, and counted")
    func whatIsNotSignedIsNotUsed() throws {
        let verifier = try Forged.verifier
        let text = Self.history([try Self.signed(Token.transaction()), Token.transaction()])
        let strict = TrustPolicy.verify(verifier, expecting: Self.app)
        #expect(Self.outcome(text, strict) == ("evidence", 1))
        #expect(Self.outcome(text, strict.trustingTheSourceWhereUnproven()) == ("evidence", 0))
        let receipt = #"{"receipt":{"bundle_id":"com.example.app","in_app":[{"transaction_id":"1"}]}}"#
        #expect(Self.outcome(receipt, strict) == ("evidence", 1))
        #expect(Self.outcome(receipt, .trustingTheSource) == ("evidence", 0))
    }
}
