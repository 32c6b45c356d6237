internal import Bytes
internal import Configuration
internal import Identity
public import Integrations
internal import System
internal import WireProtocol

extension FuserPipeline {
    /// Subscribes to other systems, before the first message.
    ///
    /// - Parameters:
    ///   - aliases: items by names that they have there.
    ///   - keys: items by their identity resolving keys, which are not published.
    ///   - areRoomsNamed: true if the configuration names the house's rooms; otherwise a node's own name is a room.
    public func listen(
        to inputs: IntegrationInputs, aliases: [String: String] = [:], keys: [[UInt8]: String] = [:],
        areRoomsNamed: Bool = false
    ) {
        external.listen(
            to: ExternalReadings(inputs, aliases: aliases, keys: keys, areRoomsNamed: areRoomsNamed), turn)
    }

    /// Applies other identity resolving keys, as after their files were read again.
    func use(externalKeys keys: [[UInt8]: String]) { external.use(keys: keys) }

    /// Applies what a configuration has at run time in place of another; the rest of it is not looked at.
    func use(
        _ new: FuserConfiguration, instead old: FuserConfiguration, at wall: Timestamp, _ outbox: inout [Message]
    ) {
        perform(at: wall, &outbox) { turn in
            turn.emit { $0.configurationChanged(from: old, to: new, turn) }
            // A phone is patient with every setting.
            for item in registry.book.checkEntries().items where item.key == .irk {
                tracking.notePatience(of: item.id, turn)
            }
        }
    }

    /// Publishes rooms to `mqtt_room`, under a root.
    public func publishRooms(under root: String) { external.publishRooms(under: root) }

    /// Subscribes to the other systems that a configuration names, and publishes to them.
    func listen(to configuration: FuserConfiguration, _ log: Log) {
        if configuration.outputs.contains(.mqttRoom) {
            let system = IntegrationSystem.mqttRoom
            publishRooms(under: configuration.neighbours.topics[system.rawValue] ?? system.defaultRoot)
        }
        guard !configuration.inputs.isEmpty else { return }
        listen(
            to: IntegrationInputs(configuration), aliases: configuration.neighbours.aliases,
            keys: Self.externalKeys(of: configuration, log),
            areRoomsNamed: !configuration.rooms.isEmpty)
    }

    /// The keys of private devices, which ESPresense has in its ids and whose addresses others publish, read from their
    /// files; none without other systems. A file that cannot be used is logged once, and leaves its item to an alias.
    static func externalKeys(of configuration: FuserConfiguration, _ log: Log) -> [[UInt8]: String] {
        var keys: [[UInt8]: String] = [:]
        guard !configuration.inputs.isEmpty else { return keys }
        // In the order in which a node gives a key to the first of two.
        for item in configuration.items.sorted(by: { $0.id < $1.id }) where item.key == .irk {
            guard let path = item.keyFile else { continue }
            do throws(SecretFile.Problem) {
                let line = try SecretFile(path: path).line()
                do throws(ItemKeyText.Fault) {
                    let bytes = try ItemKeyText.key(line, .irk).bytes
                    if let twin = keys[bytes] {
                        log.logChange(
                            "key of \(item.id)", .warning,
                            "item \(item.id): it has the same key as \(twin), which has it: correct one of their files",
                            about: [item.id, twin])
                    } else {
                        keys[bytes] = item.id
                    }
                } catch {
                    log.logChange(
                        "key of \(item.id)", .warning,
                        "item \(item.id): its 'irk_file' \(error.words); other systems' word of it is lost",
                        about: [item.id])
                }
            } catch {
                log.logChange(
                    "key of \(item.id)", .warning,
                    "item \(item.id): its 'irk_file' \(error.sentence); other systems' word of it is lost",
                    about: [item.id])
            }
        }
        return keys
    }
}

extension IntegrationInputs {
    /// The systems that a fuser's configuration names, under their roots.
    init(_ configuration: FuserConfiguration) {
        var roots: [IntegrationSystem: String] = [:]
        for system in IntegrationSystem.allCases
        where FuserConfiguration.Input(rawValue: system.rawValue).map(configuration.inputs.contains) == true {
            roots[system] = configuration.neighbours.topics[system.rawValue] ?? system.defaultRoot
        }
        self.init(roots)
    }
}
