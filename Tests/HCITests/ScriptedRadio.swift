import Advertising
import Bytes

@testable import HCI

/// A scan controller with a Bluetooth controller and a kernel that do what a script says, on a virtual clock.
struct ScriptedRadio {
    /// The faults of the controller.
    enum Fault: Hashable {
        case hung, deaf
    }

    var control: ScanController
    var adapters: [Adapter]
    var isExtended = false
    var isCoded = false
    var faults: Set<Fault> = []
    /// Another program has the adapter for itself.
    var isHeld = false
    /// The error that taking it up gives.
    var upError: Int32 = 0
    /// Lifts that mend the controller.
    var mending: Set<ScanController.Lift> = []
    /// The number of beacons that send five times a second.
    var beacons = 0
    private(set) var now: Double
    private(set) var isScanning = false
    private(set) var sent: [HCICommand.Opcode] = []
    private(set) var lifts: [ScanController.Lift] = []
    private(set) var notices: [RadioNotice] = []
    private(set) var changes: [RadioChange] = []
    /// The times in which the scan controller reports that nothing was heard; the last may be open.
    private(set) var gaps: [(from: Double, to: Double?)] = []
    private(set) var heard = 0
    private var answers: [(at: Double, [UInt8])] = []
    private var lifted: (at: Double, code: Int32)?
    private var packet = 0

    init(
        _ choice: AdapterChoice = .auto, _ settings: ScanSettings = ScanSettings(), adapters: [Adapter]? = nil,
        remembering address: DeviceAddress? = nil
    ) {
        now = 1000
        control = ScanController(choice, settings, remembering: address, at: .at(now))
        var adapter = Adapter(index: 0, address: DeviceAddress(0x00AA_EE00_0001, .public), isUp: true)
        adapter.hasLE = true
        self.adapters = adapters ?? [adapter]
    }

    /// Seconds since the begin.
    var time: Double { now - 1000 }

    /// Lets so many seconds pass.
    mutating func run(_ seconds: Double) {
        let end = now + seconds
        perform()
        while true {
            let next =
                [
                    control.nextDeadline?.seconds, answers.first?.at, lifted?.at, beacons > 0 ? nextPacket : nil,
                ].compactMap { $0 }.min() ?? end
            guard next < end else { break }
            now = max(now, next)
            step()
            perform()
        }
        now = end
    }

    /// Another program's command reaches the controller.
    mutating func another(_ command: HCICommand) { execute(command) }

    /// The controller says something by itself.
    mutating func say(_ event: [UInt8]) { answers.append((now, event)) }

    mutating func manage(_ message: ManagementMessage) {
        control.receive(message, at: .at(now))
        perform()
    }

    mutating func breakSocket(_ code: Int32) {
        isScanning = false
        control.socketFailed(code, at: .at(now))
        perform()
    }

    /// The adapter was taken down, by whomever; the kernel ends the scan.
    mutating func goDown() {
        adapters[0].isUp = false
        isScanning = false
        manage(.settings(adapters[0].index, isPowered: false))
    }

    private var nextPacket: Double { 1000 + Double(packet) * 0.2 / Double(beacons) }

    private mutating func step() {
        if let answer = answers.first, answer.at <= now {
            answers.removeFirst()
            control.receive(answer.1.span, at: .at(now), now: .at(now))
        }
        if let lift = lifted, lift.at <= now {
            lifted = nil
            control.liftEnded(lift.code, at: .at(now))
        }
        if beacons > 0 {
            while nextPacket <= now {
                packet += 1
                guard isScanning, faults.isEmpty else { continue }
                heard += 1
                control.receive(beacon: UInt64(packet % beacons), at: .at(now))
            }
        }
        control.advance(to: .at(now))
    }

    private mutating func perform() {
        while !control.effects.isEmpty {
            switch control.effects.removeFirst() {
            case .survey: control.receiveAdapters(adapters, at: .at(now))
            case .open:
                if isHeld { control.socketRefused(16, at: .at(now)) } else { control.socketOpened(at: .at(now)) }
            case .close: break
            case .send(let command):
                sent.append(command.opcode)
                if adapters.first?.isUp == false, control.settings.channel == .shared {
                    control.socketFailed(100, at: .at(now))
                } else {
                    execute(command)
                }
            case .lift(let lift, _): begin(lift)
            }
        }
        notices += control.journal.notices.takeAll()
        changes += control.journal.takeChanges()
        while let change = control.listening.takeChange() {
            switch change {
            case .stopped(let from): gaps.append((from.seconds - 1000, nil))
            case .resumed(let to): gaps[gaps.count - 1].to = to.seconds - 1000
            }
        }
    }

    private mutating func begin(_ lift: ScanController.Lift) {
        lifts.append(lift)
        if mending.contains(lift) { faults = [] }
        if lift != .bus { isScanning = false }
        if lift == .reset {
            lifted = (now + (faults.contains(.hung) ? 2 : 0.01), faults.contains(.hung) ? 110 : 0)
            return
        }
        let isHopeless = faults.contains(.hung) && lift != .down
        var code: Int32 = isHopeless ? 110 : lift == .bus && !mending.contains(.bus) ? 2 : 0
        if lift == .up, upError != 0 { code = upError }
        if !adapters.isEmpty, lift != .bus { adapters[0].isUp = lift == .down ? false : code == 0 }
        lifted = (now + (isHopeless ? 10 : 0.1), code)
    }

    private mutating func execute(_ command: HCICommand) {
        guard !faults.contains(.hung) else { return }
        var status: UInt8 = 0
        var parameters: [UInt8] = []
        switch command.opcode {
        case .reset: isScanning = false
        case .readLocalSupportedCommands:
            parameters = [UInt8](repeating: 0, count: 64)
            if isExtended { parameters[37] = 0x60 }
        case .leReadLocalSupportedFeatures: parameters = [0, isCoded ? 0x18 : 0x10, 0, 0, 0, 0, 0, 0]
        case .leSetScanParameters, .leSetExtendedScanParameters: status = isScanning ? 0x0C : 0
        case .leSetScanEnable, .leSetExtendedScanEnable: isScanning = command.parameters[0] == 1
        default: break
        }
        let isNew = [.leSetExtendedScanParameters, .leSetExtendedScanEnable].contains(command.opcode)
        if isNew, !isExtended { status = 1 }
        var event: [UInt8] = [0x0E, UInt8(4 + parameters.count), 1]
        event.append(littleEndian: command.opcode.rawValue)
        answers.append((now + 0.001, event + [status] + parameters))
    }
}

extension Timestamp {
    /// A moment on a test's clock.
    static func at(_ seconds: Double) -> Timestamp { Timestamp(microseconds: Int64((seconds * 1e6).rounded())) }
}
