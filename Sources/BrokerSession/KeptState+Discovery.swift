public import Bytes
internal import Integrations
internal import Store

/// What a publisher has told Home Assistant, and where, and the names that it had before: a row each.
extension KeptState {
    private static let discoveryRow = "discovery"
    private static let namesRow = "names"

    /// What Home Assistant is told, and the names before, as an earlier run kept them; and notes those that there are now.
    ///
    /// - Parameters:
    ///   - prefix: what all topics of the house begin with.
    ///   - discoveryPrefix: where Home Assistant is told; nil where it isn't.
    public func discoveryDesk(
        _ kind: FormerNames.Kind, name: String, prefix: String, discoveryPrefix: String? = nil, at now: Timestamp
    ) -> DiscoveryDesk {
        let row = kept(Self.discoveryRow, "what stands for Home Assistant under a former prefix stays there")
        let names = kept(Self.namesRow, "what stands under a former name stays there")
        let desk = DiscoveryDesk(
            kind, name: name, prefix: prefix, discoveryPrefix: discoveryPrefix, epoch: store.epoch, keeping: row,
            names: names)
        var steps = DiscoveryDesk.Steps()
        if row ?? "" != desk.discovery.row { steps.discovery = desk.discovery.row }
        if names != desk.former.row { steps.names = desk.former.row }
        keep(steps, at: now)
        return desk
    }

    /// Keeps what has changed of what Home Assistant was told, and of names.
    public func keep(_ steps: DiscoveryDesk.Steps, at now: Timestamp) {
        guard steps.discovery != nil || steps.names != nil else { return }
        keep(at: now) { batch in
            if let row = steps.discovery { batch.set(.setting(key: Self.discoveryRow, value: row)) }
            if let row = steps.names { batch.set(.setting(key: Self.namesRow, value: row)) }
        }
    }

    /// Keeps all of it, where what was kept is lost.
    public func keep(_ desk: DiscoveryDesk, at now: Timestamp) {
        var steps = DiscoveryDesk.Steps()
        (steps.discovery, steps.names) = (desk.discovery.row, desk.former.row)
        keep(steps, at: now)
    }

    private func kept(_ key: String, _ consequence: String) -> String? {
        read(consequence) { store throws(StoreError) in try store.settings()[key] } ?? nil
    }
}
