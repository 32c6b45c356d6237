import Bytes
@testable import HCI

/// An advertising controller with a management interface that does what a script says, on a virtual clock.
struct ScriptedKernel {
    var control: AdvertisingController
    var adapters: [Adapter]
    var supported: AdvertisingMessage.Settings = [.lowEnergy]
    var current: AdvertisingMessage.Settings = [.powered, .lowEnergy]
    var features = AdvertisingMessage.Features(flags: 0xFFFF, places: 4, instances: [])
    /// The status that a command is answered with; 0 where none is named.
    var refusals: [ManagementCommand: UInt8] = [:]
    var isSilent = false
    /// The power that the controller gives whatever it is asked for.
    var power: Int8 = 0
    private(set) var now = 1000.0
    /// The advertisement on the air, and the time at which the controller ends it by itself.
    private(set) var air: [UInt8: (data: [UInt8], end: Double)] = [:]
    private(set) var parameters: [UInt8] = []
    private(set) var sent: [ManagementCommand] = []
    private(set) var words: [String] = []
    private var answers: [AdvertisingMessage] = []

    init(_ settings: AdvertisingSettings, _ choice: AdapterChoice = .auto) {
        control = AdvertisingController(choice, settings, at: .at(now))
        var adapter = Adapter(index: 3, isUp: true)
        adapter.hasLE = true
        adapters = [adapter]
    }

    /// Lets so many seconds pass.
    mutating func run(_ seconds: Double) {
        let end = now + seconds
        repeat {
            pass()
            let next = control.nextDeadline.map { Double($0.microseconds) / 1e6 } ?? end
            now = min(end, max(now, next))
            air = air.filter { $0.value.end > now }
        } while now < end
        pass()
    }

    mutating func say(_ message: AdvertisingMessage) {
        control.receive(message, at: .at(now))
        pass()
    }

    mutating func stop() {
        control.stop(at: .at(now))
        pass()
    }

    /// Another program removes all instances.
    mutating func removeAll() {
        let gone = features.instances
        (features.instances, air) = ([], [:])
        for instance in gone { say(.removed(3, instance: instance)) }
    }

    /// The adapter is switched off or on; the kernel forgets instances that have a time.
    mutating func switchPower(_ isOn: Bool) {
        if isOn {
            current.insert(.powered)
        } else {
            current.remove(.powered)
            air = [:]
            features.instances = []
        }
        say(.settings(3, current))
    }

    private mutating func pass() {
        control.advance(to: .at(now))
        while !control.effects.isEmpty || !answers.isEmpty {
            while !control.effects.isEmpty {
                switch control.effects.removeFirst() {
                case .survey: control.receiveAdapters(adapters, at: .at(now))
                case .send(let packet): take(packet)
                }
            }
            if !answers.isEmpty { control.receive(answers.removeFirst(), at: .at(now)) }
        }
        words += control.notices.takeAll().map(\.text)
    }

    private mutating func take(_ packet: [UInt8]) {
        guard let command = ManagementCommand(rawValue: UInt16(packet[0]) | UInt16(packet[1]) << 8) else {
            return
        }
        sent.append(command)
        guard !isSilent else { return }
        if let status = refusals[command], status != 0 {
            return answers.append(.answer(3, command, status: status, power: nil))
        }
        let body = Array(packet.dropFirst(6))
        switch command {
        case .readIndexList: return
        case .readInfo: return answers.append(.info(3, supported: supported, current: current))
        case .readFeatures: return answers.append(.features(3, features))
        case .setPowered: current.insert(.powered)
        case .setLowEnergy: current.insert(.lowEnergy)
        case .remove:
            air[body[0]] = nil
            features.instances.removeAll { $0 == body[0] }
        case .setParameters:
            parameters = body
            air[body[0]] = nil
            if !features.instances.contains(body[0]) { features.instances.append(body[0]) }
        case .setData: air[body[0]] = (Array(body.dropFirst(3)), now + Double(parameters[7]))
        }
        answers.append(.answer(3, command, status: 0, power: command == .setParameters ? power : nil))
    }
}
