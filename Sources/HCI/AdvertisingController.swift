internal import Bytes

/// Decides the actions of an advertiser: its choice of adapter, and its requests to the kernel and their times. It has
/// no effects of its own.
///
/// The advertiser passes it messages and the time of a clock that never jumps, and carries out its `effects`. The
/// advertisement is a lease: an instance of the management interface with a timeout, renewed after half of its time. A
/// killed process therefore leaves nothing that goes on sending.
struct AdvertisingController: Sendable {
    /// An action for the advertiser to carry out.
    enum Effect: Hashable, Sendable {
        /// List the adapters: `found`.
        case survey
        /// Send a request to the management interface: `receive`.
        case send([UInt8])
    }

    enum Phase: Hashable, Sendable {
        /// Waits for its adapter, and searches for it at this time.
        case searching(until: Timestamp)
        /// Waits for an answer.
        case asking(ManagementCommand, until: Timestamp)
        /// Waits for a time, or for a change of the adapter, before it reads the adapter's state again.
        case waiting(until: Timestamp)
        /// Is on the air, and renews the lease at this time.
        case sending(renewal: Timestamp)
        /// Has ended, on request or with a failure.
        case ended
    }

    /// The length of a lease in seconds, on a controller with the extended commands, which measures it itself.
    static let lease: UInt16 = 8
    /// The length of a lease in seconds, on a controller without them. The kernel rotates its instances every 2 s, and
    /// counts only the time of each one: beside another instance, 5 s last 9.
    static let shortLease: UInt16 = 5
    /// The interval between searches for a missing adapter or instance.
    static let retry: Duration = .milliseconds(500)
    /// The time for which an adapter that a program switched off is left off.
    static let courtesy: Duration = .seconds(2)
    /// The time limit for an answer in microseconds: the kernel waits 2 s for each answer of a controller.
    static let answerLimit: Duration = .seconds(10)
    /// The time for which others' advertisements are awaited before they count as a failure: those of a
    /// killed program have expired by then.
    static let patience: Duration = .seconds(10)

    let settings: AdvertisingSettings
    var chooser: AdapterChooser
    var phase: Phase
    var effects: [Effect] = []
    var notices = NoticeQueue()
    /// The adapter in use, or the last one that was.
    var adapter: Adapter?
    /// The number of its instance on the controller.
    var instance: UInt8?
    /// The state of its controller, as the kernel last reported it.
    var reported: (settings: AdvertisingMessage.Settings, features: AdvertisingMessage.Features?) = ([], nil)
    /// True if it was ever on the air: from then on it waits for initial failures to pass.
    var hasSent = false
    /// True if its data is being sent.
    var isOnAir = false
    /// The current fault; nil if there is none.
    var problem: AdvertiserFault?
    /// The fault that ended it; nil if it was asked to end, or hasn't ended.
    var failure: AdvertiserFault?
    /// The time since which others use all instances.
    var takenSince: Timestamp?
    /// The limit on setting up again an instance that another program removed.
    var resumptions = Resumptions()

    init(_ choice: AdapterChoice, _ settings: AdvertisingSettings, at now: Timestamp) {
        self.settings = settings
        chooser = AdapterChooser(choice)
        phase = .searching(until: now)
        if !settings.isWellFormed { end(with: .malformed) }
    }

    var name: String { adapter?.name ?? "" }

    /// The latest time for the next call of `advance`.
    var nextDeadline: Timestamp? {
        switch phase {
        case .searching(let until), .asking(_, let until), .waiting(let until), .sending(let until): until
        case .ended: nil
        }
    }

    /// Carries out the steps that are due at `now`.
    mutating func advance(to now: Timestamp) {
        guard let due = nextDeadline, due <= now else { return }
        switch phase {
        case .searching:
            phase = .searching(until: now.advanced(by: Self.retry))
            effects.append(.survey)
        case .asking(.remove, _): phase = .ended
        case .asking: handleFault(.adapter(.silent(name)), at: now)
        case .waiting: sendCommand(.readInfo, at: now)
        case .sending: setParameters(at: now)
        case .ended: break
        }
    }

