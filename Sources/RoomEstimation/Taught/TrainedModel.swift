/// The model of a house from labelled recordings: the nodes' reception of an item in each room, and the movement of
/// items.
///
/// Rooms are split into states, places inside a room with similar levels. A state has a joint distribution of levels, a
/// share of silence for each node, and probabilities of passing into the others. Lessons never change; copies share
/// them.
public struct TrainedModel: Sendable {
    /// The nodes with a packet in the lessons, by ascending index. Others are no evidence to a taught likelihood.
    public let nodes: [Int]
    /// The rooms that were taught, by ascending index.
    public let rooms: [Int]
    /// The room of each state, as an index into `rooms`.
    let roomOfState: [Int]
    let states: Gaussians
    let wholeRooms: Gaussians
    /// The probability that a node that receives at all is silent for a hop: a row of nodes for each state.
    let silence: [Double]
    let motion: Motion
    /// The moves by their origins; nil if the choice is to do without.
    var routes: Routes?
    /// The best choice, each part of the lessons scored by the others.
    var choice: CrossValidation.Choice
    /// The weight of the lessons against nearness if they fit, 0...1: a few packets a room, of a beacon with one a
    /// minute, are weaker evidence than the rooms of the nodes.
    let share: Double

    /// Learns from recordings; nil if no labelled hop has a reading.
    ///
    /// Takes time in proportion to hops × states × nodes: seconds for hours of lessons. Parts of the lessons are kept
    /// back in turn to find the best evidence of their rooms; the rest is learned from all.
    public init?(_ recordings: [Recording], in house: House, parameters: Parameters = Parameters()) {
        guard let lessons = Self.learn(recordings, in: house, parameters: parameters).lessons else { return nil }
        self = lessons
    }

    /// Learns from recordings, and counts the answers on parts that were kept back of them. Blocks for seconds on hours
    /// of recordings; nil in place of lessons if there is no packet.
    package static func learn(
        _ recordings: [Recording], in house: House, parameters: Parameters
    ) -> (lessons: TrainedModel?, marks: Marks) {
        let recordings = Recording.recognizingGuides(recordings)
        let trial = CrossValidation(recordings, in: house, parameters: parameters)
        return (TrainedModel(plain: recordings, in: house, trial.best, parameters: parameters), trial.marks)
    }

    /// Learns without trying anything.
    init?(plain recordings: [Recording], in house: House, _ choice: CrossValidation.Choice, parameters: Parameters) {
        self.choice = choice
        let samples = Samples(recordings, in: house, parameters: parameters.lessons)
        guard !samples.all.isEmpty else { return nil }
        let learning = parameters.lessons
        let weak = samples.quantiles(learning.weak)
        let roomOfSample = samples.all.map(\.room)
        let (stateOfSample, roomOfState) = Self.split(
            samples, weak: weak, parameters: learning)

        nodes = samples.nodes
        rooms = samples.rooms
        let hops = Double(samples.heard) / Double(rooms.count)
        let weight = (hops / Parameters.few) * (hops / Parameters.few).squareRoot()
        share = weight / (1 + weight)
        self.roomOfState = roomOfState
        let wholeRooms = Gaussians(
            samples.all, groups: roomOfSample, count: rooms.count, nodes: nodes.count,
            priors: rooms.map { _ in weak }, parameters: learning)
        let roomMeans = rooms.indices.map { room in
            Array(wholeRooms.means[room * samples.nodes.count..<(room + 1) * samples.nodes.count])
        }
        states = Gaussians(
            samples.all, groups: stateOfSample, count: roomOfState.count, nodes: nodes.count,
            priors: roomOfState.map { roomMeans[$0] }, parameters: learning)
        self.wholeRooms = wholeRooms
        silence = Self.silence(samples, stateOfSample, roomOfState, parameters: learning)
        motion =
            choice.isGuided
            ? Motion(
                guided: recordings, in: house, samples: samples, stateOfSample: stateOfSample,
                roomOfState: roomOfState, parameters: parameters)
            : Motion(
                recordings, in: house, samples: samples, stateOfSample: stateOfSample, roomOfState: roomOfState,
                parameters: parameters)
        routes = choice.followsRoutes ? routes(in: recordings, of: house, parameters: parameters) : nil
    }

    /// The routes that recordings show; nil if they show none, or if a guide made them: they contain nobody's habits.
    func routes(in recordings: [Recording], of house: House, parameters: Parameters) -> Routes? {
        guard !choice.isGuided else { return nil }
        return Routes(
            recordings, in: house, rooms: rooms, motion: motion, roomOfState: roomOfState, parameters: parameters)
    }

    /// Splits each room into states: the state of each sample, and the room of each state.
    private static func split(
        _ samples: Samples, weak: [Double], parameters: Parameters.TrainedModel
    ) -> (stateOfSample: [Int], roomOfState: [Int]) {
        var clustering = Clustering()
        var stateOfSample = [Int](repeating: 0, count: samples.all.count)
        var roomOfState: [Int] = []
        for room in samples.rooms.indices {
            let places = samples.all.indices.filter { samples.all[$0].room == room }
            let points = places.map { place in
                zip(samples.all[place].levels, weak).map { $0 ?? $1 - parameters.belowWeak }
            }
            let most = max(1, parameters.states / samples.rooms.count)
            let count = min(most, max(1, places.count / max(1, parameters.stateSeconds)))
            let clusters = clustering.clusters(points, count: count, rounds: parameters.rounds, tries: parameters.tries)
            var stateOfCluster = [Int?](repeating: nil, count: count)
            for (place, cluster) in zip(places, clusters) {
                let state = stateOfCluster[cluster] ?? roomOfState.count
                if state == roomOfState.count { roomOfState.append(room) }
                stateOfCluster[cluster] = state
                stateOfSample[place] = state
            }
        }
        return (stateOfSample, roomOfState)
    }

    /// Shares of silence: a state's start as its room's, a room's as the house's.
    private static func silence(
        _ samples: Samples, _ stateOfSample: [Int], _ roomOfState: [Int], parameters: Parameters.TrainedModel
    ) -> [Double] {
        let floor = parameters.leastSilence
        let nodes = samples.nodes.count
        var shares: [Double] = []
        var house = [Share](repeating: Share(), count: nodes)
        var rooms = [Share](repeating: Share(), count: samples.rooms.count * nodes)
        var states = [Share](repeating: Share(), count: roomOfState.count * nodes)
        for (sample, state) in zip(samples.all, stateOfSample) {
            for column in 0..<nodes where sample.live[column] {
                let silent = sample.levels[column] == nil
                house[column].count(silent)
                rooms[sample.room * nodes + column].count(silent)
                states[state * nodes + column].count(silent)
            }
        }
        for state in roomOfState.indices {
            for column in 0..<nodes {
                let base = min(1 - floor, max(floor, house[column].share(from: 0, worth: 0)))
                let room = rooms[roomOfState[state] * nodes + column]
                    .share(from: base, worth: Parameters.prior)
                let own = states[state * nodes + column].share(from: room, worth: Parameters.prior)
                shares.append(min(1 - floor, max(floor, own)))
            }
        }
        return shares
    }

    private struct Share {
        var silent = 0.0
        var live = 0.0

        mutating func count(_ isSilent: Bool) {
            live += 1
            if isSilent { silent += 1 }
        }

        func share(from prior: Double, worth: Double) -> Double {
            (silent + worth * prior) / max(1, live + worth)
        }
    }
}
