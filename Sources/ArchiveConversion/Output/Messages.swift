import NotificationLibC

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
    private var places = PhysicalPlaces()

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
    /// Where records are not lines, `line` counts records: the line is found in the file if that can be read again.
    func reject(_ reject: Reject, input: String) {
        guard !isQuiet else { return }
        let code = usesColor ? "\u{1B}[31mreject[\(reject.code)]\u{1B}[0m" : "reject[\(reject.code)]"
        let field = reject.path.isEmpty ? "" : "\(reject.path): "
        var (line, column) = (reject.line, Int64(reject.column) + 1)
        var record = ""
        if !reject.isLine {
            record = " (record \(reject.line))"
            if let place = places.place(of: reject.offset + Int64(reject.column), in: input) {
                (line, column) = place
            } else {
                record = " (record \(reject.line); the column counts from its first byte)"
            }
        }
        say("\(printable(input)):\(line):\(column): \(code): \(field)\(reject.message)\(record)")
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

/// Finds lines and columns of offsets in files whose records are not lines, so that an editor can go there.
///
/// Such records are counted and their lines are not, so the file is read once more, up to the place, only where a
/// message names one. Offsets that rise, as those of rejects do, cost one reading for all of them.
struct PhysicalPlaces {
    private var path = ""
    private var stream: ByteStream?
    /// Bytes read so far, line feeds among them, and the offset after the last of those.
    private var (offset, lines, lineStart): (Int64, Int64, Int64) = (0, 0, 0)

    /// The line and column of an offset, both from 1; `nil` for what cannot be read again as it was: standard input, a
    /// pipe, compressed data.
    mutating func place(of wanted: Int64, in path: String) -> (line: Int64, column: Int64)? {
        if path != self.path || wanted < offset {
            (self.path, offset, lines, lineStart) = (path, 0, 0, 0)
            let file = InputFile(path: path)
            stream = file.isStandardInput || file.regularSize == nil ? nil : try? ByteStream(file)
            if stream?.isUnpacked == true { stream = nil }
        }
        guard let stream else { return nil }
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 * 1024, alignment: 16)
        defer { room.deallocate() }
        while offset < wanted {
            let part = UnsafeMutableRawBufferPointer(rebasing: room.prefix(Int(clamping: wanted - offset)))
            guard let count = try? stream.read(into: part), count > 0 else { return nil }
            for (place, byte) in room[..<count].enumerated() where byte == 0x0A {
                lines += 1
                lineStart = offset + Int64(place) + 1
            }
            offset += Int64(count)
        }
        return (lines + 1, wanted - lineStart + 1)
    }
}
