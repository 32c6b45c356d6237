internal import Bytes

/// Decides what an advertiser does: which adapter it takes, what it asks of the kernel, and when. It does nothing itself.
///
/// The advertiser tells it what came and what time it is, on a clock that never jumps, and carries out its `effects`. What
/// is on the air is a lease: an instance of the management interface with a timeout, set up anew in half of its time. Who
/// is killed leaves nothing that sends on.
struct AdvertisingPilot: Sendable {
    /// What the advertiser is to do.
    enum Effect: Hashable, Sendable {
        /// List the adapters: `found`.
        case survey
        /// Ask something of the management interface: `receive`.
        case send([UInt8])
    }

    enum Phase: Hashable, Sendable {
        /// Looks for the adapter at a time.
        case searching(until: Timestamp)
        /// Waits for an answer.
        case asking(ManagementCommand, until: Timestamp)
        /// Waits for time, or for the adapter to be otherwise, to ask again how it is.
        case waiting(until: Timestamp)
        /// Is on the air, and renews that at a time.
        case sending(renewal: Timestamp)
        /// Has ended, for good or with a failure.
        case ended
    }

    /// How long a lease is, in seconds: a controller with the extended commands keeps it itself.
    static let lease: UInt16 = 8
    /// The same for one of the old kind. The kernel takes its instances in turns of 2 s, and counts only each one's own:
    /// beside another one, 5 s are over after 9.
    static let shortLease: UInt16 = 5
    /// How often what is missing is looked for, in microseconds.
    static let retry: Int64 = 500_000
    /// How long an adapter that a program switched off is left so.
    static let courtesy: Int64 = 2_000_000
    /// How long an answer may take: the kernel waits for each of a controller's for 2 s.
    static let answerLimit: Int64 = 10_000_000
    /// How long others' advertisements are waited for before they are a failure: what a dead program left is over then.
    static let patience: Int64 = 10_000_000

    let settings: AdvertisingSettings
    var chooser: AdapterChooser
    var phase: Phase
    var effects: [Effect] = []
    var notices: [RadioNotice] = []
    /// The adapter that it uses, or used last.
    var adapter: Adapter?
    /// The number of its place among the controller's.
    var instance: UInt8?
    var current: AdvertisingMessage.Settings = []
    var features: AdvertisingMessage.Features?
    /// Whether it was ever on the air: what is a failure at first is waited out then.
    var hasSent = false
    /// Whether its data is heard now.
    var isOnAir = false
    /// What is wrong at the moment.
    var problem: AdvertisingFault?
    /// Why it has ended; nil where it was asked to, or hasn't.
    var failure: AdvertisingFault?
    /// Since when others send all that can be sent.
    var takenSince: Timestamp?
    /// How often it comes back where another program ends it.
    var insistence = Insistence()
    /// What was said last.
    var told = ""

    init(_ choice: AdapterChoice, _ settings: AdvertisingSettings, at now: Timestamp) {
        self.settings = settings
        chooser = AdapterChooser(choice)
        phase = .searching(until: now)
        if !settings.isWellFormed { end(with: .malformed) }
    }

    var name: String { adapter?.name ?? "" }

    /// When `advance` is to be called at the latest.
    var nextDeadline: Timestamp? {
        switch phase {
        case .searching(let until), .asking(_, let until), .waiting(let until), .sending(let until): until
        case .ended: nil
        }
    }

    /// Lets time pass.
    mutating func advance(to now: Timestamp) {
        guard let due = nextDeadline, due <= now else { return }
        switch phase {
        case .searching:
            phase = .searching(until: now.advanced(byMicroseconds: Self.retry))
            effects.append(.survey)
        case .asking(.remove, _): phase = .ended
        case .asking: stumble(.adapter(.silent(name)), at: now)
        case .waiting: ask(.readInfo, at: now)
        case .sending: setParameters(at: now)
        case .ended: break
        }
    }

