import Testing
import NotificationLibC

@Suite("The line of progress") struct ProgressTests {
    /// The line is drawn over itself, and taken away in the end.
    private static let erase = "\r\u{1B}[K"

    @Test("Nothing is drawn where standard error is no terminal", arguments: [["-q"], []])
    func nothingIsDrawnUnasked(options: [String]) throws {
        let run = try Command.run(["convert", "a", "-o", "events"] + options, over: Body.lines(300))
        #expect(run.code == 0)
        #expect(!run.errors.contains("\r") && !run.errors.contains("\u{1B}"))
    }

    #if os(Linux)
    @Test(
        "Progress is drawn on a terminal that can show it",
        .enabled(if: access("/dev/ptmx", R_OK | W_OK) == 0, "there is no /dev/ptmx"),
        arguments: [("xterm", true), ("dumb", false)])
    func aTerminalThatCanIsDrawnOn(kind: String, isDrawnOn: Bool) throws {
        let command = try Command(["a": Body.lines(300)])
        let terminal = try Terminal()
        let run = try command.start(
            ["convert", "a", "-o", "events"], errors: terminal.path, environment: ["TERM=" + kind])
        #expect(run.wait() == 0)
        let text = terminal.text()
        #expect(text.contains("300 records from 1 file"))
        let drawn = text.split(separator: Self.erase, omittingEmptySubsequences: false).map(String.init)
        let wanted = ["  300 records · ", "  settling subscriptions · 0 %", "  writing events · "]
        let places = wanted.map { start in drawn.firstIndex { $0.hasPrefix(start) } }
        #expect(places.allSatisfy { ($0 != nil) == isDrawnOn })
        #expect(places.compactMap { $0 } == places.compactMap { $0 }.sorted())
        #expect(drawn.last?.hasPrefix("notification-translator: 300 records from 1 file, ") == true)
    }

    /// A terminal of which we are the other end.
    private final class Terminal {
        let path: String
        private let end: Int32

        init() throws {
            end = open("/dev/ptmx", O_RDWR | O_NOCTTY)
            var isLocked: Int32 = 0
            var number: Int32 = 0
            // TIOCSPTLCK and TIOCGPTN, which the C library gives no names of to Swift.
            guard end >= 0, ioctl(end, 0x4004_5431, &isLocked) == 0, ioctl(end, 0x8004_5430, &number) == 0 else {
                throw Command.Failure(call: "open /dev/ptmx")
            }
            path = "/dev/pts/\(number)"
        }

        deinit { close(end) }

        /// What was written to it; called when nobody has it open any more.
        func text() -> String {
            var bytes: [UInt8] = []
            var room = [UInt8](repeating: 0, count: 1 << 16)
            while case let count = read(end, &room, room.count), count > 0 { bytes += room[..<count] }
            return String(decoding: bytes, as: UTF8.self)
        }
    }
    #endif
}
