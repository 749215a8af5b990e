import NotificationTranslation

extension AgreementFigures {
    /// Reads them from what was counted, the places of contradictions from the lines they name.
    init(_ tally: AgreementTally, linesOf lines: LineStore) throws(ArchiveError) {
        var places: [UInt64: ReportFigures.Place] = [:]
        let block = LineBlock(EventShape(), reports: false)
        for found in tally.contradictions {
            for position in [found.v1, found.v2] where places[position] == nil {
                guard let start = Int64(exactly: position), start < lines.length else { continue }
                try block.read(lines, from: start, size: 4096)
                places[position] = block.first.flatMap(ReportFigures.Place.init(spilled:))
            }
        }
        self.init(tally) { places[$0] ?? ReportFigures.Place(input: "?", line: 0) }
    }
}