    /// Receives the adapters present.
    mutating func receiveAdapters(_ adapters: [Adapter], at now: Timestamp) {
        guard case .searching = phase else { return }
        do throws(RadioFault) {
            let adapter = try chooser.choose(among: adapters, at: now)
            chooser.use(adapter)
            if self.adapter?.index != adapter.index { instance = nil }
            self.adapter = adapter
            sendCommand(.readInfo, at: now)
        } catch {
            handleFault(.adapter(error), at: now)
        }
    }

    /// Stops sending, and ends once that is confirmed.
    mutating func stop(at now: Timestamp) {
        if case .asking(.remove, _) = phase { return }
        guard phase != .ended else { return }
        isOnAir = false
        guard let instance else { return phase = .ended }
        sendCommand(.remove, [instance], at: now)
    }

    // MARK: Steps

    mutating func sendCommand(_ command: ManagementCommand, _ body: [UInt8] = [], at now: Timestamp) {
        guard let adapter else { return }
        phase = .asking(command, until: now.advanced(by: Self.answerLimit))
        effects.append(.send(command.bytes(adapter.index, body)))
    }

    /// Chooses a free instance of the controller.
    mutating func receive(_ features: AdvertisingMessage.Features, at now: Timestamp) {
        reported.features = features
        if let fault = requirementFault(with: features) { return end(with: fault) }
        let places = features.isExtended ? features.places : 1
        let others = features.instances.filter { $0 != instance }
        // The kernel lists only numbers up to the number of instances: the lowest number not listed is free in any
        // case.
        guard others.count < Int(places), !reported.settings.contains(.advertising),
            let free = (1...max(1, features.places)).first(where: { !others.contains($0) })
        else { return wait(forPlaces: Int(places), at: now) }
        instance = free
        setParameters(at: now)
    }

    /// The reason why this controller or kernel can't advertise with these settings; nil if there is none.
    private func requirementFault(with features: AdvertisingMessage.Features) -> AdvertiserFault? {
        let addsFlags = !reported.settings.contains(.classic) && !settings.hasFlags && settings.data.count <= 28
        if addsFlags { return .addsFlags(name) }
        if settings.power != nil, !features.canSetPower { return .fixedPower(name) }
        // Between 160 and 240 slots the kernel leaves the interval to the controller.
        if !features.isExtended, !(160...240).contains(settings.slots) { return .fixedInterval(name) }
        return nil
    }

    /// Add Extended Advertising Parameters: neither connectable nor scannable, in legacy PDUs.
    mutating func setParameters(at now: Timestamp) {
        guard let instance, let features = reported.features else { return sendCommand(.readInfo, at: now) }
        var body = [instance]
        let (timeout, intervals, power): (UInt32, UInt32, UInt32) = (1 << 13, 1 << 14, 1 << 15)
        body.append(littleEndian: timeout | intervals | (settings.power == nil ? 0 : power))
        body.append(littleEndian: UInt16(0))
        body.append(littleEndian: features.isExtended ? Self.lease : Self.shortLease)
        body.append(littleEndian: settings.slots)
        body.append(littleEndian: settings.slots)
        body.append(UInt8(bitPattern: settings.power ?? 0))
        sendCommand(.setParameters, body, at: now)
    }

    /// Add Extended Advertising Data, which begins to send it.
    mutating func setData(power: Int8?, at now: Timestamp) {
        guard let instance else { return }
        if let asked = settings.power, let power, power != asked {
            return end(with: .otherPower(name, asked: asked, nearest: power))
        }
        sendCommand(.setData, [instance, UInt8(settings.data.count), 0] + settings.data, at: now)
    }

    mutating func recordSending(at now: Timestamp) {
        let lease = reported.features?.isExtended == true ? Self.lease : Self.shortLease
        phase = .sending(renewal: now.advanced(by: .milliseconds(500) * lease))
        (problem, takenSince) = (nil, nil)
        guard !isOnAir else { return }
        (isOnAir, hasSent) = (true, true)
        log(.notice, "advertises on \(name)")
        if reported.settings.contains(.connectable) {
            log(.warning, "\(name) is set connectable by another program: so is what is advertised")
        }
    }
}
