#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Foundation's JSONDecoder doing the same job, as one would write it: structs of the members needed, the newest
/// transaction picked, twenty fields written as a line of JSON.
enum DecoderWorker {
    static func run(_ path: String) -> Int32 {
        let decoder = JSONDecoder()
        var clock = CallClock()
        var events = 0
        var failures = 0
        var output: [UInt8] = []
        let isRead = LineFile.forEachPiece(of: path) { piece in
            var bodies: [Data] = []
            LineFile.forEachLine(in: piece) { bodies.append(Data($0)) }
            clock.start()
            for body in bodies {
                do {
                    let notification = try decoder.decode(DecodedBody.self, from: body)
                    notification.write(to: &output)
                    events += 1
                } catch {
                    failures += 1
                }
            }
            clock.stop()
            failures += LineFile.writeAll(output, to: 1) ? 0 : 1
            output.removeAll(keepingCapacity: true)
        }
        Worker.report(calls: clock, events: events)
        return isRead && failures == 0 ? 0 : 1
    }
}
