internal import BrokerSession
internal import Bytes
internal import Identity
internal import WebInterface
internal import WireProtocol

/// Files of items that somebody drops on the page.
extension FuserService {
    /// Registers the items of a file, all of them or none, as `whereabouts items import` does; or shows what that would do.
    func importItems(_ request: ItemImport, by user: String) -> PageRequest.Answer {
        let comparison = ItemsComparison(request.document, with: pipeline.registry.book)
        guard !request.isPreview else { return .report(comparison.json(isPreview: true)) }
        guard comparison.faults.isEmpty else { return .faulty(comparison.faults) }
        guard session.isConnected else { return Self.withoutBroker(keeping: "registry") }
        let now = wall
        for change in comparison.changes {
            let known = pipeline.registry.entry(change.id)
            publish(change.entry(at: known?.successor(at: now) ?? now), by: user)
        }
        return .report(comparison.json(isPreview: false))
    }
}
