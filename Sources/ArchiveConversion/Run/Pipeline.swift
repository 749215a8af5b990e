import NotificationTranslation

/// Workers that read, convert and write side by side, with the output in the order of the input.
///
/// Each worker takes the reading lock, fills its own chunk and draws a number; it converts without any lock; then it
/// hands its slot in. Whoever hands in the slot whose turn it is writes, and writes on as long as the next one is there:
/// nobody waits for its turn, only for a free slot when the output cannot keep up. Slots are taken *before* numbers are
/// drawn, so the lowest number always has one and nothing can lock up. Nothing is started that is not needed: an input
/// that fits one chunk is converted on the main thread.
///
/// Where records are small, events are twenty times their size; chunks then become smaller, so that what a worker holds
/// back until its turn stays small too.
///
/// `reader` and `isReadingOver` belong to `reading`, all other state to `turns`; the writer is used by whoever has set
/// `isWriting`. Hence `@unchecked Sendable`.
final class Pipeline: @unchecked Sendable {
    private let request: ConversionRequest
    private let chunkSize: Int
    private let reading = Monitor()
    private let reader: ChunkReader
    private var isReadingOver = false
    private var nextTicket = 0

    private let turns = Monitor()
    private let writer: EventWriter
    private var free: [Slot]
    private var handedIn: [Slot] = []
    private var turn = 0
    private var currentChunkSize: Int
    private var isWriting = false
    private var isStopped = false
    private var failure: ArchiveError?

    init(_ request: ConversionRequest, jobs: Int, chunkSize: Int, reader: ChunkReader, writer: EventWriter) {
        self.request = request
        self.chunkSize = chunkSize
        currentChunkSize = chunkSize
        self.reader = reader
        self.writer = writer
        free = (0..<(jobs == 1 ? 1 : 2 * jobs)).map { _ in Slot() }
    }

    /// Converts everything.
    func run(jobs: Int) throws(ArchiveError) {
        var threads: [WorkerThread] = []
        work {
            // The first chunk has been read; if more is to come, it is worth having others.
            guard threads.isEmpty, jobs > 1, self.reader.hasMore else { return }
            for _ in 1..<jobs {
                do throws(ArchiveError) {
                    threads.append(try WorkerThread { [self] in work {} })
                } catch { return }  // with fewer it is slower, not wrong
            }
        }
        for thread in threads { thread.join() }
        if let failure { throw failure }
    }

    /// One worker, until there is nothing left to do.
    private func work(afterFirstRead: () -> Void) {
        let chunk = Chunk(capacity: chunkSize)
        var conversion = ChunkConversion(request)
        var isFirst = true
        while let slot = takeSlot() {
            guard let ticket = read(into: chunk, slot) else {
                giveBack(slot)
                return
            }
            if isFirst, slot.failure == nil {
                isFirst = false
                afterFirstRead()
            }
            if slot.failure == nil {
                slot.input = chunk.input
                slot.path = chunk.path
                slot.output.firstLine = firstLine(of: slot, ticket)
                do throws(ArchiveError) {
                    try conversion.convert(chunk, into: slot) {
                        handIn(slot, ticket, isLast: false)
                        slot.output.firstLine = firstLine(of: slot, ticket)
                        return !stopped
                    }
                } catch { slot.failure = error }
                slot.next = chunk.next
            }
            handIn(slot, ticket, isLast: true)
        }
    }

    private var stopped: Bool { turns.locked { isStopped } }

    /// Fills the chunk and draws a number.
    ///
    /// - Returns: `nil` at the end of all inputs. A failure to read is handed on in its turn, so what came before it is
    ///   written first.
    private func read(into chunk: Chunk, _ slot: Slot) -> Int? {
        reading.lock()
        defer { reading.unlock() }
        guard !isReadingOver else { return nil }
        do throws(ArchiveError) {
            guard try reader.next(into: chunk, size: slot.chunkSize) else {
                isReadingOver = true
                return nil
            }
            slot.filePosition = reader.filePosition
        } catch {
            isReadingOver = true
            slot.failure = error
        }
        defer { nextTicket += 1 }
        return nextTicket
    }

    /// The number of a slot's first line, if everything before it has been written; always so with one worker.
    ///
    /// Numbers that are known are written with the events, which then need not be taken apart to put them in.
    private func firstLine(of slot: Slot, _ ticket: Int) -> Int64? {
        guard request.timeline == nil else { return nil }
        return turns.locked {
            turn == ticket && !handedIn.contains { $0.ticket == ticket } ? writer.firstLine(of: slot.input) : nil
        }
    }

    private func takeSlot() -> Slot? {
        turns.lock()
        defer { turns.unlock() }
        while !isStopped {
            if let slot = free.popLast() {
                slot.chunkSize = currentChunkSize
                return slot
            }
            turns.wait()
        }
        return nil
    }

    private func giveBack(_ slot: Slot) {
        turns.locked { free.append(slot) }
        turns.wakeAll()
    }

    /// Hands in a slot; returns at once for the last part of a chunk, and when it is written for another.
    private func handIn(_ slot: Slot, _ ticket: Int, isLast: Bool) {
        turns.lock()
        defer { turns.unlock() }
        slot.ticket = ticket
        handedIn.append(slot)
        if !isWriting { writeInTurn() }
        guard !isLast else { return }
        while handedIn.contains(where: { $0.ticket == ticket }), !isStopped { turns.wait() }
    }

    /// Writes all slots whose turn has come; called with the lock held.
    private func writeInTurn() {
        isWriting = true
        while !isStopped, let slot = handedIn.first(where: { $0.ticket == turn }) {
            turns.unlock()
            var problem = slot.failure
            if problem == nil {
                do throws(ArchiveError) { try writer.write(slot) } catch { problem = error }
            }
            let isLast = slot.next != nil || problem != nil
            let ends = slot.endsRun || problem != nil
            slot.removeAll()
            let size = writer.growth < 0.25 ? chunkSize : max(64 * 1024, Int(Double(chunkSize) / (4 * writer.growth)))
            turns.lock()
            currentChunkSize = size
            handedIn.removeAll { $0 === slot }
            if isLast {
                turn += 1
                free.append(slot)
            }
            if ends {
                failure = problem
                isStopped = true
            }
            turns.wakeAll()
        }
        isWriting = false
    }
}
