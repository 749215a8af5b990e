import NotificationTranslation
import SimulatedLives
import Testing

@Suite("Answers on simulated lives")
struct SoundnessTests {
    private static let sorts = [
        "v1-2018", "v1-2020", "v1-loose", "v1-begun", "mixed", "mixed-stormy", "dense-2018", "dense-mixed",
        "once-mixed",
        "family", "sandbox",
    ]

    @Test(
        "Answers on simulated lives say with a flag why they are not exact, and list what is possible", arguments: sorts
    )
    func areSound(_ name: String) throws {
        let sort = try #require(LifeSort.named(name))
        let normalizer = NotificationNormalizer(policy: .trustingTheSource)
        var faults: [String] = []
        for number in 0..<(Environment.number("LIVES") ?? 12) {
            let life = sort.life(number, seed: Environment.number("SEED") ?? 1)
            let archive = try LifeArchive(life, normalizer)
            let settled = archive.settled()
            for event in archive.entries.map(\.event) + settled.told + settled.inferred {
                guard let fault = Soundness.fault(of: event) else { continue }
                faults.append("\(fault): \(event.disposition) \(event.v2) of \(event.source.type ?? "nothing told")")
            }
        }
        #expect(faults == [])
    }
}
