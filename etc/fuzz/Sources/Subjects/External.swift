import Bytes
import Identity
import Integrations
import WireProtocol

/// What other systems say on the broker, and what they call beacons. It is read into bounded values, and no name of theirs
/// passes for an item that only a key tells.
enum Foreign {
    /// All systems under their own roots, and all under one: whose topic it is must then be told by its levels.
    private static let houses: [IntegrationInputs] = {
        let roots = IntegrationSystem.allCases.map { ($0, $0.defaultRoot) }
        let one = IntegrationSystem.allCases.map { ($0, "home") }
        return [roots, one].map { IntegrationInputs(Dictionary($0) { first, _ in first }) }
    }()

    /// A topic on the first line, and behind it the payload.
    static func message(_ bytes: Span<UInt8>) -> Bool {
        let (topic, payload) = Payloads.message(bytes)
        precondition(!tellsKey(ExternalName.withoutKeys(topic)), "a topic with a key may be logged")
        var isWhole = false
        for house in houses {
            do throws(IntegrationFault) {
                guard let (system, words) = try house.readMessages(on: topic, payload.span) else { continue }
                precondition(words.count <= 64, "more words than receivers are read")
                for word in words { check(word, of: system) }
                isWhole = true
            } catch {
                precondition((1...200).contains("\(error)".utf8.count), "a fault that can't be told in a line")
            }
        }
        // Every system's payload on whatever topic: a broker passes on what anybody has sent.
        rewrite(payload.span)
        return isWhole
    }

    private static func check(_ word: ExternalMessage, of system: IntegrationSystem) {
        switch word {
        case .nothing: break
        case .status(let node, _): checkNode(node, of: system)
        case .alias(let alias, let name):
            precondition(isName(alias), "an alias that is no name")
            check(name)
        case .reading(let reading): check(reading, of: system)
        }
    }

    private static func check(_ reading: ExternalReading, of system: IntegrationSystem) {
        precondition(reading.system == system, "a reading of another system")
        checkNode(reading.node, of: system)
        precondition((1...20).contains(reading.names.count), "a beacon without a name, or with names without end")
        for name in reading.names { check(name) }
        let levels = -127.0...20.0
        precondition(reading.level.map(levels.contains) ?? true, "a level that no controller reports")
        precondition(reading.usableLevel.map(levels.contains) ?? true, "a level is reckoned that there can't be")
        precondition(reading.power.map((-200...127).contains) ?? true, "a power that no beacon has")
        precondition(reading.distance.map((0...100_000).contains) ?? true, "a distance that nothing is heard from")
        precondition(reading.variance.map((0...1e10).contains) ?? true, "a variance out of range")
        precondition((1...255).contains(reading.count), "a count out of range")
        Readings.check(reading.telemetry)
    }

    private static func checkNode(_ name: String, of system: IntegrationSystem) {
        let id = system.nodeID(name)
        precondition(isName(name), "a node that is called nothing")
        precondition(Identifier.isValid(id) && id.hasPrefix(system.nodePrefix), "a node without an id of its own")
    }

    private static func check(_ name: ExternalName) {
        switch name {
        case .beacon(let id):
            // `irk:` and `eid:` are this house's words for what its keys have told.
            guard let spelled = id.espresense else { preconditionFailure("a stranger's word passes for a key's") }
            precondition(ExternalName(espresense: spelled) == name, "a beacon is another one when it is spelled again")
            precondition(BeaconID(id.text) == id, "a beacon is lost by its own text")
        case .key(let key): precondition(key.count == 16, "a key of another size")
        case .alias(let alias): precondition(isName(alias), "an alias that is no name")
        }
    }

    /// What can be told of ours says the same when it is read and told again; decimals are cut the first time.
    private static func rewrite(_ payload: Span<UInt8>) {
        if let device = try? ESPresenseDevice(payload: payload) {
            let once = Payloads.written { device.write(to: &$0) }
            guard let read = try? ESPresenseDevice(payload: once.span) else {
                preconditionFailure("a device is lost by being told")
            }
            // What is rounded to a temperature of 0 isn't told.
            let twice = Payloads.written { read.write(to: &$0) }
            let thrice = (try? ESPresenseDevice(payload: twice.span)).map { again in
                Payloads.written { again.write(to: &$0) }
            }
            precondition(thrice == twice, "a device changes by being told")
        }
        if let message = try? MQTTRoomMessage(payload: payload) {
            let once = Payloads.written { message.write(to: &$0) }
            let twice = (try? MQTTRoomMessage(payload: once.span)).map { again in
                Payloads.written { again.write(to: &$0) }
            }
            precondition(twice == once, "what a room is told changes by being told")
        }
        if let telemetry = try? ESPresenseTelemetry(payload: payload) {
            let text = Payloads.written { telemetry.write(to: &$0) }
            precondition((try? ESPresenseTelemetry(payload: text.span)) == telemetry, "telemetry changes by being told")
        }
    }

    /// What somebody calls a beacon, or a node.
    static func name(_ bytes: Span<UInt8>) -> Bool {
        let text = String(decoding: [UInt8](copying: bytes), as: UTF8.self)
        if let id = BeaconID(text) { precondition(BeaconID(id.text) == id, "a beacon is lost by its own text") }
        precondition(isObject(ObjectID(text).description), "no level of a discovery topic")
        precondition(!tellsKey(ExternalName.withoutKeys("espresense/devices/\(text)/hall")), "a key may be logged")
        guard isName(text) else {
            precondition(ExternalName(espresense: text) == nil, "a beacon is called what is no name")
            return false
        }
        for system in IntegrationSystem.allCases { checkNode(text, of: system) }
        guard let name = ExternalName(espresense: text) else { return false }
        check(name)
        return true
    }

    /// One line of at most 128 bytes.
    private static func isName(_ text: String) -> Bool {
        (1...128).contains(text.utf8.count) && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    }

    private static func isObject(_ text: String) -> Bool {
        text.isEmpty == false
            && text.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F: true
                default: false
                }
            }
    }

    /// Whether a level of a topic is a private device's key, as ESPresense spells it.
    private static func tellsKey(_ topic: String) -> Bool {
        topic.split(separator: "/").contains { level in
            let digits = level.utf8.dropFirst(4)
            return level.lowercased().hasPrefix("irk:") && digits.count >= 32
        }
    }
}
