/// The section `neighbours`: the topics of other systems, and their names for items.
public struct NeighboursSettings: Hashable, Sendable {
    /// The beginnings of topics that replace a system's default, by the name of its input or output (`topics`).
    public var topics: [String: String] = [:]
    /// Items by their names in other systems (`aliases`).
    public var aliases: [String: String] = [:]

    /// The most aliases.
    static let bound = 4096

    /// Reads the section.
    ///
    /// - Parameters:
    ///   - systems: the existing inputs and outputs.
    ///   - hasAliases: true if names of other systems are read.
    ///   - prefix: the beginning of our own topics, which no other system's topics may share.
    ///   - persons: the ids of persons, which have no aliases.
    static func getter(
        _ reader: ConfigurationReader, systems: [String], hasAliases: Bool, prefix: String, persons: Set<String> = []
    ) -> ConfigurationReader.Getter<NeighboursSettings> {
        reader.map { map in
            var settings = NeighboursSettings()
            map.read(
                "topics",
                reader.map { topics in
                    for system in systems {
                        settings.topics[system] = topics.read(system) { readRoot($0, outside: prefix, reader) }
                    }
                    return true
                })
            if hasAliases {
                settings.aliases = map.read("aliases") { readAliases($0, besides: persons, reader) } ?? [:]
            }
            return settings
        }
    }

    private static func readRoot(_ node: YAMLNode, outside prefix: String, _ reader: ConfigurationReader) -> String? {
        guard let root = reader.topicPrefix(node) else { return nil }
        guard root != prefix, !root.hasPrefix(prefix + "/") else {
            reader.fault(node.position, "'\(root)' lies under this house's own topics; give the other system's")
            return nil
        }
        return root
    }

    private static func readAliases(
        _ node: YAMLNode, besides persons: Set<String>, _ reader: ConfigurationReader
    ) -> [String: String]? {
        guard case .mapping(let pairs) = node.value else {
            reader.expected("a map of names and items", node)
            return nil
        }
        guard pairs.count <= bound else {
            reader.expected("at most \(bound) names", node)
            return nil
        }
        var aliases: [String: String] = [:]
        for pair in pairs {
            let item = reader.identifier(pair.node)
            if pair.key.lowercased().hasPrefix("irk:") {
                reader.fault(
                    pair.position, "a name of 'irk:' holds the key itself; give the item its 'irk_file' in place of it")
            } else if !isName(pair.key) {
                reader.fault(
                    pair.position, "a name has 1 to 128 letters, none of '/', '+', '#' and no control character")
            } else if let item, persons.contains(item) {
                reader.fault(pair.node.position, "'\(item)' is a person; a name stands for an item")
            } else if let item {
                aliases[pair.key] = item
            }
        }
        return aliases
    }

    private static func isName(_ text: String) -> Bool {
        (1...128).contains(text.utf8.count)
            && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F && $0 != 0x2F && $0 != 0x2B && $0 != 0x23 }
    }
}
