import NotificationTranslation

/// Our library as a server calls it: the bytes of a body in, a typed event out, one call for each.
enum LibraryWorker {
    static func run(_ path: String) -> Int32 {
        let normalizer = NotificationNormalizer(policy: .trustingTheSource)
        var clock = CallClock()
        var events = 0
        var failures = 0
        let isFine = LineFile.forEachPiece(of: path) { piece in
            var bodies: [[UInt8]] = []
            LineFile.forEachLine(in: piece) { bodies.append([UInt8]($0)) }
            clock.start()
            for body in bodies {
                do throws(NotificationError) {
                    let event = try normalizer.event(from: body)
                    events += event.transaction?.transactionID == nil ? 0 : 1
                } catch {
                    failures += 1
                }
            }
            clock.stop()
        }
        Worker.report(calls: clock, events: events)
        return isFine && failures == 0 ? 0 : 1
    }
}
