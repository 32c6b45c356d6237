internal import Alerts
internal import Bytes
internal import Identity

/// The section `regions` of an agent's file.
///
///     - {id: office, ibeacon: {uuid: 48534442-4c45-4144-80c0-1800fffffff0, major: 100}, exit_after: 30s}
///     - {id: pets, tag: pet, notify_on_exit: false}
///     - {id: signs, eddystone_url: {prefix: "https://example.com/"}}
enum RegionsSection {
    /// The most regions of a node.
    static let bound = 10_000
    private static let keys = PatternKey.all + ["item", "tag", "eddystone_url"]

    static func getter(
        _ reader: ConfigurationReader, _ reactions: ReactionsSection
    ) -> ConfigurationReader.Getter<[Region]> {
        { node in
            var ids = UniqueNames("the id")
            let region: ConfigurationReader.Getter<Region> = reader.map { map in
                let id = map.require("id", reader.newIdentifier)
                let name = map.read("name", reader.string)
                let members = readMembers(map, reader)
                let exitAfter = map.read("exit_after", reader.duration(.seconds(1)...(.seconds(86400))))
                let onEntry = map.read("notify_on_entry", reader.boolean)
                let onExit = map.read("notify_on_exit", reader.boolean)
                reactions.read(map, of: .region(id ?? ""))
                guard let id else { return nil }
                ids.registerName(id, at: map.place("id"), reader)
                guard let members else { return nil }
                var region = Region(id: id, name: name, members: members, exitAfter: exitAfter)
                region.notifyOnEntry = onEntry ?? true
                region.notifyOnExit = onExit ?? true
                return region
            }
            return reader.list(bound, of: region)(node)
        }
    }

    /// The beacons of a region: exactly one of the keys gives them.
    private static func readMembers(_ map: MapReader, _ reader: ConfigurationReader) -> Region.Members? {
        let patterns = reader.patterns(map)
        let item = map.read("item", reader.identifier)
        let tag = map.read("tag", reader.identifier)
        let url = map.read("eddystone_url", urlGetter(reader))
        let given = keys.filter { map.has($0) }
        if given.count != 1 {
            let found = given.isEmpty ? "none" : given.joined(separator: " and ")
            reader.fault(map.position, "a region has one of \(keys.joined(separator: ", ")); found \(found)")
        }
        return patterns.first.map { .beacons($0.value) } ?? item.map { .item($0) } ?? tag.map { .tag($0) }
            ?? url.map { .url($0) }
    }

    private static func urlGetter(_ reader: ConfigurationReader) -> ConfigurationReader.Getter<URLPattern> {
        reader.map { map in
            let exact = map.read("url", reader.string)
            let prefix = map.read("prefix", reader.string)
            guard (exact == nil) != (prefix == nil) else {
                reader.fault(map.position, "an Eddystone-URL is either a 'url' or a 'prefix'")
                return nil
            }
            guard let text = exact ?? prefix, text.utf8.count <= URLPattern.maximumLength,
                text.hasPrefix("http://") || text.hasPrefix("https://")
            else {
                reader.fault(
                    map.position, "an Eddystone-URL begins with http:// or https:// and has at most 114 bytes")
                return nil
            }
            return URLPattern(text, isPrefix: prefix != nil)
        }
    }
}
