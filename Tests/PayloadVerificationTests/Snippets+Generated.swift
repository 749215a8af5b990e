// Written from the documentation by `RECORD=1 swift test --filter Generated`; a test compares them.
// swift-format-ignore-file
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import NotificationTranslation
import PayloadVerification

extension Snippets {
    private func certaintyAndAmbiguity1() async throws {
        for flag in event.flags {
            print(flag, flag.severity ?? "", flag.meaning ?? "", flag.settles ?? "")
        }
    }

    private func gettingStarted1() async throws {
        for rule in MappingTable.current.rules(for: .cancel) {
            print(rule.id, rule.conditions, rule.pair, rule.certainty, rule.flags, rule.candidates, rule.source)
        }
        let answer = try MappingTable.current.translate(.cancel, facts: ["cancelledRow": "upgraded", "partnerRenewal": "no"])
        _ = answer.pair          // DID_CHANGE_RENEWAL_PREF/UPGRADE
        _ = answer.certainty     // inferred
        _ = answer.candidates    // that, OFFER_REDEEMED/UPGRADE, and what the facts that are not stated leave possible
        _ = answer.rule.id       // cancel-upgrade-alone
        _ = answer
    }

    private func gettingStarted2() async throws {
        let normalizer = NotificationNormalizer(policy: .trustingTheSource)
        do {
            let event = try normalizer.event(from: body)
            print(event.type, event.certainty)
        } catch {
            print(error.code, error)      // json.duplicate-key latest_receipt_info[0]: …
        }
        _ = normalizer
    }

    private func gettingStarted3() async throws {
        let event = try normalizer.event(from: body, receivedAt: EventTime("2020-11-03T09:12:44Z"))
        _ = event
    }

    private func notificationTranslation1() async throws {
        let normalizer = NotificationNormalizer(policy: .trustingTheSource)
        let event = try normalizer.event(from: body)
        _ = event.type              // refund.issued
        _ = event.v2                // REFUND
        _ = event.certainty         // ambiguous
        _ = event.candidates        // REFUND, -, DID_CHANGE_RENEWAL_PREF/UPGRADE
        _ = event.flags             // CANCEL_REFUND_OR_UPGRADE
        _ = event.entitlement       // undecided
        _ = normalizer
        _ = event
    }

    private func serverIntegration1() async throws {
        let app = ExpectedApp(bundleID: "com.example.app", appAppleID: 1_234_567_890, environment: .production)
        let secrets = try SharedSecrets([secret])  // what a V1 body has to carry; V2 has to be signed by Apple
        let policy = TrustPolicy.verify(try AppStoreVerifier(), sharedSecrets: secrets, expecting: app)
        let event = try NotificationNormalizer(policy: policy).event(from: body)  // V1 or V2, bare or in an envelope

        _ = app
        _ = secrets
        _ = policy
        _ = event
    }

    private func serverIntegration2() async throws {
        let app = ExpectedApp(bundleID: "com.example.app", appAppleID: 1234567890, environment: .production)
        let secrets = try SharedSecrets(["the shared secret from App Store Connect"])
        let policy = TrustPolicy.verify(try AppStoreVerifier(), sharedSecrets: secrets, expecting: app)
        let normalizer = NotificationNormalizer(policy: policy)                      // checked events, or errors
        _ = app
        _ = secrets
        _ = policy
        _ = normalizer
    }

    private func serverIntegration3() async throws {
        guard let route = UnverifiedRoute(body: body), let policy = policies[route.unverifiedBundleID ?? ""] else { return }
        _ = route
        _ = policy
    }

    private func serverIntegration4() async throws {
        let verifier = try AppReceiptVerifier()
        let age = ReceiptAge(longest: .seconds(4 * 86_400))
        let policy = TrustPolicy.receipts(verifier, expecting: app, age: age)   // refuses what no receipt proves
        let event = try NotificationNormalizer(policy: policy).event(from: body)
        trust(event)                                                            // Apple signed its transaction
        _ = verifier
        _ = age
        _ = policy
        _ = event
    }

