/// The other systems whose messages are used, each with the root of its topics.
public struct IntegrationInputs: Hashable, Sendable {
    /// The roots, by system.
    public let roots: [IntegrationSystem: String]

    /// Systems by their roots; none for an empty one.
    public init(_ roots: [IntegrationSystem: String] = [:]) { self.roots = roots }

    /// True if there are none.
    public var isEmpty: Bool { roots.isEmpty }

    /// The filters to subscribe to, each once.
    public var filters: [String] {
        var filters: [String] = []
        for system in systems {
            for filter in system.filters(under: roots[system] ?? "") where !filters.contains(filter) {
                filters.append(filter)
            }
        }
        return filters
    }

    /// The meaning of a message: at most one result for each node in it; nil for a topic of none of them.
    ///
    /// If two systems have one root, the first with a matching topic is used.
    public func readMessages(
        on topic: String, _ payload: Span<UInt8>
    ) throws(IntegrationFault) -> (system: IntegrationSystem, words: [ExternalMessage])? {
        for system in systems {
            guard let levels = topic.levels(under: roots[system] ?? "") else { continue }
            do throws(IntegrationFault) {
                return (system, try Self.readMessages(of: system, levels, roots[system] ?? "", payload))
            } catch .otherTopic {
                continue
            }
        }
        return nil
    }

    private var systems: [IntegrationSystem] { IntegrationSystem.allCases.filter { roots[$0] != nil } }

    private static func readMessages(
        of system: IntegrationSystem, _ levels: [Substring], _ root: String, _ payload: Span<UInt8>
    ) throws(IntegrationFault) -> [ExternalMessage] {
        switch system {
        case .espresense: [try ESPresenseTopics(root: root).word(levels, payload)]
        case .theengs: [try TheengsMessage.word(levels, payload)]
        case .mqttRoom: [try MQTTRoomMessage.word(levels, payload)]
        case .raddec: try Raddec.readMessages(levels, payload)
        }
    }
}
