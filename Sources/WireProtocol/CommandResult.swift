public import Bytes

/// A node's answer to a command.
public typealias CommandResult = CommandReply<NodeAnswer>

/// The result of a command to a node.
public enum NodeAnswer: CommandAnswer {
    /// The request that it answers.
    public typealias Asked = NodeCommand

    /// It was done.
    case done
    /// The strongest unregistered beacons, and the other transmitters that can't be registered, the loudest class
    /// first.
    case nearby([NearbyBeacon], others: [NearbyStranger])
    /// Events were published again, or were not if the report names an unknown epoch.
    case replayed(ReplayReport)
    /// It was not done, for this reason.
    case failed(String)

    /// The maximum size of an accepted answer, in bytes.
    public static let payloadLimit = 65_536

    /// The reason if it was not done.
    public var failure: String? {
        switch self {
        case .failed(let reason): reason
        case .replayed(let report): report.failure
        case .done, .nearby: nil
        }
    }

    /// Writes the report of the answer.
    public func write(to json: inout JSONWriter) {
        switch self {
        case .done, .failed: break
        case .nearby(let beacons, let others):
            json.write("beacons", beacons)
            json.write("others", others)
        case .replayed(let report): json.write("replay", report)
        }
    }

    /// Reads the value of a key of the report; false if the key isn't part of it.
    @_lifetime(json: copy json)
    public mutating func read(_ key: String, from json: inout JSONReader) throws(JSONFault) -> Bool {
        switch key {
        case "replay": self = try ReplayReport.read(from: &json).map(Self.replayed) ?? self
        case "beacons": self = .nearby(try [NearbyBeacon].read(from: &json) ?? [], others: others)
        case "others": self = .nearby(beacons, others: try [NearbyStranger].read(from: &json) ?? [])
        default: return false
        }
        return true
    }

    private var beacons: [NearbyBeacon] { if case .nearby(let beacons, _) = self { beacons } else { [] } }
    private var others: [NearbyStranger] { if case .nearby(_, let others) = self { others } else { [] } }
}
