/// The text a person reads.
struct Report {
    let options: Options
    let machine: Machine
    let tournament: Tournament

    /// Everything that was found out.
    var text: String {
        let figures = Figures(tournament.entries)
        var text = heading + "\n"
        for profile in options.profiles {
            text += "\n" + title("\(profile.rawValue), \(options.megabytes) MB") + "\n"
            text += table(figures.rows(of: profile))
        }
        if let ratios = figures.ratios(of: .php, to: .typical) {
            text += "\nAn archive with `\\/` is read \(Self.ratio(ratios)) times as fast as a typical one.\n"
        }
        if !tournament.starts.isEmpty { text += "\n" + title("one line, from start to end") + "\n" + startTable }
        for absence in tournament.absent { text += "\nnot measured: \(absence)" }
        return text + (tournament.absent.isEmpty ? "" : "\n")
    }

    private var heading: String {
        let how =
            "Middle of \(options.rounds) rounds in turns, files in the page cache. Ratios are taken within a round "
            + "(lowest to highest in brackets): processor time for one thread, time on the clock for two jobs."
            + noise
        return machine.description + "\n" + (options.isMarkdown ? "\n" : "") + how
    }

    private var noise: String {
        guard let disturbed = tournament.disturbed else { return "" }
        let turns = tournament.entries.reduce(0) { $0 + $1.runs.count }
        let percent = Int((Noise.limit * 100).rounded())
        return " In \(disturbed) of \(turns) turns others used more than \(percent) % of the machine."
    }

    private func title(_ text: String) -> String {
        options.isMarkdown ? "### \(text)\n" : text
    }

    private func table(_ rows: [Figures.Row]) -> String {
        var table = Table(["", "MB/s of processor time", "MB/s on the clock", "ours is faster by", "peak memory, MB"])
        let floor = Double(ChildRun.ownMemory) / 1e6
        for row in rows {
            table.add([
                row.name, row.processorRate.short, row.clockRate?.short ?? "", row.ratios.map(Self.ratio) ?? "1",
                row.peakMemory.map { $0 > floor ? $0.short : "≤ " + floor.short } ?? "",
            ])
        }
        return table.text(isMarkdown: options.isMarkdown)
    }

    private var startTable: String {
        var table = Table(["", "milliseconds on the clock"])
        for start in tournament.starts { table.add([start.name, start.milliseconds.middle.short]) }
        return table.text(isMarkdown: options.isMarkdown)
    }

    private static func ratio(_ ratios: [Double]) -> String {
        "\(ratios.middle.short) (\((ratios.min() ?? .nan).short)–\((ratios.max() ?? .nan).short))"
    }
}
