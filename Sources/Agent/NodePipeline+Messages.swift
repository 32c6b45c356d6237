internal import Identity
public import WireProtocol

/// The retained messages of a node.
extension NodePipeline {
    /// All retained messages of regions, as after a new connection.
    public func regionMessages() -> [Message] {
        (presence?.reports() ?? []).map { publisher.makeMessage($0.report, of: $0.region) }
    }

    /// All retained messages of proximity, as after a new connection.
    public mutating func proximityMessages() -> [Message] {
        var messages: [Message] = []
        for (beacon, report) in presence?.nearness ?? [] { messages.append(publisher.makeMessage(report, of: beacon)) }
        return messages
    }

    /// The ids of the published regions, in order.
    var regionIDs: [String] {
        (pending.registry ?? builder.resolver.currentRegistry).regions.map(\.id)
            .filter { Region.implicitItem(of: $0) == nil }.sorted()
    }

    /// A changed region's retained message.
    public func message(_ report: RegionReport, of region: String) -> Message {
        publisher.makeMessage(report, of: region)
    }

    /// The node's retained description: to be published on every connection and change.
    public func info() -> Message {
        publisher.makeMessage(description.info(settings, registry: registryDigest))
    }
}
