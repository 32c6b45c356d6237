import WireProtocol
import Support

@testable import Fuser
@testable import BrokerSession
import Configuration
import HouseTracking
import System

/// A fuser as it is shipped, but for its line and its clock.
final class ModelFuser {
    let service: FuserService
    let session: Session

    init(_ path: String, _ world: ModelClock, off: @escaping () -> Double, run: UInt64, _ log: Log) throws {
        let clocks = { world.reading(off: off()) }
        let memory = try FuserMemory(path: path, history: .seconds(30 * 86_400), at: clocks().wall, log: log)
        var mqtt = MQTTSettings(url: try BrokerURL("mqtt://broker"))
        mqtt.keepAlive = .seconds(10)
        session = try Session(
            mqtt, clientID: "fuser", statusTopic: Topics().fuserStatus("main"), log: log)
        let pipeline = FuserPipeline(
            settings: Household.Settings(fuser: "main", epoch: memory.epoch), remembering: memory.remembered(),
            lessons: memory.lessons(), undoneLessons: memory.undoneLessons(), alertMemory: memory.alerts(),
            run: "\(run)", positions: memory.positions())
        let file = try FuserConfiguration.load(
            text: "name: main\nmqtt: {url: \"mqtt://broker\"}\n", file: "fuser.yaml")
        service = FuserService(
            pipeline: pipeline, failover: FailoverCoordinator(name: "main", shards: 0...255), memory: memory,
            configuration: ConfigurationInForce(ConfigurationReload(file) { file }, memory.state.overrides()),
            discovery: HouseDiscovery(
                memory.state.discoveryDesk(.fuser, name: "main", prefix: Topics().prefix, at: clocks().wall),
                HouseDescription(fuser: "main", topics: Topics())),
            session: session, loop: try RunLoop(), log: log, notifier: ServiceNotifier(environment: [:]), clocks: clocks
        )
    }
}
