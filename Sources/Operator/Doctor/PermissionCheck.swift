internal import BrokerSession
internal import System

/// Checks that this process may use the radio.
enum PermissionCheck {
    static func permissionFinding(missing: [Capability]) -> Finding {
        guard !missing.isEmpty else {
            return .ok(.permissions, Capability.allCases.map(\.name).joined(separator: " and ") + " are held")
        }
        return .fault(
            .permissions, "this process lacks \(missing.map(\.name).joined(separator: " and "))",
            mend: "run it as root, or the agent by its service, which has them (AmbientCapabilities=)")
    }
}
