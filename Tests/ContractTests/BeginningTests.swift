import Dispatch
import WireProtocol
import Support
import Testing

@testable import Agent
@testable import MQTT
@testable import BrokerSession
import System

/// How a node that replays begins with its broker.
struct BeginningTests {
    @Test("A recording waits until the node has said that it is there, however late the word of its connection comes")
    func online() throws {
        let folder = try TemporaryFolder()
        let agent = try ModelAgent(
            folder.file("agent.sqlite"), ModelClock(), off: { 0 }, events: 100, Log(environment: [:], level: .error))
        let client = agent.service.session.client
        // No thread of the client's own: it would tell of the connection as soon as it has it.
        _ = client.outbox.beginRunning()
        defer { client.outbox.endRunning() }
        _ = client.outbox.connected()
        DispatchQueue(label: "client").asyncAfter(deadline: .now() + 0.05) {
            client.inbox.deliver(.connected(sessionPresent: false))
        }
        #expect(try agent.service.waitForBroker() == false)
        _ = try agent.service.beginRecording()
        let topics = Topics()
        #expect(client.outbox.next(acceptingAcknowledged: true)?.topic == topics.nodeStatus("hall"))
    }
}
