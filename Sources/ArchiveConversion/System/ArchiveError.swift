import NotificationLibC

/// Why a run could not be carried out: never about a single record, always about files, programs or the machine.
package struct ArchiveError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The closed list of reasons.
    package enum Code: String, Hashable, Sendable {
        /// An input could not be found, opened, listed or read.
        case inputUnreadable = "input.unreadable"
        /// The output or the rejects file could not be created, written, synced or renamed.
        case outputUnwritable = "output.unwritable"
        /// The output is there already and may not be replaced.
        case outputExists = "output.exists"
        /// The output or the rejects file is one of the inputs.
        case outputIsInput = "output.is-input"
        /// Another run is writing the same output.
        case outputBusy = "output.busy"
        /// The reader of standard output went away.
        case outputClosed = "output.closed"
        /// A program that packs or unpacks is not installed.
        case programMissing = "program.missing"
        /// A program that packs or unpacks failed.
        case programFailed = "program.failed"
        /// Events of several apps or environments where only one can be rehearsed.
        case severalApps = "input.several-apps"
        /// The machine refused a thread, a pipe or the like.
        case system = "system"
        /// The counts of the run do not add up: a fault of this program.
        case accounting = "accounting"
    }

    package var code: Code
    /// What was tried, ready for a sentence: `cannot open`.
    package var action: String
    /// The file or program concerned; empty when there is none.
    package var path: String
    /// The `errno` of the failed call, or 0.
    package var systemCode: Int32
    /// What a person should know beyond that; empty when there is nothing to add.
    package var detail: String

    /// Makes an error from its facts.
    package init(_ code: Code, _ action: String, path: String = "", systemCode: Int32 = 0, detail: String = "") {
        self.code = code
        self.action = action
        self.path = path
        self.systemCode = systemCode
        self.detail = detail
    }

    /// The converter did not consume all of an input: a fault of this program.
    static func unconsumed(_ path: String) -> ArchiveError {
        ArchiveError(
            .accounting, "internal error: the converter did not consume all of", path: path,
            detail: "please report this")
    }

    /// One sentence without a full stop: `cannot open x.ndjson: No such file or directory`.
    package var description: String {
        var sentence = action
        if !path.isEmpty { sentence += " " + printable(path) }
        if systemCode != 0 { sentence += ": " + systemMessage(systemCode) }
        if !detail.isEmpty { sentence += ": " + detail }
        return sentence
    }
}

/// The system's own words for an `errno`.
private func systemMessage(_ number: Int32) -> String {
    guard let text = strerror(number) else { return "error \(number)" }
    return String(cString: text)
}

/// A name that is safe on a terminal and in a one-line message: control characters become `\xNN`.
package func printable(_ name: String) -> String {
    guard name.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { return name }
    var shown = ""
    for scalar in name.unicodeScalars {
        if scalar.value < 0x20 || scalar.value == 0x7F {
            let digits = String(scalar.value, radix: 16)
            shown += "\\x" + (digits.count < 2 ? "0" : "") + digits
        } else {
            shown.unicodeScalars.append(scalar)
        }
    }
    return shown
}
