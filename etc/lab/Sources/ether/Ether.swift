import Glibc
import Radio

/// The air of a lab on /dev/vhci: it runs the controllers, takes orders and writes the truth.
struct Ether: ~Copyable {
    var air: Air
    var models: [String: ControllerModel] = [:]
    /// Those that are plugged in.
    var adapters = AdapterTable()
    var isEnded = false
    private let control: ControlSocket
    /// Which controllers heard when the truth was told last.
    private var hearing: Set<String> = []
    private var summary: Nanoseconds = 0

    init(socket path: String, seed: UInt64) throws(SystemFault) {
        air = Air(seed: seed)
        control = try ControlSocket(path: path)
    }

    /// Runs until it is ordered to end.
    mutating func run() {
        while !isEnded {
            wait()
            let now = Clock.now
            for name in adapters.names {
                while let packet = adapters.receive(name) {
                    carryOut(air.receive(packet.span, by: name, at: now))
                }
            }
            carryOut(air.advance(to: now))
            tellSums(at: now)
            tellHearing()
        }
    }

    /// Writes a line of the truth: monotonic time, wall time, whom it is about, what is so.
    func tell(_ name: String, _ words: String) {
        Output.line("\(Clock.text(Clock.now)) \(Clock.text(Clock.wall)) \(name) \(words)")
    }

    mutating func carryOut(_ happenings: [Air.Happening]) {
        for happening in happenings { carryOut(happening.effect, of: happening.name) }
    }

    mutating func carryOut(_ effect: Effect, of name: String) {
        switch effect {
        case .packet(let packet, let reports):
            let isTaken = adapters.send(packet, to: name)
            _ = air.change(name) { $0.packetWasTaken(isTaken, reports: reports) }
        case .truth(let words): tell(name, words)
        }
    }

    /// Waits for a packet, an order or the next deadline.
    private mutating func wait() {
        let names = adapters.names
        var waits = [pollfd(fd: control.descriptor, events: Int16(POLLIN), revents: 0)]
        waits += names.map { pollfd(fd: adapters.descriptor($0), events: Int16(POLLIN), revents: 0) }
        let now = Clock.now
        // A second at most: sums are told that often.
        let deadline = min(air.deadline(from: now) ?? .max, now + 1_000_000_000)
        let left = deadline > now ? deadline - now : 0
        let limit = Int32((left + 999_999) / 1_000_000)
        guard poll(&waits, nfds_t(waits.count), limit) > 0, waits[0].revents != 0 else { return }
        guard let order = control.next() else { return }
        order.answer(obey(order.words))
    }

    /// How many reports each scanning controller has sent, once a second.
    private mutating func tellSums(at now: Nanoseconds) {
        guard now >= summary + 1_000_000_000 else { return }
        summary = now
        for name in adapters.names {
            guard let controller = air.controllers[name], controller.isHearing else { continue }
            tell(name, "sent sum=\(controller.reports)")
        }
    }

    /// Where the truth of gaps is: a controller hears from `hearing on` to `hearing off`.
    private mutating func tellHearing() {
        let now = Set(adapters.names.filter { air.controllers[$0]?.isHearing == true })
        for name in now.subtracting(hearing).sorted() { tell(name, "hearing on") }
        for name in hearing.subtracting(now).sorted() { tell(name, "hearing off") }
        hearing = now
    }
}
