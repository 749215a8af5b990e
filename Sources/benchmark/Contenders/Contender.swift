/// One way to read the archive; a program that is started for every turn.
struct Contender {
    /// Which of the two files it reads.
    enum Share {
        case whole, head
    }

    /// The name of the row of the process from start to end; `nil` for none.
    let name: String?
    /// The name of the row of the calls inside; only our own workers report them.
    let callsName: String?
    /// Whether it uses several threads, so that the time on the clock counts.
    let isParallel: Bool
    let share: Share
    /// The program and its arguments, given the archive and the place for output.
    let command: @Sendable (_ archive: String, _ output: String) -> [String]

    init(
        _ name: String?,
        calls: String? = nil,
        isParallel: Bool = false,
        share: Share = .whole,
        command: @escaping @Sendable (_ archive: String, _ output: String) -> [String]
    ) {
        self.name = name
        callsName = calls
        self.isParallel = isParallel
        self.share = share
        self.command = command
    }

    /// The file it reads.
    func input(_ files: ArchiveFiles) -> String {
        share == .whole ? files.whole : files.head
    }

    /// Whether it is our own doing.
    var isOurs: Bool {
        name?.hasPrefix("ours") ?? true
    }

    /// Whether its name holds one of the words.
    func answers(to words: [String]) -> Bool {
        words.contains { word in
            [name, callsName].contains { $0?.lowercased().contains(word.lowercased()) ?? false }
        }
    }

    /// Everyone there can be, ours first: its row is what all others are compared with.
    static func all(converter: String, own: String) -> [Contender] {
        func ours(_ name: String, jobs: Int) -> Contender {
            Contender(name, isParallel: jobs > 1) { archive, output in
                [
                    converter, "convert", "--quiet", "--context", "record", "--jobs", "\(jobs)", "--force", "--output",
                    output, archive,
                ]
            }
        }
        return [
            ours("ours, one job", jobs: 1),
            ours("ours, two jobs", jobs: 2),
            Contender(nil, calls: "ours, library calls") { archive, _ in [own, "--worker", "library", archive] },
            Contender("read + memchr") { archive, _ in [own, "--worker", "scan", archive] },
            Contender("JSONDecoder", calls: "JSONDecoder, calls") { archive, _ in
                [own, "--worker", "decoder", archive]
            },
            Contender("python3 + orjson") { archive, _ in ["python3", "-c", Scripts.orjson, archive] },
            Contender("jq", share: .head) { archive, _ in ["jq", "-c", Scripts.jq, archive] },
        ]
    }
}
