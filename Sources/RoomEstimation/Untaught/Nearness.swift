/// The likelihood that needs no lessons: an item is where it is heard loudest.
///
/// For each node that ever heard the item it keeps a running mean, the usual gap and the last level. Its cost follows
/// the nodes that hear the item, not those of the house. Nodes hear unlike well, so that what each usually hears is taken
/// off: silence is part of it, and what its own room adds is not, as far as the item is believed there.
struct Nearness: Sendable {
    /// What is known of one node's hearing of the item.
    struct Track {
        var node: Int
        var heard = 0.0
        /// The mean of the levels heard.
        var mean = 0.0
        /// The hops in which it listened, but for packets lost by chance.
        var listened = 0.0
        /// Its mean level over these, had the item never been in its room; silence counts as a level.
        var usual = 0.0
        var level: Double
        var gap = 1.0
        var last: Int
        /// The level that this hop gives it.
        var now: Double
        var listens = true
        /// For how many hops it hasn't listened.
        var absence = 0.0
    }

    let parameters: Parameters.Nearness
    private var natsPerDecibel: Double
    private(set) var isTaught: Bool
    private let packetVariance: Double
    private let leastVariance: Double
    var tracks: [Track] = []
    var rest: Rest
    var fingerprints: Fingerprints
    /// Hops with a packet so far: what gaps are counted in.
    var hops = 0

    // Scratch of one number a room, kept so that a hop allocates nothing.
    private var strongest: [Double] = []
    private var sums: [Double] = []
    private var counts: [Double] = []
    private var blind: [Double] = []
    // And of one a track.
    var receptions: [Rest.Reception] = []
    var usual: [(level: Double, silence: Double)] = []

    /// The rooms with a node that heard the item at least once: the only ones it is looked for in.
    private(set) var open: [Bool] = []
    /// The evidence of the last hop with a packet, in nats a room.
    private(set) var evidence: [Double] = []

    init(isTaught: Bool, parameters: Parameters) {
        self.parameters = parameters.nearness
        natsPerDecibel = Self.natsPerDecibel(isTaught, parameters.nearness)
        self.isTaught = isTaught
        rest = Rest(parameters: parameters)
        rest.use(isTaught: isTaught)
        fingerprints = Fingerprints(parameters: parameters.fingerprints)
        packetVariance = parameters.rest.packetDeviation * parameters.rest.packetDeviation
        leastVariance = parameters.rest.leastDeviation * parameters.rest.leastDeviation
    }

    /// Goes on beside lessons, or without them.
    mutating func use(isTaught: Bool, parameters: Parameters) {
        natsPerDecibel = Self.natsPerDecibel(isTaught, parameters.nearness)
        self.isTaught = isTaught
        rest.use(isTaught: isTaught)
        if isTaught { fingerprints.forget() }
    }

    private static func natsPerDecibel(_ isTaught: Bool, _ parameters: Parameters.Nearness) -> Double {
        isTaught ? parameters.evidenceTaught : parameters.evidenceAlone
    }

    /// The probability that the item lies still.
    var rests: Double { rest.share }
    /// For how many hops it has done so.
    var restHops: Double { rest.hops }

    /// Whether any node that stands in a room ever heard the item.
    var hasHeard: Bool { open.contains(true) }

    /// Takes in a hop with at least one reading of a node that stands in a room, so many seconds after the one before.
    ///
    /// `belief` is where the item was believed to be, by room; empty where nothing was believed.
    mutating func weigh(_ hop: Hop, in house: House, after seconds: Double, belief: [Double]) {
        hops += 1
        resize(house.rooms.count)
        hear(hop, in: house, belief)
        settle(after: seconds)
        weighRooms(house)
    }

    /// Follows a house that has grown.
    mutating func resize(_ rooms: Int) {
        guard open.count != rooms else { return }
        open = [Bool](repeating: false, count: rooms)
        evidence = [Double](repeating: 0, count: rooms)
        strongest = evidence
        sums = evidence
        counts = evidence
        blind = evidence
    }

    /// Goes on with how another knew nodes to hear the item, wherever it is now; it must have heard nothing.
    mutating func takeOver(_ known: Self) {
        hops = known.hops
        fingerprints = known.fingerprints
        for var track in known.tracks {
            (track.level, track.now, track.last) = (parameters.silent, parameters.silent, hops)
            (track.listens, track.absence) = (true, 0)
            rest.insert(at: tracks.count)
            tracks.append(track)
            receptions.append(.none)
            usual.append((parameters.silent, 1))
        }
    }

    /// Forgets a node that is no more, by its index.
    mutating func forget(_ node: Int) {
        guard let index = tracks.firstIndex(where: { $0.node == node }) else { return }
        tracks.remove(at: index)
        receptions.remove(at: index)
        usual.remove(at: index)
        rest.remove(at: index)
        fingerprints.remove(at: index)
    }

    /// Forgets a room that is no more, by its index.
    mutating func forget(room: Int) {
        fingerprints.forget(room: room)
        guard room < open.count else { return }
        (open[room], evidence[room]) = (false, 0)
    }

    /// Follows nodes to other rooms, by their indices: what they heard where they stood tells nothing of where they stand.
    mutating func follow(where hasMoved: (Int) -> Bool) {
        for (column, track) in tracks.enumerated() where hasMoved(track.node) { fingerprints.forget(column: column) }
    }

    /// Learns from the last hop, for a share and by what is believed now, how the item is heard in the room that it is in.
    mutating func learn(_ belief: [Double], share: Double) {
        guard !isTaught else { return }
        fingerprints.learn(tracks, belief, among: open, hops: hops, share: share)
    }

