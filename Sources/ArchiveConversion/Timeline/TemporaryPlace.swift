import NotificationTranslation
import NotificationLibC

/// The folder of a timeline's temporary files, which have no names: a run that is killed leaves none.
struct TemporaryPlace: Sendable {
    let folder: String

    init(folder: String) { self.folder = folder }

    /// The folder asked for; without one that of the output, or `TMPDIR` or `/tmp`.
    init(_ request: ConversionRequest) {
        let system = getenv("TMPDIR").map { String(cString: $0) } ?? ""
        let isBesideOutput = !request.dryRun && OutputFile.isReplaceable(request.output)
        folder =
            request.timeline?.temporaryFolder
            ?? (isBesideOutput ? splitPath(request.output).folder : system.isEmpty ? "/tmp" : system)
    }
}
