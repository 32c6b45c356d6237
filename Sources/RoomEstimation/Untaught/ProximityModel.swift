/// The likelihood that needs no lessons: an item is in the room of its loudest reception.
///
/// For each node that ever received the item it holds a running mean, the usual gap and the last level. Its cost is
/// proportional to the nodes that receive the item, not to those of the house. Nodes differ in sensitivity, so each
/// node's usual level is subtracted: silence is part of it, and the excess in its own room is not, as far as the item
/// is believed there.
struct ProximityModel: Sendable {
    /// The state of one node's reception of the item.
    struct Track {
        var node: Int
        var heard = 0.0
        /// The mean of the levels received.
        var mean = 0.0
        /// The hops in which it listened, except for packets lost by chance.
        var listened = 0.0
        /// Its mean level over these, if the item had never been in its room; silence counts as a level.
        var usual = 0.0
        var level: Double
        var gap = 1.0
        var last: Int
        /// The seconds since its last packet.
        var age = 0.0
        /// The level that this hop gives it.
        var now: Double
        var listens = true
        /// Number of hops for which it has not listened.
        var absence = 0.0
    }

    let parameters: Parameters.ProximityModel
    private(set) var isTaught: Bool
    private let packetVariance: Double
    var tracks: [Track] = []
    var rest: ChangePointDetector
    var fingerprints: Fingerprints
    /// Hops with a packet so far: the unit of gaps.
    var hops = 0

    // Scratch of one number a room, retained so that a hop allocates nothing.
    private var strongest: [Double] = []
    private var sums: [Double] = []
    private var counts: [Double] = []
    private var blind: [Double] = []
    // And of one a track.
    var receptions: [ChangePointDetector.Reception] = []
    var usual: [(level: Double, silence: Double)] = []

    /// The rooms with a node that received the item at least once: the only ones that are considered.
    private(set) var open: [Bool] = []
    /// The evidence of the last hop with a packet, in nats a room.
    private(set) var evidence: [Double] = []

    init(isTaught: Bool, parameters: Parameters) {
        self.parameters = parameters.nearness
        self.isTaught = isTaught
        rest = ChangePointDetector(parameters: parameters)
        rest.use(isTaught: isTaught)
        fingerprints = Fingerprints(parameters: parameters.fingerprints)
        packetVariance = parameters.rest.packetVariance
    }

    /// Continues beside lessons, or without them.
    mutating func use(isTaught: Bool) {
        self.isTaught = isTaught
        rest.use(isTaught: isTaught)
        if isTaught { fingerprints.forget() }
    }

    /// The probability that the item rests.
    var rests: Double { rest.share }

    /// True if any node that has a room ever received the item.
    var hasHeard: Bool { open.contains(true) }

    /// Consumes a hop with at least one reading of a node that has a room, `seconds` after the one before.
    ///
    /// `belief` is the item's last belief, by room; empty if there was none.
    mutating func weigh(_ hop: Hop, in house: House, after seconds: Double, belief: [Double]) {
        hops += 1
        resize(house.rooms.count)
        hear(hop, in: house, belief, after: seconds)
        settle(after: seconds)
        weighRooms(house)
    }

    /// Adapts to a house that has grown.
    mutating func resize(_ rooms: Int) {
        guard open.count != rooms else { return }
        open = [Bool](repeating: false, count: rooms)
        evidence = [Double](repeating: 0, count: rooms)
        strongest = evidence
        sums = evidence
        counts = evidence
        blind = evidence
    }

    /// Continues with another's reception levels of the item, independent of its present place; it must have no
    /// observation.
    mutating func takeOver(_ known: Self) {
        hops = known.hops
        fingerprints = known.fingerprints
        for var track in known.tracks {
            (track.level, track.now, track.last) = (parameters.silent, parameters.silent, hops)
            (track.listens, track.absence, track.age) = (true, 0, .infinity)
            rest.insert(at: tracks.count)
            tracks.append(track)
            receptions.append(.none)
            usual.append((parameters.silent, 1))
        }
    }

    /// Removes a node that no longer exists, by its index.
    mutating func forget(_ node: Int) {
        guard let index = tracks.firstIndex(where: { $0.node == node }) else { return }
        tracks.remove(at: index)
        receptions.remove(at: index)
        usual.remove(at: index)
        rest.remove(at: index)
        fingerprints.remove(at: index)
    }

    /// Removes a room that no longer exists, by its index.
    mutating func forget(room: Int) {
        fingerprints.forget(room: room)
        guard room < open.count else { return }
        (open[room], evidence[room]) = (false, 0)
    }

