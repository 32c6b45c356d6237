import Bytes
import Configuration
import Identity
import Testing
import WireProtocol

@testable import Sites

/// The search over all sites of a page.
@Suite struct SitesSearchTests {
    /// A site with so many pumps.
    private func site(_ id: String, _ pumps: Int) throws -> (site: Site, state: SiteState) {
        let time = Timestamp(microseconds: 1_753_862_400_000_000)
        let now = MonotonicTime.start + .seconds(1000)
        let site = Site(id: id, mqtt: MQTTSettings(url: try BrokerURL("mqtt://a")))
        var state = SiteState(site, at: time)
        state.connected(at: now, time)
        for number in 0..<pumps {
            let pump = Item(
                id: "pump-\(100 + number)", name: "Pump", identities: [.address(UInt64(number) + 1)],
                expectedInterval: nil)
            state.receive(
                Message(
                    topic: "whereabouts/items/\(pump.id)/config",
                    payload: ItemChange(ItemEntry(pump, at: time)).payload, retained: true), at: now, time)
        }
        return (site, state)
    }

    @Test(
        "Take in turn from each site what a search finds",
        arguments: [
            ([200, 3, 200], [24, 3, 23], true), ([50, 1], [49, 1], true), ([49, 1], [49, 1], false),
            ([0, 2], [0, 2], false),
            ([60], [50], true), ([1, 1, 80], [1, 1, 48], true), ([], [], false),
        ])
    func turns(pumps: [Int], found: [Int], hasMore: Bool) throws {
        let states = try pumps.enumerated().map { try site("site-\($0.offset)", $0.element) }
        let words = try #require(SearchWords("pump"))
        let result = SitesWatch.find(words, in: states)
        #expect(states.map { state in result.items.count { $0.site.id == state.site.id } } == found)
        #expect(result.hasMore == hasMore && found.reduce(0, +) <= SitesWatch.foundBound)
        // In the order of the file, and of each site the first ones.
        #expect(result.items.map(\.site.id) == result.items.map(\.site.id).sorted())
        #expect(result.items.isEmpty || result.items[0].item.id == "pump-100")
    }
}
