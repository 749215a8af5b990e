import SimulatedLives
import Testing

@testable import NotificationTranslation

/// A body in an envelope is walked once, when it is taken; nothing that is no JSON may come through for that.
@Suite("Faults in envelopes") struct EnvelopeFaultTests {
    private static let body =
        #"{"notification_type":"CANCEL","unified_receipt":{"latest_receipt_info":[{"transaction_id":"1","x":{"y":[1]}}]}}"#

    private static let envelopes: [String] = [
        #"{"payload":BODY}"#, #"{"id":1,"payload":BODY,"received_at":"2020-11-03T09:12:44Z"}"#,
        #"{"unheard":BODY,"b":2}"#, #"{"headers":{"a":{"b":1}},"body":BODY,"meta":{"c":[1,{}]}}"#,
        #"{"body":{"a":1},"payload":{"message":BODY}}"#, #"{"payload":BODY,"data":{"a":[{}]},"raw":"x"}"#,
        #"{"notification_type":"REFUND","password":"p","payload":BODY}"#, #"{"one":BODY,"two":{"z":1}}"#,
    ]

    @Test("A record is rejected for the first fault in it, wherever that is", arguments: envelopes)
    func firstFault(envelope: String) {
        let record = Array(envelope.replacing("BODY", with: Self.body).utf8)
        guard case .event = Conversion(document: record).outcomes.first else {
            Issue.record("no event from \(envelope)")
            return
        }
        var random = SeededGenerator(seed: 5)
        var (broken, whole) = (0, 0)
        for _ in 0..<600 {
            var text = record
            for _ in 0..<Int.random(in: 1...2, using: &random) {
                let place = Int.random(in: 1..<text.count - 1, using: &random)
                let byte = Array("{}[]\",:x".utf8).randomElement(using: &random) ?? 0
                switch Int.random(in: 0...2, using: &random) {
                case 0: text[place] = byte
                case 1: text.insert(byte, at: place)
                default: text.remove(at: place)
                }
            }
            let outcome = Conversion(document: text).outcomes
            if let fault = fault(of: text) {
                broken += 1
                guard outcome.count == 1, case .rejected(let code) = outcome[0] else {
                    Issue.record("came through: \(String(decoding: text, as: UTF8.self))")
                    continue
                }
                #expect(code == fault.code.code, "\(String(decoding: text, as: UTF8.self))")
            } else {
                whole += 1
                for case .rejected(let code) in outcome { #expect(!code.hasPrefix("json.")) }
            }
        }
        #expect(broken > 100)
        #expect(whole > 10)
    }

    @Test("A broken record changes nothing for the records after it", arguments: envelopes)
    func nothingIsLeft(envelope: String) {
        let record = Array(envelope.replacing("BODY", with: Self.body).utf8) + [0x0A]
        let broken = record.map { $0 == UInt8(ascii: "1") ? UInt8(ascii: "}") : $0 }
        let lines = (0..<20).flatMap { _ in broken } + record
        var converter = RecordConverter(options: .init(), policy: .trustingTheSource)
        var output = ChunkOutput()
        let padded = lines + [UInt8](repeating: 0, count: RecordConverter.slack)
        padded.withUnsafeBytes { bytes in
            let chunk = UnsafeRawBufferPointer(rebasing: bytes[..<lines.count])
            var at = 0
            while at < chunk.count {
                at = converter.convertLine(of: chunk, from: at, place: .init(input: "a", offset: 0), into: &output)
            }
        }
        #expect(output.tally.rejected == 20)
        #expect(output.tally.converted == 1)
    }

    private func fault(of text: [UInt8]) -> JSONFault? {
        do throws(JSONFault) {
            _ = try JSONTree(text)
            return nil
        } catch { return error }
    }
}
