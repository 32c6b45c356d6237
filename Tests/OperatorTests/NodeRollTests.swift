import Bytes
import WireProtocol
import Testing

@testable import Operator

@Suite struct NodeRollTests {
    private func roll(only: String? = nil, connectedAt: Double? = 0, _ lines: String = "") -> NodeRoll {
        var roll = NodeRoll(only: only)
        if let connectedAt { roll.connect(at: .at(connectedAt)) }
        for line in lines.split(separator: "\n") {
            let words = line.split(separator: " ").map(String.init)
            let time = Timestamp.at(Double(words[0]) ?? 0)
            switch words[2] {
            case "scan":
                let length = words.count > 3 ? Double(words[3]) ?? 1 : 1
                let scan = Scan(from: time.advanced(bySeconds: -length), to: time, seq: 1, registry: "", epoch: "e")
                var json = JSONWriter()
                scan.write(to: &json)
                roll.receive(.scan(node: words[1]), json.bytes, at: time)
            default: roll.receive(.nodeStatus(node: words[1]), Array(words[2].utf8), at: time)
            }
        }
        return roll
    }

    @Test("Report the address without a connection, in place of an empty table")
    func unconnected() {
        #expect(roll(connectedAt: nil).obstacle(at: .at(0), broker: "mqtt://b")?.contains("mqtt://b") == true)
        var lost = roll("0 hall online")
        lost.disconnect()
        #expect(lost.obstacle(at: .at(5), broker: "mqtt://b")?.hasPrefix("no connection") == true)
    }

    @Test("Report that no node is online once the retained messages have had time to arrive, with the remedy")
    func nobody() {
        #expect(roll().obstacle(at: .at(1.9), broker: "b") == nil)
        #expect(
            roll().obstacle(at: .at(2), broker: "b")
                == "no node is online at b: start whereabouts-agent on a gateway")
        #expect(
            roll("0 hall offline\n0 attic offline").obstacle(at: .at(2), broker: "b")
                == "no node is online at b (offline: attic, hall): start whereabouts-agent on a gateway")
        #expect(roll("0 hall online").obstacle(at: .at(9), broker: "b") == nil)
    }

    @Test("Report the one requested node by name, and ignore others")
    func one() {
        let text = "0 hall online\n0 attic offline"
        #expect(roll(only: "hall", text).obstacle(at: .at(9), broker: "b") == nil)
        #expect(roll(only: "attic", text).obstacle(at: .at(9), broker: "b")?.hasPrefix("node attic is offline") == true)
        #expect(roll(only: "shed", text).obstacle(at: .at(9), broker: "b")?.hasPrefix("node shed was never") == true)
    }

    @Test("Wait with one table for the second scan of every node that is online")
    func complete() {
        #expect(!roll().isComplete)
        #expect(!roll("0 hall online\n0.4 hall scan").isComplete)
        #expect(roll("0 hall online\n0.4 hall scan\n1.4 hall scan").isComplete)
        #expect(!roll("0 hall online\n0 attic online\n1 hall scan\n2 hall scan").isComplete)
        #expect(roll("0 hall online\n0 attic offline\n1 hall scan\n2 hall scan").isComplete)
        #expect(roll("0 hall online\n60 hall scan 60").longestWait == 152)
    }

    @Test("Report a node that is online and sends nothing")
    func silent() {
        let silent = roll("0 hall online\n3 hall scan\n0 attic online\n14 attic scan")
        #expect(silent.notices(at: .at(12)) == [])
        #expect(silent.notices(at: .at(14)) == ["node hall is online and silent for 11 s: look at its log"])
        #expect(roll("0 hall online\n60 hall scan 60").notices(at: .at(200)) == [])
    }

    @Test("Ignore payloads that no node sends")
    func hostile() {
        var roll = roll("0 hall online")
        roll.receive(.scan(node: "hall"), Array("{".utf8), at: .at(1))
        roll.receive(.nodeInfo(node: "hall"), [0xFF], at: .at(1))
        roll.receive(nil, [], at: .at(1))
        for number in 0..<2000 { roll.receive(.nodeStatus(node: "n\(number)"), Array("online".utf8), at: .at(1)) }
        #expect(roll.online.count == NodeRoll.capacity)
        #expect(!roll.isComplete)
    }
}
