import Bytes
import WireProtocol
import Testing

@testable import Operator

@Suite struct WhyTextTests {
    static func last(trust: Double?, loudness: Double?, plan: Double? = nil) -> String? {
        let at = Timestamp(microseconds: 1_795_248_000_000_000)
        var why = Explanation(item: "keys", at: at, state: .present, room: "hall", confidence: 0.9, since: at)
        (why.trust, why.loudness, why.plan) = (trust, loudness, plan)
        return WhyText.lines(why, names: NameBook(configuration: nil, environment: [:])).last
    }

    @Test("Print the weight of the lessons, and a louder or fainter tag than the one taught")
    func lessons() {
        #expect(Self.last(trust: nil, loudness: nil) == "Nothing was taught: the nearest node decides.")
        #expect(
            Self.last(trust: nil, loudness: nil, plan: 0.5)
                == "Nothing was taught: the nearest node and the plan of the house decide. No node stands in this room."
        )
        #expect(Self.last(trust: 0.99, loudness: 1.2) == "Lessons decide.")
        #expect(
            Self.last(trust: 0.99, loudness: -8.1)
                == "Lessons decide. It is heard 8 dB fainter than what was taught, which is allowed for.")
        #expect(
            Self.last(trust: 0.8, loudness: 5.6)
                == "Lessons decide to 80 %, the nearest node to 20 %. It is heard 6 dB louder than what was taught, which is allowed for."
        )
        #expect(Self.last(trust: 0.01, loudness: 9) == "Lessons don't fit what is heard: the nearest node decides.")
    }

    @Test("Print the nodes whose reception differs from that in the lessons, if lessons count")
    func changed() {
        let at = Timestamp(microseconds: 1_795_248_000_000_000)
        var why = Explanation(item: "keys", at: at, state: .present, room: "hall", confidence: 0.9, since: at)
        why.nodes = [("door", 4.2), ("shelf", -7.7), ("desk", 1.9), ("new", nil)].map { name, changed in
            var node = Explanation.Node(node: name, room: "hall", state: .heard)
            node.changed = changed
            return node
        }
        func last() -> String? { WhyText.lines(why, names: NameBook(configuration: nil, environment: [:])).last }
        why.trust = 0.99
        let words = "shelf hears 8 dB less, door hears 4 dB more."
        #expect(last() == "Otherwise than when taught, which is allowed for: \(words)")
        why.nodes.removeFirst(2)
        #expect(last() == "Lessons decide.")
        why.trust = 0.01
        why.nodes[0].changed = 9
        #expect(last() == "Lessons don't fit what is heard: the nearest node decides.")
    }

    @Test("Print the item that decides for a person, and those left behind")
    func person() {
        let at = Timestamp(microseconds: 1_795_248_000_000_000)
        var why = Explanation(item: "anna", at: at, state: .present, room: "hall", confidence: 0.9, since: at)
        why.items = [
            PersonReason(item: "phone", state: .present, room: "hall"),
            PersonReason(item: "watch", state: .unknown, room: nil),
            PersonReason(item: "keys", state: .quiet, room: "kitchen", isLeftBehind: true),
        ]
        why.mustHave = ["phone"]
        let lines = WhyText.lines(why, names: NameBook(configuration: nil, environment: [:]))
        #expect(
            lines.dropFirst() == [
                "  ITEM   IS                 SPEAKS", "  phone  in hall            decides",
                "  watch  not known          not", "  keys   quiet, in kitchen  not: it was left behind",
                "Nobody is there without phone.",
            ])
    }

    @Test("Print for a person the nodes that don't listen to the item that decides, and no line where all listen")
    func absentNodes() {
        let at = Timestamp(microseconds: 1_795_248_000_000_000)
        var why = Explanation(item: "anna", at: at, state: .present, room: "hall", confidence: 0.9, since: at)
        why.items = [PersonReason(item: "phone", state: .present, room: "hall")]
        var phone = Explanation(item: "phone", at: at, state: .present, room: "hall", confidence: 0.9, since: at)
        phone.nodes = [
            Explanation.Node(node: "door", room: "hall", state: .heard),
            Explanation.Node(node: "stove", room: "kitchen", state: .offline),
            Explanation.Node(node: "bed", room: "bedroom", state: .missing),
        ]
        let names = NameBook(configuration: nil, environment: [:])
        #expect(
            WhyText.lines(why, deciding: phone, names: names).last
                == "Not listening to phone: stove (offline), bed (not heard of)")
        phone.nodes.removeLast(2)
        #expect(WhyText.lines(why, deciding: phone, names: names) == WhyText.lines(why, names: names))
    }

    @Test("Print for an unknown person that its items are unknown")
    func unknownPerson() {
        let at = Timestamp(microseconds: 1_795_248_000_000_000)
        var why = Explanation(item: "anna", at: at, state: .unknown, room: nil, confidence: 0, since: at)
        let names = NameBook(configuration: nil, environment: [:])
        #expect(WhyText.lines(why, names: names)[0].hasSuffix(": no node listens, or none has heard it"))
        why.items = [PersonReason(item: "phone", state: .unknown, room: nil)]
        let lines = WhyText.lines(why, names: names)
        #expect(lines[0].hasSuffix(": of no item that has a say anything is known"))
        #expect(lines.dropFirst() == ["  ITEM   IS         SPEAKS", "  phone  not known  not"])
    }

    @Test("Sum the parts of a whole to the whole")
    func shares() {
        #expect(Percent.shares([0.715, 0.285]) == [72, 28])
        #expect(Percent.shares([0.284, 0.716]) == [28, 72])
        #expect(Percent.shares([1.0 / 3, 1.0 / 3, 1.0 / 3]) == [34, 33, 33])
        #expect(Percent.shares([0.92, 0.07]) == [92, 7] && Percent.shares([]) == [])
        #expect(Percent.shares([0.995, 0.005]).reduce(0, +) == 100)
    }
}
