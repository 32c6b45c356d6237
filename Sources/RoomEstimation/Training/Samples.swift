/// The labelled hops of all recordings as one table, for the nodes with a packet in them.
struct Samples {
    /// One labelled hop in which a known node received a packet, or that lies between two such hops.
    struct Sample {
        /// The room, as an index into `rooms`.
        var room: Int
        /// A level for each known node; nil if it did not receive.
        var levels: [Double?]
        /// True for each known node whose silence counts: it listened.
        var live: [Bool]
        /// True if it was received, and not interpolated between two that were (`Recording.bridges`).
        var isHeard = true
    }

    /// The known nodes, by ascending index: those with a packet in a labelled hop.
    private(set) var nodes: [Int] = []
    /// The taught rooms, by ascending index.
    private(set) var rooms: [Int] = []
    private(set) var all: [Sample] = []
    /// For each recording and hop the place of its sample in `all`, if it has one.
    private(set) var places: [[Int?]] = []

    init(_ recordings: [Recording], in house: House, parameters: Parameters.TrainedModel = Parameters.TrainedModel()) {
        var known = Set<Int>()
        var taught = Set<Int>()
        for recording in recordings {
            for (hop, room) in zip(recording.hops, recording.rooms) {
                guard let room, house.rooms.indices.contains(room) else { continue }
                let heard = hop.readings.filter { $0.node < house.nodes.count }
                known.formUnion(heard.map(\.node))
                if !heard.isEmpty { taught.insert(room) }
            }
        }
        nodes = known.sorted()
        rooms = taught.sorted()
        for recording in recordings { append(recording, parameters) }
    }

    /// Number of samples that were received.
    var heard: Int { all.count { $0.isHeard } }

    private mutating func append(_ recording: Recording, _ parameters: Parameters.TrainedModel) {
        let bridges = recording.bridges(longest: parameters.longestBridge)
        var heardAtAll = Set<Int>()
        for hop in recording.hops { heardAtAll.formUnion(hop.readings.map(\.node)) }
        var recordingPlaces: [Int?] = []
        for (place, (hop, room)) in zip(recording.hops, recording.rooms).enumerated() {
            let isHeard = !hop.readings.isEmpty
            let readings = isHeard ? hop.readings : bridges[place]
            guard let room, let taught = rooms.firstIndex(of: room),
                readings.contains(where: { nodes.contains($0.node) })
            else {
                recordingPlaces.append(nil)
                continue
            }
            var levels = [Double?](repeating: nil, count: nodes.count)
            for reading in readings {
                if let column = nodes.firstIndex(of: reading.node) { levels[column] = reading.level }
            }
            let live = nodes.map {
                (heardAtAll.contains($0) || recording.audible.contains($0)) && hop.listening?.contains($0) ?? true
            }
            recordingPlaces.append(all.count)
            all.append(
                Sample(room: taught, levels: levels, live: live, isHeard: isHeard))
        }
        places.append(recordingPlaces)
    }

    /// The level of each node below which a share of its readings lies, between neighbours by proportion.
    func quantiles(_ share: Double) -> [Double] {
        nodes.indices.map { column in
            let levels = all.compactMap { $0.levels[column] }.sorted()
            let place = share * Double(levels.count - 1)
            let below = Int(place)
            let above = min(below + 1, levels.count - 1)
            return levels[below] + (place - Double(below)) * (levels[above] - levels[below])
        }
    }
}
