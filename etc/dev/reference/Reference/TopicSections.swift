/// The topics and their payloads.
extension Section {
    static var topics: [Section] {
        [
            Section(
                "topic-list",
                Markdown.table(
                    ["topic", "QoS", "retained", "published by", "purpose"],
                    TopicDescription.all.map { topic in
                        [
                            "[`\(topic.pattern)`](#\(anchor(topic.pattern)))", "\(topic.qos)",
                            topic.isRetained ? "yes" : "no", publishers(topic), topic.meaning,
                        ]
                    })),
            Section("node-topics", TopicDescription.nodes.map(text).joined(separator: "\n")),
            Section("item-topics", TopicDescription.items.map(text).joined(separator: "\n")),
            Section("fuser-topics", TopicDescription.fusers.map(text).joined(separator: "\n")),
        ]
    }

    private static func text(_ topic: TopicDescription) -> String {
        let payload =
            switch topic.payload {
            case .text(let words): "Payload: \(words)\n"
            case .elsewhere(let words): "Payload: \(words)\n"
            case .object(let object): "\(object.table)\n\(object.examples)"
            }
        return """
            ### \(topic.pattern.heading)

            \(topic.meaning) QoS \(topic.qos), \(topic.isRetained ? "retained" : "not retained"), published by \
            \(publishers(topic)).

            \(payload)
            """
    }

    private static func publishers(_ topic: TopicDescription) -> String {
        TopicDescription.Publisher.allCases.filter(topic.publishers.contains).map(\.rawValue).joined(separator: ", ")
    }

    /// The anchor that Markdown's renderers make of a heading.
    private static func anchor(_ pattern: String) -> String {
        String(pattern.lowercased().filter { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" })
    }
}

extension String {
    /// A topic as a heading: its brackets are no tags.
    fileprivate var heading: String { "`\(self)`" }
}
