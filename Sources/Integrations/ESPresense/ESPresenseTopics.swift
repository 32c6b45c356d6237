internal import Bytes

/// ESPresense's topics under a root (include/defaults.h, `CHANNEL`), with the meaning of their messages.
public struct ESPresenseTopics: Hashable, Sendable {
    /// The beginning of all of them.
    public let root: String

    /// The topics under a root.
    public init(root: String = IntegrationSystem.espresense.defaultRoot) { self.root = root }

    /// The topic of a node's messages about a device.
    public func device(_ id: String, room: String) -> String { "\(root)/devices/\(id)/\(room)" }
    /// The topic of a node's retained status.
    public func status(_ room: String) -> String { "\(root)/rooms/\(room)/status" }
    /// The topic of a node's telemetry.
    public func telemetry(_ room: String) -> String { "\(root)/rooms/\(room)/telemetry" }

    /// The meaning of a message, by the levels of its topic below the root.
    func word(_ levels: [Substring], _ payload: Span<UInt8>) throws(IntegrationFault) -> ExternalMessage {
        guard levels.count == 3 else { throw .otherTopic }
        switch (levels[0], levels[2]) {
        case ("devices", let room):
            guard Plausible.isName(String(room)) else { throw .otherTopic }
            let device = try ESPresenseDevice(payload: payload)
            return try device.reading(id: String(levels[1]), room: String(room)).map { .reading($0) } ?? .nothing
        case ("rooms", "status"):
            guard Plausible.isName(String(levels[1])) else { throw .otherTopic }
            return .status(node: String(levels[1]), isOnline: try isOnline(payload))
        case ("settings", "config"): return try alias(of: String(levels[1]), payload)
        default: throw .otherTopic
        }
    }

    /// A device's settings: the id in the payload replaces the id in the topic from then on. An empty payload ends
    /// that, which needs no action: an alias that is no longer used does no harm.
    private func alias(of id: String, _ payload: Span<UInt8>) throws(IntegrationFault) -> ExternalMessage {
        guard payload.count > 0 else { return .nothing }
        var alias: String?
        try readNeighbour(payload, limit: Plausible.payloadLimit) { json throws(JSONFault) in
            try json.beginObject()
            while let key = try json.nextKey() {
                if key == "id" { alias = try json.stringOrNull() } else { try json.skip() }
            }
        }
        guard let alias = try Plausible.name(alias, "id"), alias != id else { return .nothing }
        guard let name = ExternalName(espresense: id) else { throw .outOfRange("id") }
        return .alias(alias, for: name)
    }
}

/// The meaning of a status payload.
func isOnline(_ payload: Span<UInt8>) throws(IntegrationFault) -> Bool {
    guard payload.count <= 16 else { throw .noStatus }
    switch String(decoding: [UInt8](copying: payload), as: UTF8.self) {
    case "online": return true
    case "offline": return false
    default: throw .noStatus
    }
}
