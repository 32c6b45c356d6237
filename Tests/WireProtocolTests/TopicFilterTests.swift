import WireProtocol
import Support
import Testing

struct TopicFilterTests {
    @Test(arguments: [
        ("a/b", "a/b", true), ("a/b", "a/b/c", false), ("a/b/c", "a/b", false), ("a/b", "A/b", false),
        ("a/+", "a/b", true), ("a/+", "a", false), ("a/+", "a/", true), ("+", "a", true), ("+", "/a", false),
        ("+/+", "/a", true), ("/+", "/a", true), ("+/b/+", "a/b/c", true), ("+/b/+", "a/c/c", false),
        ("#", "a/b/c", true), ("#", "/", true), ("a/#", "a", true), ("a/#", "a/b/c", true), ("a/#", "ab", false),
        ("a/+/#", "a/b", true), ("a/+/#", "a", false), ("a//b", "a//b", true), ("a/+/b", "a//b", true),
        ("#", "$SYS/x", false), ("+/x", "$SYS/x", false), ("$SYS/#", "$SYS/x", true), ("a/#", "a/$x", true),
        ("é/+", "é/ü", true),
    ])
    func filtersMatchAsTheSpecificationSays(filter: String, topic: String, matches: Bool) {
        #expect(TopicFilter.matches(filter, topic) == matches)
    }

    @Test(arguments: ["", "a+", "a/+b", "+a/b", "a#", "#/a", "a/#/b", "##", "++", "a\u{0}b"])
    func malformedFiltersMatchNothing(filter: String) {
        #expect(!TopicFilter.isValid(filter))
        #expect(!TopicFilter.matches(filter, "a"))
        #expect(!TopicFilter.matches(filter, "a/b"))
    }

    @Test func lengthsAreThoseOfTheWire() {
        #expect(TopicFilter.isValid(String(repeating: "a", count: 65535)))
        #expect(!TopicFilter.isValid(String(repeating: "a", count: 65536)))
        #expect(!TopicFilter.isValidTopic(String(repeating: "é", count: 32768)))
        #expect(!TopicFilter.isValidTopic("a/+"))
    }
}

struct InMemoryBrokerTests {
    @Test func aLateSubscriberSeesWhatIsRetained() {
        var broker = InMemoryBroker()
        broker.connect("node", will: Message(topic: "status", text: "offline", retained: true))
        broker.publish(Message(topic: "status", text: "online", qos: .atLeastOnce, retained: true))
        broker.connect("watcher")
        broker.subscribe("watcher", to: "+")
        #expect(
            broker.takeMessages(for: "watcher") == [
                Message(topic: "status", text: "online", qos: .atLeastOnce, retained: true)
            ])
        broker.vanish("node")
        #expect(broker.takeMessages(for: "watcher") == [Message(topic: "status", text: "offline")])
        broker.publish(Message(topic: "status", text: "", retained: true))
        #expect(broker.retainedMessages.isEmpty)
        #expect(!broker.isSettled)
    }

    @Test func everySubscriberGetsOneCopyInOrder() {
        var broker = InMemoryBroker()
        for id in ["a", "b"] {
            broker.connect(id, will: Message(topic: "t/will", text: id))
            broker.subscribe(id, to: "t/#", qos: .atMostOnce)
            broker.subscribe(id, to: "t/+")
        }
        for number in 0..<3 { broker.publish(Message(topic: "t/x", text: "\(number)", qos: .atLeastOnce)) }
        broker.disconnect("a")
        #expect(
            broker.takeMessages(for: "b") == (0..<3).map { Message(topic: "t/x", text: "\($0)", qos: .atLeastOnce) })
        #expect(broker.takeMessages(for: "a").isEmpty)
    }
}
