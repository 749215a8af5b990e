import NotificationTranslation

extension OutputBuffer {
    /// Appends the line of a record that could not be converted; the content is one that was kept, if contents are wanted.
    func append(_ reject: Reject, input: String, withContent: Bool, _ content: [UInt8]?) {
        append("{\"input\":")
        append(jsonString: input)
        append(",\"line\":")
        append(decimal: reject.line)
        append(",\"offset\":")
        append(decimal: reject.offset)
        append(",\"length\":")
        append(decimal: Int64(reject.length))
        append(",\"code\":")
        append(jsonString: reject.code)
        append(",\"path\":")
        append(jsonString: reject.path)
        if withContent {
            append(",\"content\":")
            let isText = content.map { String(validating: $0, as: UTF8.self) != nil } ?? false
            if isText { content?.withUnsafeBytes { append(jsonString: $0) } } else { append("null") }
            if let content, !isText {
                append(",\"content_base64\":\"")
                append(StrictBase64.encoded(standard: content))
                append("\"")
            }
        }
        append("}\n")
    }
}