    /// Moves nodes to other rooms, by their indices: receptions in the old place are no evidence of the new one.
    mutating func follow(where hasMoved: (Int) -> Bool) {
        for (column, track) in tracks.enumerated() where hasMoved(track.node) { fingerprints.forget(column: column) }
    }

    /// Learns the item's reception in its room from the last hop, for a share and by the present belief.
    mutating func learn(_ belief: [Double], share: Double) {
        guard !isTaught else { return }
        fingerprints.learn(tracks, belief, among: open, hops: hops, share: share)
    }

    /// The nats that a move from one room to another requires above the usual odds, by the fingerprints of both.
    func doubt(of room: Int, leaving current: Int?) -> Double {
        guard !isTaught, room < open.count, open[room] else { return 0 }
        return fingerprints.doubt(of: room, leaving: current, tracks, hops: hops)
    }

    private mutating func hear(_ hop: Hop, in house: House, _ belief: [Double], after seconds: Double) {
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
            tracks[index].age += seconds
            let room = house.nodes[node].room ?? belief.count
            let lift = room < belief.count ? parameters.lift * belief[room] : 0
            while next < hop.readings.count, hop.readings[next].node < node { next += 1 }
            if next < hop.readings.count, hop.readings[next].node == node {
                hear(hop.readings[next].level, by: index)
                tracks[index].expect(hop.readings[next].level - lift)
                let variance = Parameters.rounding + packetVariance / Double(hop.readings[next].count)
                receptions[index] = .level(hop.readings[next].level, variance: variance)
            } else {
                tracks[index].listens = hop.listening?.contains(node) ?? true
                receptions[index] = tracks[index].listens ? .silence : .none
                tracks[index].absence = tracks[index].listens ? 0 : tracks[index].absence + 1
                let held =
                    Double(hops - tracks[index].last) <= parameters.hold * tracks[index].gap
                    && tracks[index].age <= parameters.holdSeconds && tracks[index].level > parameters.sure
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
        tracks[index].age = 0
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
        let meanOfUsual = meanOfUsual
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
                blind[room] = max(blind[room], parameters.silent + stays * (parameters.sure - parameters.silent))
                continue
            }
            let level = relative(track, meanOfUsual)
            strongest[room] = max(strongest[room], level)
            sums[room] += level
            counts[room] += 1
        }
        let natsPerDecibel = isTaught ? parameters.evidenceTaught : parameters.evidence
        for room in open.indices {
            let level =
                counts[room] > 0
                ? parameters.strongest * strongest[room] + (1 - parameters.strongest) * sums[room] / counts[room]
                : blind[room]
            evidence[room] = open[room] ? natsPerDecibel * level : 0
        }
        fingerprints.add(to: &evidence, tracks, hops: hops)
    }

    private var meanOfUsual: Double {
        var sum = 0.0
        for track in tracks { sum += track.usual }
        return sum / Double(max(1, tracks.count))
    }

    /// The level of a node in this hop, without lessons less its constant excess over the others.
    private func relative(_ track: Track, _ meanOfUsual: Double) -> Double {
        guard !isTaught else { return track.now }
        let share = track.listened / (track.listened + parameters.offsetHops)
        return track.now - share * (track.usual - meanOfUsual)
    }

    /// The evidence of each node in the last hop for one room against another, in nats: above a silent node's level.
    func votes(for one: Int, against other: Int, in house: House) -> [Reason.Vote] {
        guard one < open.count, other < open.count else { return [] }
        let meanOfUsual = meanOfUsual
        var votes: [Reason.Vote] = []
        for (column, track) in tracks.enumerated() where track.listens {
            var nats = fingerprints.vote(of: column, track, hops: hops, for: one, against: other)
            if let room = house.nodes[track.node].room, room == one || room == other {
                let level = relative(track, meanOfUsual)
                var share = (1 - parameters.strongest) / counts[room]
                if level == strongest[room] { share += parameters.strongest }
                let own = parameters.evidence * share * (level - parameters.silent)
                nats += room == one ? own : -own
            } else if nats == 0 {
                continue
            }
            votes.append(Reason.Vote(node: track.node, nats: nats))
        }
        return votes
    }
}

extension ProximityModel.Track {
    /// Consumes a reception, or a silence, less the excess in the node's own room.
    fileprivate mutating func expect(_ level: Double) {
        listened += 1
        usual += (level - usual) / listened
    }
}
