import Bytes
import Identity
import Store
import Support
import System
import WireProtocol

@testable import BrokerSession
@testable import Fuser
@testable import MQTT

/// A fuser without a line: a test gives it the messages, and reads its audit.
final class AuditedFuser {
    static let topics = Topics()
    private let clock: ModelClock
    private let fuser: ModelFuser

    var service: FuserService { fuser.service }

    /// Starts it on a state.
    init(_ state: String, _ clock: ModelClock) throws {
        self.clock = clock
        fuser = try ModelFuser(state, clock, off: { 0 }, run: 1, Log(environment: [:], level: .error))
    }

    /// Ends it as a signal does.
    func end() {
        service.storeAudit(isLast: true)
        service.memory.close(at: now)
    }

    /// Ends it without a last word: rows that it counts are lost.
    func kill() { service.memory.close(at: now) }

    var now: Timestamp { clock.reading(off: 0).wall }

    /// The rows of its audit.
    var rows: [AuditRecord] {
        get throws {
            service.persistAudit()
            return try service.memory.store.audit(after: 0, limit: 1000)
        }
    }

    /// The transactions of its store.
    var transactions: UInt64 { service.memory.store.statistics.transactions }

    func receive(_ topic: String, _ payload: [UInt8], retained: Bool = false) {
        service.receive(Message(topic: topic, payload: payload, retained: retained), at: now)
    }

    /// Receives an entry with a date so many seconds from now.
    func receiveEntry(_ item: String, name: String, dated seconds: Double = 0, retained: Bool = false) {
        let entry = ItemEntry(
            Item(id: item, name: name, identities: [.address(7)], expectedInterval: nil),
            at: now.advanced(bySeconds: seconds))
        receive(Self.topics.itemConfig(item), ItemChange(entry).payload, retained: retained)
    }

    /// Receives a removal that the broker retained, with a date so many seconds from now.
    func receiveRemoval(_ item: String, dated seconds: Double) {
        let entry = ItemEntry(removed: item, at: now.advanced(bySeconds: seconds))
        receive(Self.topics.itemConfig(item), ItemChange(entry).payload, retained: true)
    }

    /// Receives the `info` of the kitchen's node, with a setting.
    func receiveInfo(offset: Int, retained: Bool = false) {
        var info = NodeInfo(
            version: "1", room: "kitchen", adapter: "hci0", started: ModelClock.begin, epoch: "5f1c09aa", window: 1,
            publishesAll: true, registry: "")
        info.offset = offset
        var json = JSONWriter()
        info.write(to: &json)
        receive(Self.topics.nodeInfo("kitchen"), json.bytes, retained: retained)
    }

    /// Connects it, receives what the broker retains, and waits until it takes that for all.
    func readRetained(_ messages: () -> Void) {
        connect()
        messages()
        clock.pass(15)
        service.processTurn()
        service.storeAudit(isLast: false)
        disconnect()
    }

    /// Tells its session of a connection that there is none behind.
    func connect() {
        let client = fuser.session.client
        _ = client.outbox.beginRunning()
        _ = client.outbox.connected()
        client.inbox.deliver(.connected(sessionPresent: false))
        service.processTurn()
    }

    /// Ends that connection.
    func disconnect() { fuser.session.client.outbox.endRunning() }
}
