public import Bytes
internal import Integrations
internal import Store

/// The persisted discovery documents and their places, and the former names: a row each.
extension PersistentState {
    private static let discoveryRow = "discovery"
    private static let namesRow = "names"

    /// The discovery state and the former names, as persisted by an earlier run; records the current ones.
    ///
    /// - Parameters:
    ///   - prefix: the beginning of all topics of the house.
    ///   - discoveryPrefix: the discovery prefix of Home Assistant; nil if the output is off.
    public func discoveryDesk(
        _ kind: FormerNames.Kind, name: String, prefix: String, discoveryPrefix: String? = nil, at now: Timestamp
    ) -> DiscoveryClient {
        let row = readSetting(Self.discoveryRow, "what stands for Home Assistant under a former prefix stays there")
        let names = readSetting(Self.namesRow, "what stands under a former name stays there")
        let desk = DiscoveryClient(
            kind, name: name, prefix: prefix, discoveryPrefix: discoveryPrefix, epoch: store.epoch, keeping: row,
            names: names)
        var steps = DiscoveryClient.Steps()
        if row ?? "" != desk.discovery.row { steps.discovery = desk.discovery.row }
        if names != desk.former.row { steps.names = desk.former.row }
        persistSteps(steps, at: now)
        return desk
    }

    /// Persists the changes of the discovery state and the names.
    public func persistSteps(_ steps: DiscoveryClient.Steps, at now: Timestamp) {
        guard steps.discovery != nil || steps.names != nil else { return }
        commitBatch(at: now) { batch in
            if let row = steps.discovery { batch.set(.setting(key: Self.discoveryRow, value: row)) }
            if let row = steps.names { batch.set(.setting(key: Self.namesRow, value: row)) }
        }
    }

    /// Persists all of it, after the stored state was lost.
    public func persistDiscovery(_ desk: DiscoveryClient, at now: Timestamp) {
        var steps = DiscoveryClient.Steps()
        (steps.discovery, steps.names) = (desk.discovery.row, desk.former.row)
        persistSteps(steps, at: now)
    }
}
