/// Which strings of a text may hold an escape, so that the others need not be searched for a backslash.
///
/// A block of 64 bytes with a backslash, met after `before` quotes and left after `after` of them, refers to the
/// strings that begin with the quotes number `before - 1` to `after - 1`. Blocks come in order and mostly continue the
/// span before them: the base64 of a receipt with every `/` written as `\/` is one span.
struct EscapeSpans: ~Copyable {
    /// Quotes by number, the first and the last one included.
    struct Span {
        var first: Int
        var last: Int
    }

    /// The spans in order, and one after them that begins after every quote.
    private(set) var spans: UnsafeMutablePointer<Span>
    private var count = 0
    private var room = 64

    init() {
        spans = .allocate(capacity: room)
        spans.initialize(repeating: Span(first: .max, last: .max), count: room)
    }

    deinit {
        spans.deallocate()
    }

    /// Forgets the spans of the text before.
    mutating func removeAll() {
        count = 0
    }

    /// Takes note of a block with a backslash.
    mutating func add(_ before: Int, _ after: Int) {
        if count > 0, spans[count - 1].last >= before - 1 {
            spans[count - 1].last = after - 1
        } else {
            append(Span(first: before - 1, last: after - 1))
        }
    }

    mutating func close() {
        spans[count] = Span(first: .max, last: .max)
    }

    private mutating func append(_ span: Span) {
        if count + 2 > room {
            let wider = UnsafeMutablePointer<Span>.allocate(capacity: room * 2)
            wider.initialize(repeating: Span(first: .max, last: .max), count: room * 2)
            wider.update(from: spans, count: count)
            spans.deallocate()
            spans = wider
            room *= 2
        }
        spans[count] = span
        count += 1
    }
}
