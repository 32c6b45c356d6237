import Advertising
import Bytes

/// The controllers of a lab by name, and the air between them: what one sends, all others that scan hear.
public struct Air: Sendable {
    /// What a controller did.
    public struct Happening: Sendable {
        /// Which controller.
        public let name: String
        /// What it did.
        public let effect: Effect
    }

    /// By name.
    public private(set) var controllers: [String: Controller] = [:]
    private var levels: [String: Int8] = [:]
    private var seed: UInt64

    /// Empty air; what is random in it is made from the seed.
    public init(seed: UInt64) { self.seed = seed }

    /// Adds a controller as after power on, or puts a new one in another's place.
    public mutating func add(_ model: ControllerModel, as name: String) {
        seed &+= 1
        place(Controller(model, seed: seed), as: name)
    }

    /// Puts a controller, as it is, in the air.
    public mutating func place(_ controller: Controller, as name: String) { controllers[name] = controller }

    /// Switches a controller off and on, perhaps as another model: all but its beacons, its count of reports and what ails
    /// it is forgotten.
    public mutating func renew(_ name: String, _ model: ControllerModel) {
        guard let old = controllers[name] else { return }
        add(model, as: name)
        controllers[name]!.inherit(old)
    }

    /// How strongly the others hear a controller, in dBm; −50 at first.
    public mutating func set(level: Int8, ofSender name: String) { levels[name] = level }

    /// Gives a controller a packet of its host.
    public mutating func receive(_ packet: Span<UInt8>, by name: String, at now: Nanoseconds) -> [Happening] {
        let effects = controllers[name]?.receive(packet, at: now) ?? []
        return effects.map { Happening(name: name, effect: $0) }
    }

    /// Lets an order change a controller.
    public mutating func change<Value>(_ name: String, _ body: (inout Controller) -> Value) -> Value? {
        guard controllers[name] != nil else { return nil }
        return body(&controllers[name]!)
    }

    /// Takes time forward and says what happened.
    public mutating func advance(to now: Nanoseconds) -> [Happening] {
        var happenings: [Happening] = []
        for name in controllers.keys.sorted() {
            let (sent, effects) = controllers[name]!.advance(to: now, level: levels[name] ?? -50)
            happenings += effects.map { Happening(name: name, effect: $0) }
            guard !sent.isEmpty else { continue }
            for other in controllers.keys.sorted() where other != name {
                happenings += controllers[other]!.hear(sent).map { Happening(name: other, effect: $0) }
            }
        }
        for name in controllers.keys.sorted() {
            happenings += controllers[name]!.hearBeacons(at: now).map { Happening(name: name, effect: $0) }
        }
        return happenings
    }

    /// When `advance` is to be called next; nil for not before something else happens.
    public func deadline(from now: Nanoseconds) -> Nanoseconds? {
        controllers.values.compactMap { $0.deadline(from: now) }.min()
    }
}
