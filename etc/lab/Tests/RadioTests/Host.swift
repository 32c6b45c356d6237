import Bytes
import Radio

/// A host as the kernel is one: gives commands, and reads what comes.
struct Host {
    var controller: Controller
    private var now: Nanoseconds = 1_000_000_000

    init(_ model: ControllerModel) { controller = Controller(model, seed: 1) }

    /// The status that the controller answers with; nil where it doesn't.
    mutating func command(_ opcode: UInt16, _ parameters: [UInt8] = []) -> UInt8? {
        var packet: [UInt8] = [0x01]
        packet.append(littleEndian: opcode)
        packet.append(UInt8(parameters.count))
        for case .packet(let event, _) in controller.receive((packet + parameters).span, at: now) {
            if event[1] == 0x0E { return event[6] }
            if event[1] == 0x0F { return event[3] }
        }
        return nil
    }

    /// Opens the masks for all LE events.
    mutating func allowEvents() {
        _ = command(0x0C01, [UInt8](repeating: 0xFF, count: 8))
        _ = command(0x2001, [UInt8](repeating: 0xFF, count: 8))
    }

    /// Lets time pass; the events that came.
    mutating func run(milliseconds: Int) -> [[UInt8]] {
        var air = Air(seed: 1)
        air.place(controller, as: "a")
        var events: [[UInt8]] = []
        for _ in 0..<milliseconds {
            now += 1_000_000
            for happening in air.advance(to: now) {
                guard case .packet(let event, let reports) = happening.effect else { continue }
                events.append(event)
                _ = air.change("a") { $0.packetWasTaken(true, reports: reports) }
            }
        }
        controller = air.controllers["a"]!
        return events
    }
}
