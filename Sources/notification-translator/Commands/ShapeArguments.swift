import NotificationTranslation

/// The options that say in which shape events are written.
enum ShapeArguments {
    static func shape(_ arguments: Arguments) throws(UsageError) -> EventShape {
        let kind = arguments.value("--to").flatMap(EventShape.Kind.init) ?? .events
        for option in ["--ce-type-prefix", "--ce-source"] where arguments.has(option) {
            guard kind == .cloudevents else { throw arguments.refusal("\(option) needs --to cloudevents.") }
            // CloudEvents asks for a text that is not empty, and for a URI reference.
            let value = arguments.value(option) ?? ""
            let isURI = value.utf8.allSatisfy { 0x21...0x7E ~= $0 && !"\"<>\\^`{|}".utf8.contains($0) }
            guard !value.isEmpty, isURI else {
                throw arguments.refusal("invalid value for \(option) (expected: characters that a URI may hold)")
            }
        }
        if kind == .v2, arguments.value("--redact") == "pii" {
            throw arguments.refusal(
                "--redact pii needs --to events or cloudevents: V2 payloads that Apple signed stay unchanged.")
        }
        for option in ["--companions", "--duplicates"] where kind == .v2 && arguments.value(option) == "keep" {
            let name = option.dropFirst(2)
            throw arguments.refusal(
                "\(option) keep needs --to events or cloudevents: --to v2 always leaves out \(name).")
        }
        return EventShape(
            kind, typePrefix: arguments.value("--ce-type-prefix") ?? EventShape.typePrefix,
            source: arguments.value("--ce-source"))
    }
}
