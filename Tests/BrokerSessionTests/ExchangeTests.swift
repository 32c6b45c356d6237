import BrokerSession
import Configuration
import Support
import System
import Testing
import WireProtocol

/// The connection of a command, which has ten seconds for it.
@Suite(.inTurn, .enabled(if: Broker.isInstalled, Comment(rawValue: Broker.missing)))
struct ExchangeTests {
    @Test("Turn to the next of several brokers while the first accepts connections and says nothing")
    func silentBroker() throws {
        let broker = try Broker()
        let silent = try SilentAddress(port: broker.port, accepts: true)
        var settings = MQTTSettings(url: try BrokerURL("mqtt://\(SilentAddress.host):\(broker.port)"))
        // Four share the ten seconds.
        settings.others = Array(repeating: try BrokerURL(broker.url), count: 3)
        let exchange = try Exchange(
            settings, topics: Topics(), name: "test", log: Log(environment: [:], level: .error))
        defer { exchange.end() }
        try exchange.waitUntilConnected(timeout: 8)
        try exchange.publish([Message(topic: "t", text: "x", qos: .atLeastOnce)])
        withExtendedLifetime(silent) {}
    }
}
