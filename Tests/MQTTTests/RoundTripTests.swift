import MQTT
import WireProtocol
import Support
import Testing

@testable import MQTT

@Suite(.inTurn, .enabled(if: Broker.isInstalled, Comment(rawValue: Broker.missing)))
struct RoundTripTests {
    @Test func messagesOfBothQualitiesArriveAsTheyWerePublished() throws {
        let broker = try Broker()
        let watcher = try Watcher(broker, id: "a", subscribing: [Subscription("t/#", qos: .atLeastOnce)])
        #expect(watcher.waitConnected())
        let sent = [
            Message(topic: "t/0", payload: [0, 1, 255], qos: .atMostOnce),
            Message(topic: "t/1", payload: [0, 1, 254], qos: .atLeastOnce),
            Message(topic: "t/empty", payload: [], qos: .atLeastOnce),
        ]
        for message in sent { #expect(watcher.client.publish(message) == .queued) }
        #expect(watcher.wait { $0.messages.count == 3 })
        #expect(watcher.messages == sent)
        #expect(watcher.client.waitUntilUnsent(below: 1, timeout: 10))
        #expect(watcher.client.statistics.sent == 3)
        #expect(watcher.client.statistics.dropped == 0)
        #expect(watcher.changes == ["connected"])
    }

    @Test func aLateSubscriberSeesWhatIsRetainedUntilItIsCleared() throws {
        let broker = try Broker()
        let publisher = try Watcher(broker, id: "publisher", subscribing: [Subscription("mark")])
        #expect(publisher.waitConnected())
        publisher.client.publish(Message(topic: "state", text: "online", qos: .atLeastOnce, retained: true))
        #expect(publisher.waitRoundTrip("mark"))
        let late = try Watcher(broker, id: "late", subscribing: [Subscription("state", qos: .atLeastOnce)])
        #expect(late.wait { $0.texts("state") == ["online"] })
        #expect(late.messages.first?.retained == true)
        publisher.client.publish(Message(topic: "state", text: "", qos: .atLeastOnce, retained: true))
        #expect(late.wait { $0.texts("state") == ["online", ""] })
        let later = try Watcher(broker, id: "later", subscribing: [Subscription("state"), Subscription("mark")])
        #expect(later.waitConnected())
        #expect(later.waitRoundTrip("mark"))
        #expect(later.texts("state") == [])
    }

    @Test func theWillIsPublishedAfterACrashAndNotAfterAStop() throws {
        let broker = try Broker()
        let watcher = try Watcher(broker, id: "watcher", subscribing: [Subscription("+/status", qos: .atLeastOnce)])
        #expect(watcher.waitConnected())
        for name in ["stopped", "crashed"] {
            let node = try Watcher(broker, id: name) {
                $0.will = Message(topic: "\(name)/status", text: "offline", qos: .atLeastOnce, retained: true)
            }
            #expect(node.waitConnected())
            if name == "crashed" { node.client.abandon() } else { node.client.stop(timeout: 1) }
        }
        #expect(watcher.wait { $0.texts("crashed/status") == ["offline"] })
        #expect(watcher.texts("stopped/status") == [])
    }

    @Test func whatWaitsGoesOutBeforeAStop() throws {
        let broker = try Broker(["max_queued_messages 0"])
        let watcher = try Watcher(broker, id: "watcher", subscribing: [Subscription("t", qos: .atLeastOnce)])
        #expect(watcher.waitConnected())
        let publisher = try Watcher(broker, id: "publisher")
        #expect(publisher.waitConnected())
        for number in 0..<500 {
            publisher.client.publish(
                Message(topic: "t", text: "\(number)", qos: number % 2 == 0 ? .atLeastOnce : .atMostOnce))
        }
        publisher.client.stop(timeout: 10)
        #expect(publisher.client.unsent == 0)
        #expect(publisher.client.statistics.dropped == 0)
        #expect(publisher.client.publish(Message(topic: "t", text: "late")) == .stopped)
        #expect(watcher.wait { $0.messages.count == 500 })
    }

    @Test func theLastMessageOfAClientComesAfterAllOthersAlsoWhereAnEarlierOneOfItsTopicWaits() throws {
        let broker = try Broker()
        let watcher = try Watcher(broker, id: "watcher", subscribing: [Subscription("#", qos: .atLeastOnce)])
        #expect(watcher.waitConnected())
        let publisher = try Watcher(broker, id: "publisher")
        #expect(publisher.waitConnected())
        let status = { Message(topic: "status", text: $0, qos: .atLeastOnce, retained: true) }
        // So that all but the first wait.
        publisher.client.limit(to: 1)
        for number in 0..<300 {
            publisher.client.publish(Message(topic: "t", text: "\(number)", qos: .atLeastOnce))
            if number == 0 { publisher.client.publish(status("online")) }
        }
        publisher.client.stop(timeout: 10, last: status("offline"))
        #expect(watcher.wait { $0.messages.count == 302 })
        #expect(watcher.texts("status") == ["online", "offline"] && watcher.messages.last?.topic == "status")
    }

    @Test func aFastReplayThatPacesItselfLosesNothing() throws {
        let broker = try Broker(["max_queued_messages 0"])
        let total = 50_000
        let watcher = try Watcher(broker, id: "watcher", subscribing: [Subscription("t")])
        #expect(watcher.waitConnected())
        let publisher = try Watcher(broker, id: "publisher")
        #expect(publisher.waitConnected())
        let client = publisher.client
        for number in 0..<total {
            if client.unsent >= 2000 { #expect(client.waitUntilUnsent(below: 1000, timeout: 20)) }
            guard client.publish(Message(topic: "t", text: "\(number)")) == .queued else {
                Issue.record("message \(number) was refused")
                break
            }
            if number % 500 == 0 { _ = watcher.wait(0) { _ in true } }
        }
        #expect(client.waitUntilUnsent(below: 1, timeout: 20))
        // The connection, the answer to its subscription and the end of answers are events too.
        #expect(watcher.wait(20) { $0.events.count == total + 3 })
        let texts = watcher.texts("t")
        #expect(texts.count == total)
        let wrong = texts.indices.first { texts[$0] != "\($0)" }
        #expect(wrong == nil)
        #expect(watcher.client.statistics.droppedInbox == 0)
    }

    @Test func aHugeMessageIsNeverTakenAndNothingElseIsLost() throws {
        let broker = try Broker()
        let watcher = try Watcher(broker, id: "watcher", subscribing: [Subscription("t", qos: .atLeastOnce)])
        #expect(watcher.waitConnected())
        let publisher = try Watcher(broker, id: "publisher") { $0.outgoing.bytes = 32 << 20 }
        #expect(publisher.waitConnected())
        for qos in [Message.QualityOfService.atMostOnce, .atLeastOnce] {
            publisher.client.publish(topic: "t", payload: [UInt8](repeating: 7, count: 5 << 20), qos: qos)
        }
        publisher.client.publish(Message(topic: "t", text: "after", qos: .atLeastOnce))
        #expect(publisher.client.waitUntilUnsent(below: 1, timeout: 20))
        #expect(watcher.wait { $0.texts("t") == ["after"] })
        #expect(watcher.changes == ["connected"])
    }

    @Test func aProgramThatTakesNothingIsNotDrowned() throws {
        let broker = try Broker(["max_queued_messages 0"])
        let watcher = try Watcher(broker, id: "watcher", subscribing: [Subscription("t", qos: .atLeastOnce)]) {
            $0.incoming = MQTTConfiguration.Bound(messages: 100, bytes: 1 << 20)
        }
        // The watcher's events are not taken, so the broker tells it.
        #expect(waitUntil(10) { broker.log.contains("Sending SUBACK to watcher") })
        let publisher = try Watcher(broker, id: "publisher")
        #expect(publisher.waitConnected())
        for _ in 0..<200 { publisher.client.publish(Message(topic: "t", text: "sample")) }
        for _ in 0..<200 { publisher.client.publish(Message(topic: "t", text: "event", qos: .atLeastOnce)) }
        #expect(waitUntil(10) { watcher.client.statistics.received == 400 })
        #expect(watcher.client.statistics.droppedInbox == 300)
        #expect(watcher.wait { $0.messages.count == 100 })
        #expect(watcher.texts("t").filter { $0 == "event" }.count == 25)
    }

    @Test func theLimitsOfABrokerRefuseAMessageAndSaySo() throws {
        let broker = try Broker(["max_packet_size 1000"])
        let watcher = try Watcher(broker, id: "a", subscribing: [Subscription("t")])
        #expect(watcher.waitConnected())
        watcher.client.publish(topic: "t", payload: [UInt8](repeating: 7, count: 2000), qos: .atLeastOnce)
        watcher.client.publish(topic: "t", payload: [UInt8](repeating: 7, count: 2000), qos: .atMostOnce)
        #expect(watcher.waitRoundTrip("t"))
        #expect(watcher.wait { $0.client.statistics.refused == 2 })
        #expect(watcher.changes == ["connected", "publish refused"])
        #expect(watcher.client.waitUntilUnsent(below: 1, timeout: 10))
    }

    @Test func malformedTopicsAndFiltersAreRefusedAtOnce() throws {
        let client = try MQTTClient(
            MQTTConfiguration(address: BrokerAddress(host: "127.0.0.1", port: 1), clientID: "a"))
        for topic in ["", "a/+", "#", "a\u{0}b"] {
            #expect(client.publish(Message(topic: topic, text: "")) == .invalid)
        }
        #expect(throws: MQTTError.self) { try client.subscribe([Subscription("a/#/b")]) }
        #expect(throws: MQTTError.self) {
            try client.subscribe((0...1024).map { Subscription("windows/\($0)") })
        }
    }
}
