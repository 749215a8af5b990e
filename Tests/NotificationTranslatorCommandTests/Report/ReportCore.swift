/// The stable core of a report in JSON, as a program would read it.
struct ReportCore: Decodable {
    struct Month: Decodable, Equatable {
        var month: String
        var events: Int
        var kinds: [String: Int]
        var certainty: [String: Int]
    }

    struct Place: Decodable, Hashable {
        var input: String
        var line: Int
    }

    struct Pair: Decodable, Hashable {
        var type: String?
        var subtype: String?
    }

    struct Contradiction: Decodable, Hashable {
        var v1: Place
        var v2: Place
        var ours: Pair
        var apple: Pair
        var certainty: String
    }

    struct Agreement: Decodable {
        var compared: Int
        var same: Int
        var candidate: Int
        var contradicted: Int
        var v1_only: Int
        var v2_only: Int
        var v2_only_deduced: Int
        var contradictions: [Contradiction]
        var contradicted_exact: Int
    }

    var records: Int
    var converted: Int
    var rejected: Int
    var skipped: Int
    var events: Int
    var left_out: Int
    var inferred: Int
    var untimed: Int
    var dispositions: [String: Int]
    var certainty: [String: Int]
    var entitlement: [String: Int]
    var flags: [String: Int]
    var rejects: [String: Int]
    var skip_reasons: [String: Int]
    var v1_types: [String: Int]
    var pairs: [String: Int]
    var versions: [String: Int]
    var months: [Month]
    var agreement: Agreement

    init(_ text: String) throws { self = try JSONDecoder().decode(ReportCore.self, from: Data(text.utf8)) }
}
