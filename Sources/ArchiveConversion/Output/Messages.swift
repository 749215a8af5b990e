import NotificationLibC
import NotificationTranslation

/// Everything a run says on standard error: diagnostics, the progress line, the summary.
///
/// Only one thread at a time writes (the one that writes the output, or the main one before and after), hence
/// `@unchecked Sendable`. If standard error cannot be written, the conversion continues without messages.
package final class Messages: @unchecked Sendable {
    /// Says nothing but errors.
    package let isQuiet: Bool
    /// Shows every reject, not only the first of each code.
    package let isVerbose: Bool
    private let usesColor: Bool
    let showsProgress: Bool
    private var lastProgress: ContinuousClock.Instant?
    private var progressIsShown = false

    /// Decides what is shown.
    package init(isQuiet: Bool = false, isVerbose: Bool = false) {
        self.isQuiet = isQuiet
        self.isVerbose = isVerbose
        let isTerminal = isatty(2) == 1 && getenv("TERM").map { strcmp($0, "dumb") != 0 } ?? true
        showsProgress = !isQuiet && isTerminal
        usesColor = isTerminal && getenv("NO_COLOR") == nil
    }

    /// Says one line.
    package func say(_ text: String) {
        clearProgress()
        write(text + "\n")
    }

    private func write(_ text: String) {
        do throws(ArchiveError) { try Descriptor.standardError.writeAll(text) } catch {}
    }

    /// Shows a reject as editors understand it: `path:line:column: reject[code]: sentence`.
    ///
    /// Where records are not lines, `line` counts records, as everywhere else.
    func reject(_ reject: Reject, input: String) {
        guard !isQuiet else { return }
        let code = usesColor ? "\u{1B}[31mreject[\(reject.code)]\u{1B}[0m" : "reject[\(reject.code)]"
        let field = reject.path.isEmpty ? "" : "\(reject.path): "
        let record = reject.isLine ? "" : " (record \(reject.line); the column counts from its first byte)"
        say("\(printable(input)):\(reject.line):\(reject.column + 1): \(code): \(field)\(reject.message)\(record)")
    }

    /// Draws the progress line again, at most ten times a second.
    func progress(_ text: @autoclosure () -> String) {
        guard showsProgress else { return }
        let now = ContinuousClock.now
        if let lastProgress, now - lastProgress < .milliseconds(100) { return }
        lastProgress = now
        progressIsShown = true
        write("\r\u{1B}[K" + text())
    }

    /// Lets the next progress line be drawn at once, as it shows something else.
    func beginPhase() { lastProgress = nil }

    func clearProgress() {
        guard progressIsShown else { return }
        progressIsShown = false
        write("\r\u{1B}[K")
    }
}
