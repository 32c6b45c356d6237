public import Bytes

/// The outcome of the last upgrade of a node by command, in its `info` and in the file that the helper writes; empty before
/// the first one since the machine's start.
///
///     {"version":"0.1.0-990","before":"0.1.0-989","after":"0.1.0-990","at":1753862400}
public struct UpgradeReport: Hashable, Sendable {
    /// The version that was asked for.
    public var version: String?
    /// The agent's package before.
    public var before: String?
    /// The agent's package after.
    public var after: String?
    /// The reason if it failed, with the last lines of apt's.
    public var error: String?
    /// The time of its end.
    public var at: Timestamp?

    /// Of no upgrade.
    public init() {}
}

extension UpgradeReport {
    /// The maximum size of an accepted file, in bytes.
    public static let payloadLimit = 4096
    /// The longest reason, in bytes.
    static let errorLimit = 1024

    /// Reads the file of the helper. Unknown keys are ignored.
    public init(payload: Span<UInt8>) throws(PayloadFault) {
        try self.init(payload: payload, limit: Self.payloadLimit)
    }
}

extension UpgradeReport: WireObject {
    static var blank: Self { Self() }

    @_lifetime(fields: copy fields)
    mutating func visitFields<Fields: WireFields & ~Escapable>(_ fields: inout Fields) throws(Fields.Fault) {
        try fields.field("version", &version, where: NodeCommand.isPackageVersion)
        try fields.field("before", &before, where: NodeCommand.isPackageVersion)
        try fields.field("after", &after, where: NodeCommand.isPackageVersion)
        try fields.field("error", &error) { $0.utf8.count <= Self.errorLimit }
        try fields.field("at", &at)
    }
}
