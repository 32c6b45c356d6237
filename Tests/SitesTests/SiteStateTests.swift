import Bytes
import Configuration
import Identity
import Support
import Testing
import WireProtocol

@testable import Sites

/// The state of a site: messages in, figures and found items out.
@Suite struct SiteStateTests {
    @Test("Count fusers, nodes, items, persons and alerts of a house, and find its items by id, name and tag")
    func house() throws {
        var look = Look()
        look.hear("fuser/main/status", "online")
        look.hear("fuser/reserve/status", "offline")
        look.hear("nodes/kitchen/status", "online")
        look.hear("nodes/attic/status", "offline")
        look.register("pump-17", name: "Infusion pump", tags: ["ward_3"])
        look.register("bed-2", name: "Bett für Ältere")
        look.hear("items/pump-17/location", Look.location("present", room: "ward", confidence: 0.9))
        look.hear("items/bed-2/location", Look.location("away"))
        look.hear("items/anna/location", Look.location("quiet", room: "hall", person: "Anna"))
        look.hear("items/pump-17/alert", #"{"v":1,"fuser":"main","alerts":[{"alert":"a"},{"alert":"b"}]}"#)
        let figures = look.state.figures
        #expect(figures.status == .online && figures.alerts == 2)
        #expect((figures.fusersOnline, figures.fusers) == (1, 2) && (figures.nodesOnline, figures.nodes) == (1, 2))
        #expect((figures.items, figures.itemsPresent, figures.itemsAway) == (2, 1, 1))
        #expect((figures.persons, figures.personsPresent, figures.personsAway) == (1, 1, 0))
        #expect(figures.leftOut == SiteFigures.LeftOut())

        #expect(look.find("PUMP") == ["pump-17"] && look.find("ward_3 17") == ["pump-17"])
        #expect(look.find("ältere") == ["bed-2"] && look.find("ann") == ["anna"] && look.find("ward hall") == [])
        let pump = try #require(look.state.find(SearchWords("infusion")!, bound: 1).first)
        #expect(pump.room == "ward" && pump.confidence == 0.9 && pump.name == "Infusion pump" && !pump.isPerson)

        // A topic that the broker clears is gone, and a tombstone removes the name alone.
        look.hear("items/pump-17/location", "")
        look.hear("items/pump-17/alert", "")
        #expect(look.state.figures.alerts == 0 && look.state.figures.items == 2)
        look.hear("items/pump-17/config", #"{"v":1,"id":"pump-17","removed":1753862400}"#)
        #expect(look.state.figures.items == 1 && look.find("pump") == [])
    }

    @Test("Leave out items beyond the limit and say how many, whatever the order of their messages")
    func itemLimit() {
        var look = Look(items: 3)
        for number in 0..<10 {
            look.hear("items/tag-\(number)/location", Look.location("present", room: "hall"))
            look.register("tag-\(number)", name: "Tag")
        }
        #expect(look.state.figures.items == 3 && look.state.figures.leftOut.items == 7)
        #expect(look.state.find(SearchWords("tag")!, bound: 2).count == 2)
        // Room that becomes free is used.
        look.hear("items/tag-0/location", "")
        look.hear("items/tag-0/config", "")
        look.register("tag-9", name: "Tag")
        #expect(look.state.figures.items == 3 && look.state.figures.leftOut.items == 6)
    }

    @Test("Leave out messages beyond the rate and say how many, after what a broker retains may come at once")
    func rate() {
        var look = Look(items: 10, rate: 5)
        let burst = 3 * 10 + 1000 + 5
        for _ in 0..<(burst + 200) { look.hear("nodes/kitchen/status", "online") }
        #expect(look.state.figures.leftOut.messages == 200)
        look.pass(1)
        for _ in 0..<20 { look.hear("nodes/kitchen/status", "online") }
        #expect(look.state.figures.leftOut.messages == 215)
        // Messages that the connection has dropped itself are added.
        look.state.set(dropped: 7)
        #expect(look.state.figures.leftOut.messages == 222)
    }

    @Test("Show the id in place of a name that is too long or would control a terminal")
    func names() {
        var look = Look()
        look.hear("items/alma/location", Look.location("away", person: String(repeating: "a", count: 129)))
        look.hear("items/anna/location", Look.location("away", person: "A\\u001b[2Jnna"))
        look.hear("items/bert/location", Look.location("away", person: "B\\u202eert"))
        look.hear("items/carl/location", Look.location("away", person: "Carl"))
        let found = look.state.find(SearchWords("a")!, bound: 9) + look.state.find(SearchWords("bert")!, bound: 9)
        #expect(found.map(\.name) == ["Carl", nil, nil, nil] && look.state.figures.leftOut.names == 3)
    }

    @Test("Count what can't be read, and take nothing from it", arguments: HostilePayload.all)
    func hostile(payload: HostilePayload) {
        let honest = Array(Look.location("present", room: "hall").utf8)
        for key in 0..<HostilePayload.keys(of: honest) {
            var look = Look()
            for kind in ["location", "alert", "config"] {
                look.hear("items/keys/\(kind)", bytes: payload.payload(of: honest, key: key))
            }
            look.hear("nodes/kitchen/status", bytes: payload.payload(of: honest, key: key))
            let figures = look.state.figures
            #expect(figures.items <= 1 && figures.nodesOnline == 0)
            if payload.isNoObject { #expect(figures.items == 0 && figures.leftOut.unreadable == 3) }
            var json = JSONWriter()
            figures.write(look.site, to: &json)
        }
    }

    @Test("Ignore topics of another prefix, and names that are none")
    func topics() {
        var look = Look()
        look.hear(full: "elsewhere/nodes/kitchen/status", "online")
        look.hear("nodes/Kit chen/status", "online")
        look.hear("items/away/location", Look.location("present", room: "hall"))
        #expect(look.state.figures.nodes == 0 && look.state.figures.items == 0)
    }

    @Test("Be silent after 30 s without a message, since the last one, and online again with the next")
    func silence() {
        var look = Look()
        look.hear("fuser/main/claim", "{}", isRetained: false)
        let last = look.time
        look.pass(29)
        #expect(look.state.figures.status == .online && look.state.figures.since == look.begin)
        look.pass(1)
        #expect(look.state.figures.status == .silent && look.state.figures.since == last)
        #expect(look.state.figures.lastMessage == last)
        // A retained message is no sign of life.
        look.hear("nodes/kitchen/status", "online")
        #expect(look.state.figures.status == .silent)
        look.hear("fuser/main/claim", "{}", isRetained: false)
        #expect(look.state.figures.status == .online && look.state.figures.since == look.time)
    }

    @Test("Keep what was known without a connection, with its age, and forget it for what comes with the next")
    func outage() {
        var look = Look()
        look.hear("items/keys/location", Look.location("present", room: "hall"))
        look.pass(5)
        look.state.lost("connection refused", at: look.time)
        let lost = look.time
        look.pass(60)
        look.state.lost("no route to host", at: look.time)
        var figures = look.state.figures
        #expect(figures.status == .unreachable && figures.since == lost && figures.problem == "no route to host")
        #expect(figures.items == 1 && look.find("keys") == ["keys"])
        look.state.connected(at: look.now, look.time)
        figures = look.state.figures
        #expect(figures.status == .online && figures.items == 0 && figures.problem == nil)
        // A right that was denied and is granted needs no other connection.
        look.state.lost("denied", at: look.time)
        look.state.granted(at: look.now, look.time)
        #expect(look.state.figures.status == .online)
    }

    @Test("Tell a house that says nothing from one that lives, at the end of a short look")
    func short() {
        var look = Look()
        look.hear("items/keys/location", Look.location("present", room: "hall"))
        var quiet = look.state
        quiet.conclude(at: look.time)
        #expect(quiet.figures.status == .silent && quiet.figures.since == Look.moment)
        look.hear("fuser/main/claim", "{}", isRetained: false)
        look.state.conclude(at: look.time)
        #expect(look.state.figures.status == .online)
    }
}

/// A site on a virtual clock.
private struct Look {
    static let moment = Timestamp(microseconds: 1_753_862_400_000_000)

    let site: Site
    var state: SiteState
    let begin = moment.advanced(bySeconds: 100)
    private(set) var time: Timestamp
    private(set) var now = MonotonicTime.start + .seconds(1000)

    init(items: Int = 5000, rate: Int = 500) {
        var site = Site(id: "north", mqtt: MQTTSettings(url: try! BrokerURL("mqtt://a")))
        (site.limit.items, site.limit.messagesPerSecond) = (items, rate)
        self.site = site
        time = begin
        state = SiteState(site, at: time)
        state.connected(at: now, time)
    }

    mutating func pass(_ seconds: Int) {
        now = now + .seconds(seconds)
        time = time.advanced(by: .seconds(seconds))
        state.advance(to: now, time)
    }

    mutating func hear(_ topic: String, _ text: String, isRetained: Bool = true) {
        hear(full: "whereabouts/\(topic)", text, isRetained: isRetained)
    }

    mutating func hear(_ topic: String, bytes: [UInt8]) {
        state.receive(Message(topic: "whereabouts/\(topic)", payload: bytes, retained: true), at: now, time)
    }

    mutating func hear(full topic: String, _ text: String, isRetained: Bool = true) {
        state.receive(Message(topic: topic, text: text, retained: isRetained), at: now, time)
    }

    mutating func register(_ id: String, name: String, tags: [String] = []) {
        var item = Item(id: id, name: name, identities: [.address(UInt64(id.utf8.count) + 1)], expectedInterval: nil)
        item.tags = tags
        hear("items/\(id)/config", bytes: ItemChange(ItemEntry(item, at: Self.moment)).payload)
    }

    func find(_ text: String) -> [String] { state.find(SearchWords(text)!, bound: 10).map(\.id) }

    static func location(
        _ state: String, room: String? = nil, confidence: Double = 1, person: String? = nil
    ) -> String {
        let name = person.map { #""person":true,"name":"\#($0)","# } ?? ""
        let place = room.map { #""room":"\#($0)","# } ?? ""
        return #"{"v":1,"fuser":"main",\#(name)"state":"\#(state)",\#(place)"confidence":\#(confidence),"#
            + #""since":1753862400,"at":1753862400}"#
    }
}