    private func timelines1() async throws {
        var timeline = SubscriptionTimeline(inferring: .safe)
        for body in bodies {
            for entry in try normalizer.timelineEntries(from: body) { timeline.append(entry) }
        }
        _ = timeline.settled()
        use(&timeline)
    }

    private func timelines2() async throws {
        var timeline = SubscriptionTimeline(inferring: .safe, asOf: now)  // a period that ended before now is over
        for body in bodies {  // notifications of one key, and responses of Apple's, each page by itself
            for entry in try normalizer.timelineEntries(from: body, receivedAt: now) { timeline.append(entry) }
            let answers = try normalizer.answers(from: body, receivedAt: now) + normalizer.otherPurchases(from: body)
            for answer in answers where answer.key == key { timeline.append(answer: answer) }
        }
        let states = timeline.state(at: now)  // one for each environment and app; none before anything is known
        print(states, timeline.history, timeline.transactions)
        use(&timeline)
        _ = states
    }

    private func mappingTable1() async throws {
        for rule in MappingTable.current.rules(for: .cancel) {
            print(rule.id, rule.conditions, rule.pair, rule.certainty, rule.source)
        }
        let answer = try MappingTable.current.translate(.cancel, facts: ["cancelledRow": "upgraded", "partnerRenewal": "no"])
        print(answer.pair, answer.certainty, answer.flags, answer.candidates, answer.rule.id)
        _ = answer
    }

    private func notificationNormalizer1() async throws {
        let secrets = try SharedSecrets([secret])
        let policy = TrustPolicy.verify(try AppStoreVerifier(), sharedSecrets: secrets, expecting: app)
        let normalizer = NotificationNormalizer(policy: policy)
        let event = try normalizer.event(from: body)      // V1 or V2, bare or in an envelope
        _ = event.type            // subscription.renewed
        _ = event.certainty       // exact, or candidates and flags say why not
        _ = secrets
        _ = policy
        _ = normalizer
        _ = event
    }

    private func subscriptionTimeline1() async throws {
        var timeline = SubscriptionTimeline(inferring: .safe)
        for body in bodies {
            for entry in try normalizer.timelineEntries(from: body) { timeline.append(entry) }
        }
        let events = timeline.settled()       // companions and repeats marked, ambiguities settled
        use(&timeline)
        _ = events
    }

    private func timelineEntry1() async throws {
        var timeline = SubscriptionTimeline(inferring: .safe)
        for answer in try normalizer.answers(from: body) { timeline.append(answer: answer) }
        use(&timeline)
    }

    private func receiptVerifier1() async throws {
        let receipt = try verifier.receipt(in: body)
        _ = receipt
    }

    private func signedPayload1() async throws {
        struct CompanyVerifier: SignedPayloadVerifier {
            let keys: CompanyKeys

            func verify(_ jws: RawSpan, as kind: SignedPayloadKind) throws(AuthenticityError) -> VerificationTime {
                let text = jws.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
                guard let signedDate = keys.signedDate(ofValid: text) else { throw .refused }
                return VerificationTime(milliseconds: signedDate, basis: .signedDate)
            }
        }
    }

    private func signedPayload2() async throws {
        guard case .valid(let notification) = await apple.verifyAndDecodeNotification(signedPayload: text) else { refuse() }
        var accepted = [text]
        if let part = notification.data?.signedTransactionInfo {
            guard case .valid = await apple.verifyAndDecodeTransaction(signedTransaction: part) else { refuse() }
            accepted.append(part)
        }   // and so for signedRenewalInfo and signedAppTransactionInfo
        let policy = TrustPolicy.verify(AlreadyVerified(accepted), expecting: app)
        use(&accepted)
        _ = policy
    }

    private func appReceiptVerifier1() async throws {
        let verifier = try AppReceiptVerifier()
        let receipt = try verifier.verify(base64: text)
        _ = verifier
        _ = receipt
    }

    private func appStoreVerifier1() async throws {
        let verifier = try AppStoreVerifier()
        let app = ExpectedApp(bundleID: "com.example.app", appAppleID: 1_234_567_890, environment: .production)
        let policy = TrustPolicy.verify(verifier, expecting: app)
        _ = verifier
        _ = app
        _ = policy
    }
}
