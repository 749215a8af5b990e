import NotificationTranslation

/// The options that say in which shape events are written.
enum ShapeArguments {
    static func shape(_ arguments: Arguments) throws(UsageError) -> EventShape {
        let kind = arguments.value("--to").flatMap(EventShape.Kind.init) ?? .events
        for option in ["--companions", "--duplicates"] where kind == .v2 && arguments.value(option) == "keep" {
            let name = option.dropFirst(2)
            throw arguments.refusal(
                "\(option) keep needs --to events or cloudevents: --to v2 always leaves out \(name).")
        }
        return EventShape(kind)
    }
}
