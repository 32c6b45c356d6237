public import Configuration

/// The file of sites:
///
///     - id: north
///       name: North clinic
///       mqtt: {url: mqtts://north.example, username: sites, password_file: north.password}
///       page: https://north.example/
///       limit: {items: 2000}
///     - {id: south, mqtt: {url: mqtt://127.0.0.1:1883}, topic_prefix: south}
public enum SitesFile {
    /// The name of the file.
    public static let usualName = "sites.yaml"
    /// The most sites of a file.
    public static let bound = 50
    /// The longest name and the longest address of a page, in bytes.
    static let nameBound = 100, addressBound = 500

    /// Reads a file; throws every fault with its position. Warnings go to `warn`.
    public static func load(
        path: String, environment: [String: String], warn: (ConfigurationFault) -> Void = { _ in }
    ) throws(ConfigurationFaults) -> [Site] {
        let reader = ConfigurationReader(environment: environment)
        let sites = reader.tree(file: path).flatMap { read($0, reader) } ?? []
        try reader.check()
        reader.warnings.forEach(warn)
        return sites
    }

    /// Reads a text, whose paths are relative to the folder of `file`; `opensFiles` is false to open none that it names.
    public static func load(
        text: String, file: String, opensFiles: Bool = true
    ) throws(ConfigurationFaults) -> [Site] {
        let reader = ConfigurationReader(opensFiles: opensFiles)
        let sites = reader.tree(Array(text.utf8), file: file).flatMap { read($0, reader) } ?? []
        try reader.check()
        return sites
    }

    private static func read(_ root: YAMLNode, _ reader: ConfigurationReader) -> [Site]? {
        var lines: [String: Int] = [:]
        var items = 0
        let entry: ConfigurationReader.Getter<Site> = reader.map { map in
            let id = map.require("id", reader.identifier)
            let name = map.read("name", shortText(reader, nameBound))
            let mqtt = map.require("mqtt", MQTTSettings.getter(reader))
            let prefix = map.read("topic_prefix", reader.topicPrefix)
            let page = map.read("page", pageAddress(reader))
            let limit = map.read("limit", limit(reader)) ?? Site.Limit()
            if let id {
                if let line = lines[id] {
                    reader.fault(map.place("id"), "the site '\(id)' is given twice, first in line \(line)")
                } else {
                    lines[id] = map.place("id").line
                }
            }
            items += limit.items
            guard let id, var mqtt else { return nil }
            // The tool and the page connect at once, and one id would have them displace each other.
            mqtt.clientID = nil
            var site = Site(id: id, mqtt: mqtt)
            site.name = name ?? id
            site.topicPrefix = prefix ?? site.topicPrefix
            site.page = page
            site.limit = limit
            return site
        }
        let sites = reader.list(bound, of: entry)(root)
        if sites?.isEmpty == true, reader.faults.isEmpty { reader.fault(root.position, "the file names no site") }
        if items > Site.Limit.itemBound {
            reader.fault(
                root.position,
                "the 'items' of all limits are \(items) together, and \(Site.Limit.itemBound) at most: lower them")
        }
        return sites
    }

    private static func limit(_ reader: ConfigurationReader) -> ConfigurationReader.Getter<Site.Limit> {
        reader.map { map in
            var limit = Site.Limit()
            limit.items = map.read("items", reader.integer(1...Site.Limit.itemBound)) ?? limit.items
            limit.messagesPerSecond =
                map.read("messages_per_second", reader.integer(1...10_000)) ?? limit.messagesPerSecond
            return limit
        }
    }

    private static func shortText(
        _ reader: ConfigurationReader, _ bound: Int
    ) -> ConfigurationReader.Getter<String> {
        { node in
            guard let text = reader.string(node) else { return nil }
            guard !text.isEmpty, text.utf8.count <= bound else {
                reader.expected("a text of 1 to \(bound) bytes", node)
                return nil
            }
            return text
        }
    }

    /// The address of a page. It becomes a link, which must lead to a page and nowhere else.
    private static func pageAddress(_ reader: ConfigurationReader) -> ConfigurationReader.Getter<String> {
        { node in
            guard let text = reader.string(node) else { return nil }
            let rest = ["https://", "http://"].first(where: text.hasPrefix).map { text.dropFirst($0.count) }
            let isAddress =
                rest?.first.map { $0 != "/" } ?? false && text.utf8.count <= addressBound
                && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && !#""<>\^`{|}"#.utf8.contains($0) }
            guard isAddress else {
                reader.expected("the address of a page such as https://north.example/", node)
                return nil
            }
            guard rest?.prefix(while: { $0 != "/" }).contains("@") == false else {
                reader.fault(node.position, "name and password don't belong into the address")
                return nil
            }
            return text
        }
    }
}
