import NotificationLibC

/// Why a run could not be carried out: never about a single record, always about files, programs or the machine.
package struct ArchiveError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What failed.
    package enum Code: Hashable, Sendable {
        /// An input could not be found, opened, listed or read, or is not what is asked for.
        case inputUnreadable
        /// An output could not be created, written, synced or renamed, or may not be.
        case outputUnwritable
        /// The reader of standard output went away.
        case outputClosed
        /// SIGINT or SIGTERM asked the run to stop; `systemCode` is the signal's number.
        case interrupted
        /// Another program, the machine, or this program itself.
        case system
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

    /// One sentence without a full stop: `cannot open x.ndjson: No such file or directory`.
    package var description: String {
        var sentence = action
        if !path.isEmpty { sentence += " " + printable(path) }
        if systemCode != 0, code != .interrupted {
            sentence += ": " + (strerror(systemCode).map { String(cString: $0) } ?? "\(systemCode)")
        }
        if !detail.isEmpty { sentence += ": " + detail }
        return sentence
    }
}

/// A name that is safe on a terminal and in a one-line message: control characters become `\xNN`.
package func printable(_ name: String) -> String {
    name.unicodeScalars.map { scalar in
        guard scalar.value < 0x20 || scalar.value == 0x7F else { return String(scalar) }
        return (scalar.value < 0x10 ? "\\x0" : "\\x") + String(scalar.value, radix: 16)
    }.joined()
}
