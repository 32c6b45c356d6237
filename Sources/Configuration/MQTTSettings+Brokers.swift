/// `url`, or `urls`: the brokers that are tried in turn.
extension MQTTSettings {
    /// The most brokers.
    static let brokerBound = 4

    /// The brokers in their order; none after a reported fault.
    ///
    /// The value of a variable or an option replaces that of a file, be it one or several brokers.
    static func urls(_ map: MapReader, _ reader: ConfigurationReader) -> [BrokerURL] {
        guard let several = map.node("urls") else { return map.require("url", reader.brokerURL).map { [$0] } ?? [] }
        guard let one = map.node("url") else { return read(several, reader) }
        switch (one.position.isInFile, several.position.isInFile) {
        case (false, true): return reader.brokerURL(one).map { [$0] } ?? []
        case (true, false): return read(several, reader)
        default:
            reader.fault(map.place("urls"), "give either 'url' or 'urls'")
            return []
        }
    }

    /// A list; in a variable, URLs separated by blanks or commas.
    private static func read(_ node: YAMLNode, _ reader: ConfigurationReader) -> [BrokerURL] {
        var node = node
        if case .scalar(let text, _) = node.value, !node.position.isInFile {
            let words = text.split { $0 == " " || $0 == "," }
            node.value = .sequence(words.map { YAMLNode(.scalar(String($0), isPlain: true), at: node.position) })
        }
        guard let urls = reader.list(brokerBound, of: reader.brokerURL)(node) else { return [] }
        if urls.isEmpty, case .sequence(let nodes) = node.value, nodes.isEmpty {
            reader.expected("1 to \(brokerBound) URLs", node)
        }
        return urls
    }
}