    /// The adapters that there are.
    mutating func found(_ adapters: [Adapter], at now: Timestamp) {
        guard case .searching = phase else { return }
        do throws(RadioFault) {
            let adapter = try chooser.choose(among: adapters, at: now)
            chooser.use(adapter)
            if self.adapter?.index != adapter.index { instance = nil }
            self.adapter = adapter
            ask(.readInfo, at: now)
        } catch {
            stumble(.adapter(error), at: now)
        }
    }

    /// Takes what is sent off the air, and ends when that is confirmed.
    mutating func stop(at now: Timestamp) {
        switch phase {
        case .ended, .asking(.remove, _): return
        default: break
        }
        isOnAir = false
        guard let instance else { return phase = .ended }
        ask(.remove, [instance], at: now)
    }

    // MARK: Steps

    mutating func ask(_ command: ManagementCommand, _ body: [UInt8] = [], at now: Timestamp) {
        guard let adapter else { return }
        phase = .asking(command, until: now.advanced(byMicroseconds: Self.answerLimit))
        effects.append(.send(command.bytes(adapter.index, body)))
    }

    /// Looks for a place among the controller's.
    mutating func take(_ features: AdvertisingMessage.Features, at now: Timestamp) {
        self.features = features
        if let fault = impossible(with: features) { return end(with: fault) }
        let places = features.isExtended ? features.places : 1
        let others = features.instances.filter { $0 != instance }
        // The kernel lists only numbers up to how many there are: the lowest that isn't among them is free all the same.
        guard others.count < Int(places), !current.contains(.advertising),
            let free = (1...max(1, features.places)).first(where: { !others.contains($0) })
        else { return wait(forPlaces: Int(places), at: now) }
        instance = free
        setParameters(at: now)
    }

    /// What this controller or the kernel can't do, and never will.
    private func impossible(with features: AdvertisingMessage.Features) -> AdvertisingFault? {
        let addsFlags = !current.contains(.classic) && !settings.hasFlags && settings.data.count <= 28
        if addsFlags { return .addsFlags(name) }
        if settings.power != nil, !features.canSetPower { return .fixedPower(name) }
        // Between 160 and 240 slots the kernel leaves the choice to the controller.
        if !features.isExtended, !(160...240).contains(settings.slots) { return .fixedInterval(name) }
        return nil
    }

    /// Add Extended Advertising Parameters: neither connectable nor scannable, in legacy PDUs.
    mutating func setParameters(at now: Timestamp) {
        guard let instance, let features else { return ask(.readInfo, at: now) }
        var body = [instance]
        let (timeout, intervals, power): (UInt32, UInt32, UInt32) = (1 << 13, 1 << 14, 1 << 15)
        body.append(littleEndian: timeout | intervals | (settings.power == nil ? 0 : power))
        body.append(littleEndian: UInt16(0))
        body.append(littleEndian: features.isExtended ? Self.lease : Self.shortLease)
        body.append(littleEndian: settings.slots)
        body.append(littleEndian: settings.slots)
        body.append(UInt8(bitPattern: settings.power ?? 0))
        ask(.setParameters, body, at: now)
    }

    /// Add Extended Advertising Data, which begins to send it.
    mutating func setData(power: Int8?, at now: Timestamp) {
        guard let instance else { return }
        if let asked = settings.power, let power, power != asked {
            return end(with: .otherPower(name, asked: asked, nearest: power))
        }
        ask(.setData, [instance, UInt8(settings.data.count), 0] + settings.data, at: now)
    }

    mutating func sends(at now: Timestamp) {
        let lease = features?.isExtended == true ? Self.lease : Self.shortLease
        phase = .sending(renewal: now.advanced(byMicroseconds: Int64(lease) * 500_000))
        (problem, takenSince) = (nil, nil)
        guard !isOnAir else { return }
        (isOnAir, hasSent) = (true, true)
        tell(.notice, "advertises on \(name)")
        if current.contains(.connectable) {
            tell(.warning, "\(name) is set connectable by another program: so is what is advertised")
        }
    }
}