    /// How many nats a move from one room to another asks for above the usual odds, by how both sound.
    func doubt(of room: Int, leaving current: Int?) -> Double {
        guard !isTaught, room < open.count, open[room] else { return 0 }
        return fingerprints.doubt(of: room, leaving: current, tracks, hops: hops)
    }

    private mutating func hear(_ hop: Hop, in house: House, _ belief: [Double]) {
        var at = 0
        for reading in hop.readings where house.nodes[reading.node].room != nil {
            while at < tracks.count, tracks[at].node < reading.node { at += 1 }
            if at == tracks.count || tracks[at].node != reading.node {
                tracks.insert(Track(node: reading.node, level: reading.level, last: hops, now: 0), at: at)
                rest.insert(at: at)
                fingerprints.insert(at: at)
                receptions.append(.none)
                usual.append((parameters.silent, 1))
            }
        }
        var next = 0
        for index in tracks.indices {
            let node = tracks[index].node
            let room = house.nodes[node].room ?? belief.count
            let lift = room < belief.count ? parameters.lift * belief[room] : 0
            while next < hop.readings.count, hop.readings[next].node < node { next += 1 }
            if next < hop.readings.count, hop.readings[next].node == node {
                hear(hop.readings[next].level, by: index)
                tracks[index].expect(hop.readings[next].level - lift)
                let variance = leastVariance + packetVariance / Double(hop.readings[next].count)
                receptions[index] = .level(hop.readings[next].level, variance: variance)
            } else {
                tracks[index].listens = hop.listening?.contains(node) ?? true
                receptions[index] = tracks[index].listens ? .silence : .none
                tracks[index].absence = tracks[index].listens ? 0 : tracks[index].absence + 1
                let held =
                    Double(hops - tracks[index].last) <= parameters.hold * tracks[index].gap
                    && tracks[index].level > parameters.sure
                tracks[index].now = held ? tracks[index].level : parameters.silent
                if tracks[index].listens, !held { tracks[index].expect(parameters.silent - lift) }
            }
        }
    }

    private mutating func hear(_ level: Double, by index: Int) {
        let gap = Double(hops - tracks[index].last)
        if tracks[index].heard > 0 { tracks[index].gap += parameters.gapShare * (gap - tracks[index].gap) }
        tracks[index].heard += 1
        tracks[index].mean += (level - tracks[index].mean) / tracks[index].heard
        tracks[index].level = level
        tracks[index].last = hops
        tracks[index].now = level
        tracks[index].listens = true
        tracks[index].absence = 0
    }

    /// Takes means over the item's rest, as far as it rests.
    private mutating func settle(after seconds: Double) {
        for index in tracks.indices {
            usual[index] = (tracks[index].mean, 1 - tracks[index].heard / Double(max(1, hops)))
        }
        rest.weigh(receptions, usual: usual, after: seconds)
        for index in tracks.indices { tracks[index].now += rest.share * (rest.level(index) - tracks[index].now) }
    }

    mutating func weighRooms(_ house: House) {
        let meanOfMeans = meanOfMeans
        for room in open.indices {
            open[room] = false
            strongest[room] = -.infinity
            sums[room] = 0
            counts[room] = 0
            blind[room] = parameters.silent
        }
        for track in tracks {
            guard let room = house.nodes[track.node].room else { continue }
            open[room] = true
            guard track.listens else {
                let stays = rest.chance(after: track.absence)
                blind[room] = max(blind[room], parameters.silent + stays * (parameters.blind - parameters.silent))
                continue
            }
            let level = relative(track, meanOfMeans)
            strongest[room] = max(strongest[room], level)
            sums[room] += level
            counts[room] += 1
        }
        for room in open.indices {
            let level =
                counts[room] > 0
                ? parameters.strongest * strongest[room] + (1 - parameters.strongest) * sums[room] / counts[room]
                : blind[room]
            evidence[room] = open[room] ? natsPerDecibel * level : 0
        }
        fingerprints.add(to: &evidence, tracks, hops: hops)
    }

    private var meanOfMeans: Double {
        var sum = 0.0
        for track in tracks { sum += isTaught ? track.mean : track.usual }
        return sum / Double(max(1, tracks.count))
    }

    /// The level of a node in this hop, less part of what it always hears more than the others.
    private func relative(_ track: Track, _ meanOfMeans: Double) -> Double {
        if isTaught {
            let share = parameters.offsetTaught * track.heard / (track.heard + parameters.offsetTaughtSeconds)
            return track.now - share * (track.mean - meanOfMeans)
        }
        let share = parameters.offsetAlone * track.listened / (track.listened + parameters.offsetAloneSeconds)
        return track.now - share * (track.usual - meanOfMeans)
    }

    /// What each node said in the last hop for one room against another, in nats: above a silent node's level.
    func votes(for one: Int, against other: Int, in house: House) -> [Reason.Vote] {
        guard one < open.count, other < open.count else { return [] }
        let meanOfMeans = meanOfMeans
        var votes: [Reason.Vote] = []
        for (column, track) in tracks.enumerated() where track.listens {
            var nats = fingerprints.vote(of: column, track, hops: hops, for: one, against: other)
            if let room = house.nodes[track.node].room, room == one || room == other {
                let level = relative(track, meanOfMeans)
                var share = (1 - parameters.strongest) / counts[room]
                if level == strongest[room] { share += parameters.strongest }
                let own = natsPerDecibel * share * (level - parameters.silent)
                nats += room == one ? own : -own
            } else if nats == 0 {
                continue
            }
            votes.append(Reason.Vote(node: track.node, nats: nats))
        }
        return votes
    }
}

extension Nearness.Track {
    /// Takes in what it heard, or that it heard nothing, less what its own room added.
    fileprivate mutating func expect(_ level: Double) {
        listened += 1
        usual += (level - usual) / listened
    }
}
