import NotificationLibC

/// Bytes that must not be seen: printed as `<redacted>` in every way Swift prints, wiped when no longer needed.
final class SecretBytes: Sendable, Redacted {
    // Written in `init` only, wiped in `deinit`.
    private nonisolated(unsafe) let memory: UnsafeMutableRawBufferPointer

    init(_ bytes: some Collection<UInt8>) {
        memory = .allocate(byteCount: bytes.count, alignment: 1)
        memory.copyBytes(from: bytes)
    }

    deinit {
        // A compiler may remove a plain write to memory that is freed next; it never removes these two.
        if let start = memory.baseAddress {
            #if canImport(Darwin)
            memset_s(start, memory.count, 0, memory.count)
            #else
            explicit_bzero(start, memory.count)
            #endif
        }
        memory.deallocate()
    }

    /// Calls `body` with the bytes, which must not be copied.
    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        withExtendedLifetime(self) { body(UnsafeRawBufferPointer(memory)) }
    }

    /// Whether `candidate` is the same bytes.
    ///
    /// All bytes are compared whatever the first ones say, so that the time taken shows at most the secret's length.
    @inline(never)
    func matches(_ candidate: UnsafeRawBufferPointer) -> Bool {
        guard candidate.count == memory.count else { return false }
        var difference: UInt8 = 0
        for index in 0..<memory.count { difference |= memory[index] ^ candidate[index] }
        return difference == 0
    }
}

/// How a type that holds secrets shows itself: as `<redacted>`, to `print`, to the debugger and to reflection.
protocol Redacted: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension Redacted {
    /// `<redacted>`.
    public var description: String { "<redacted>" }
    /// `<redacted>`.
    public var debugDescription: String { "<redacted>" }
    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
