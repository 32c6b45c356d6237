import Bytes
import Configuration
import Identity
import Testing
import WireProtocol

@testable import Sites

/// The search over all sites of a page.
@Suite struct SitesSearchTests {
    private let time = Timestamp(microseconds: 1_753_862_400_000_000)
    private let now = MonotonicTime.start + .seconds(1000)

    /// A site with so many pumps.
    private func site(
        _ id: String, _ pumps: Int, limit: Int = 5000
    ) throws -> (site: Site, state: SiteState) {
        var site = Site(id: id, mqtt: MQTTSettings(url: try BrokerURL("mqtt://a")))
        (site.name, site.limit.items) = ("Clinic \(id)", limit)
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

    private func hear(_ topic: String, _ text: String, in state: inout SiteState, isRetained: Bool = true) {
        state.receive(Message(topic: "whereabouts/\(topic)", text: text, retained: isRetained), at: now, time)
    }

    /// The same site, after a claim that its fuser has published since the connection.
    private func alive(_ site: (site: Site, state: SiteState)) -> (site: Site, state: SiteState) {
        var site = site
        hear("fuser/main/claim", "{}", in: &site.state, isRetained: false)
        return site
    }

    private func answer(_ states: [(site: Site, state: SiteState)]) throws -> String {
        let words = try #require(SearchWords("pump"))
        return String(decoding: SitesWatch.answer(words, in: states), as: UTF8.self)
    }

    @Test("Name the sites that a search did not reach wholly, whatever it finds there")
    func incomplete() throws {
        let whole = alive(try site("whole", 1))
        #expect(try answer([whole]).hasSuffix(#"],"more":false,"incomplete":[]}"#))

        let early = try site("early", 1)
        var lost = alive(try site("lost", 1))
        lost.state.lost("connection refused", at: time)
        var silent = alive(try site("silent", 0))
        silent.state.advance(to: now + SiteState.silence, time)
        let full = alive(try site("full", 2, limit: 1))
        var unnamed = alive(try site("unnamed", 1))
        let name = String(repeating: "p", count: 129)
        hear(
            "items/anna/location",
            #"{"v":1,"fuser":"main","person":true,"name":"\#(name)","state":"away","confidence":1,"since":1,"at":1}"#,
            in: &unnamed.state)
        var unread = alive(try site("unread", 1))
        hear("items/pump-100/config", "{{{", in: &unread.state)
        var dropped = alive(try site("dropped", 1))
        dropped.state.set(dropped: 1)
        for one in [early, lost, silent, full, unnamed, unread, dropped] {
            let text = try answer([whole, one, whole])
            #expect(text.hasSuffix(#"],"more":false,"incomplete":["\#(one.site.name)"]}"#), "\(text)")
        }
        #expect(try answer([lost, whole, full]).hasSuffix(#""incomplete":["Clinic lost","Clinic full"]}"#))
    }

    @Test("Have all of a site again with its next connection, after which the broker sends all that it retains")
    func completeAgain() throws {
        var one = alive(try site("north", 1))
        one.state.set(dropped: 3)
        hear("items/pump-100/config", "{{{", in: &one.state)
        #expect(!one.state.isWhole)
        one.state.connected(at: now, time)
        #expect(!one.state.isWhole)
        hear("fuser/main/claim", "{}", in: &one.state, isRetained: false)
        #expect(one.state.isWhole)
        one.state.set(dropped: 4)
        #expect(!one.state.isWhole)
    }
}
