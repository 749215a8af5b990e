/// Goes over what is kept in bytes, one part after another: writes it, or fills it in.
///
/// Whatever is kept has one function that names its parts in their order, so that what is written and what is read
/// cannot differ:
///
///     mutating func code(_ coder: inout some ByteCoder) {
///         coder.time(&purchase)
///         coder.text(&productID)
///     }
///
/// Numbers are LEB128 varints, signed ones zigzag; a text is a length and UTF-8, and an empty one is an absent one.
protocol ByteCoder {
    /// Something was not what it should be, so that what was read is worthless; never while writing.
    var failed: Bool { get }
    /// Gives up reading; nothing while writing.
    mutating func fail()
    mutating func byte(_ value: inout UInt8)
    /// Eight bytes, the lowest first.
    mutating func word(_ value: inout UInt64)
    mutating func varint(_ value: inout UInt64)
    /// A number of things that follow, each of at least one byte.
    mutating func count(_ count: inout Int)
    /// The characters of a text, whether a record had them with escapes or without.
    mutating func text(_ text: inout EventText)
}

struct ByteWriter: ByteCoder {
    let output: OutputBuffer

    var failed: Bool { false }
    mutating func fail() {}
    mutating func byte(_ value: inout UInt8) { output.append(value) }
    mutating func varint(_ value: inout UInt64) { output.append(varint: value) }
    mutating func count(_ count: inout Int) { output.append(varint: UInt64(count)) }

    mutating func word(_ value: inout UInt64) { withUnsafeBytes(of: value.littleEndian) { output.append($0) } }

    mutating func text(_ text: inout EventText) {
        if text.hasEscapes {
            let characters = text.string ?? ""
            output.append(varint: UInt64(characters.utf8.count))
            output.append(characters)
        } else {
            output.append(varint: UInt64(text.bytes.count))
            output.append(text.bytes)
        }
    }
}

extension ByteReader: ByteCoder {
    mutating func text(_ text: inout EventText) {
        var count = 0
        self.count(&count)
        text = count > 0 ? EventText(raw(count)) : .absent
    }
}

extension ByteCoder {
    mutating func signed(_ value: inout Int64) {
        var number = UInt64(bitPattern: value << 1 ^ value >> 63)
        varint(&number)
        value = Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
    }

    /// A position, or -1 for none.
    mutating func position(_ value: inout Int) {
        var number = Int64(value)
        signed(&number)
        value = Int(truncatingIfNeeded: number)
    }

    /// A time that four digits of year can write, as its distance from another; calculations with such never overflow.
    mutating func time(_ time: inout Int64, since base: Int64 = 0) {
        var distance = time &- base
        signed(&distance)
        time = base &+ distance
        if !(CivilTime.earliest...CivilTime.latest ~= time) {
            fail()
            time = 0
        }
    }

    /// A time that is there if another part says so.
    mutating func time(_ time: inout Int64?, since base: Int64, ifThere isThere: Bool) {
        guard isThere else { return }
        var known = time ?? base
        self.time(&known, since: base)
        time = known
    }

    mutating func truth(_ value: inout Bool) {
        var byte: UInt8 = value ? 1 : 0
        self.byte(&byte)
        if byte > 1 { fail() }
        value = byte == 1
    }

    mutating func truth(_ value: inout Bool?) { optional(&value, of: false) { $0.truth(&$1) } }
    mutating func signed(_ value: inout Int64?) { optional(&value, of: 0) { $0.signed(&$1) } }
    mutating func time(_ time: inout Int64?, since base: Int64 = 0) {
        optional(&time, of: 0) { $0.time(&$1, since: base) }
    }

    /// What may be absent.
    mutating func optional<Value>(
        _ value: inout Value?, of empty: @autoclosure () -> Value, _ code: (inout Self, inout Value) -> Void
    ) {
        var isThere = if case .some = value { true } else { false }
        truth(&isThere)
        guard isThere else { return value = nil }
        var known = value ?? empty()
        code(&self, &known)
        value = known
    }

    mutating func list<Element>(
        _ elements: inout [Element], of empty: @autoclosure () -> Element, _ code: (inout Self, inout Element) -> Void
    ) {
        var count = elements.count
        self.count(&count)
        for index in 0..<count where !failed {
            if index == elements.count { elements.append(empty()) }
            code(&self, &elements[index])
        }
    }

    /// One of a closed set, as its position in it.
    mutating func word<Word: CaseIterable & Equatable>(_ word: inout Word) {
        let words = Array(Word.allCases)
        var position = UInt8(truncatingIfNeeded: words.firstIndex(of: word) ?? 0)
        byte(&position)
        guard Int(position) < words.count else { return fail() }
        word = words[Int(position)]
    }

    /// The sixteen bytes of an id.
    mutating func id(_ id: inout EventID) {
        var (high, low) = (id.high.byteSwapped, id.low.byteSwapped)
        word(&high)
        word(&low)
        id = EventID(high: high.byteSwapped, low: low.byteSwapped)
    }

    mutating func id(_ id: inout EventDraft.ID) {
        var bytes: EventID? = if case .uuid(let known) = id { known } else { nil }
        optional(&bytes, of: EventID(high: 0, low: 0)) { $0.id(&$1) }
        if let bytes { return id = .uuid(bytes) }
        var text = if case .text(let known) = id { known } else { EventText.absent }
        self.text(&text)
        id = .text(text)
    }

    /// A set of flags, of which each has a name; read by the same build only.
    mutating func flags(_ flags: inout FlagSet) {
        var low = UInt64(truncatingIfNeeded: flags.rawValue)
        var high = UInt64(truncatingIfNeeded: flags.rawValue >> 64)
        word(&low)
        varint(&high)
        flags = FlagSet(rawValue: UInt128(low) | UInt128(high) << 64)
        if flags.rawValue.leadingZeroBitCount < FlagTable.capacity - FlagTable.current.rows.count { fail() }
    }

    /// A text that may be among those before it: 0 for none, else its position among them from 1; a new one follows.
    mutating func text(_ text: inout EventText, among known: inout [EventText]) {
        var number: UInt64 = 0
        if !text.isAbsent {
            number = UInt64(known.firstIndex(of: text) ?? known.count) + 1
        }
        varint(&number)
        guard number > 0 else { return text = .absent }
        guard number <= UInt64(known.count) else {
            if number > UInt64(known.count) + 1 { fail() }
            self.text(&text)
            return known.append(text)
        }
        text = known[Int(number) - 1]
    }
}
