import MQTT
import WireProtocol
import Support
import Testing

@Suite(.inTurn, .enabled(if: Broker.isInstalled, Comment(rawValue: Broker.missing)))
struct RequestTests {
    @Test("Send a response topic and correlation data with a request, and return them in the answer")
    func properties() throws {
        let broker = try Broker()
        let node = try Watcher(broker, id: "node", subscribing: [Subscription("ask", qos: .atLeastOnce)])
        let client = try Watcher(broker, id: "client", subscribing: [Subscription("replies/me"), Subscription("mark")])
        #expect(node.waitConnected() && client.waitConnected() && client.waitRoundTrip("mark"))
        var requests: [Message] = []
        for qos in [Message.QualityOfService.atMostOnce, .atLeastOnce] {
            for correlation in [nil, [], [0, 1, 255], Array(repeating: 7, count: 65_535)] as [[UInt8]?] {
                var request = Message(topic: "ask", text: "?", qos: qos)
                request.responseTopic = "replies/me"
                request.correlationData = correlation
                requests.append(request)
            }
        }
        requests.append(Message(topic: "ask", text: "plain", qos: .atLeastOnce))
        for request in requests { client.client.publish(request) }
        #expect(node.wait { $0.messages.count == requests.count })
        #expect(Set(node.messages) == Set(requests))
        for request in node.messages where request.responseTopic != nil {
            var answer = Message(topic: request.responseTopic ?? "", text: "!", qos: .atLeastOnce)
            answer.correlationData = request.correlationData
            node.client.publish(answer)
        }
        #expect(client.wait { $0.messages.count { $0.topic == "replies/me" } == 8 })
        let answers = client.messages.filter { $0.topic == "replies/me" }
        #expect(answers.map { $0.correlationData?.count ?? -1 }.sorted() == [-1, -1, 0, 0, 3, 3, 65_535, 65_535])
        #expect(answers.allSatisfy { $0.responseTopic == nil })
    }

    @Test("Send the same request without them to a broker of MQTT 3.1.1")
    func older() throws {
        let old = try OldBroker(refusingVersion5With: [0x20, 2, 0, 1])
        var configuration = MQTTConfiguration(address: BrokerAddress(host: "127.0.0.1", port: old.port), clientID: "c")
        configuration.backoff = Backoff(first: 0.05, maximum: 0.2)
        let client = try MQTTClient(configuration)
        try client.start()
        defer { client.stop(timeout: 0) }
        var request = Message(topic: "ask", text: "?")
        request.responseTopic = "replies/me"
        request.correlationData = [1]
        #expect(waitUntil(10) { client.isConnected })
        client.publish(request)
        #expect(waitUntil(10) { client.statistics.sent == 1 || client.statistics.refused == 1 })
        #expect(client.statistics.refused == 0)
    }
}
