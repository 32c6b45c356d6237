/// Finds the best model of the rooms of a house: each part of the lessons is kept back in turn, and scored by a model
/// of the others.
///
/// A model that suits one house harms another, and only a house's own lessons show which. The measure is the mean log
/// loss, the surprise at the true room, which requires reliable confidence as well as the right room. The parts that
/// are kept back also show the confidence that the belief deserves, and the fit of lessons to hops they never saw.
struct CrossValidation {
    /// The chosen model.
    struct Choice {
        /// True if moves depend on their origins.
        var followsRoutes = false
        /// The calibration of the belief.
        var calibration: Calibration
        /// The nats a node at which the lessons count as much as nearness.
        var doubt: Double
        /// True if a guide set the place and the length of each stay.
        var isGuided = false
    }

    /// The choice of the least loss.
    private(set) var best: Choice
    /// Its answers on the parts that were kept back; empty unless a guide labelled them.
    private(set) var marks = Marks()

    private let house: House
    private let nodesByRoom: [Int]
    let parameters: Parameters

    init(_ recordings: [Recording], in house: House, parameters: Parameters) {
        self.house = house
        self.parameters = parameters
        nodesByRoom = house.nodesByRoom
        let isGuided = recordings.contains(where: \.isGuided)
        best = Choice(
            calibration: Calibration(slip: parameters.decision.slip), doubt: parameters.trust.doubt, isGuided: isGuided)
        let parts = Self.parts(recordings, count: parameters.trial.parts)
        guard parts.count > 1 else { return }
        let kept = parts.map { isGuided ? [Recording.joined($0)] : $0 }
        let others = parts.indices.map { part in parts.indices.filter { $0 != part }.flatMap { parts[$0] } }
        var least = Double.infinity
        // For each part the model of the others.
        let taught = others.map { TrainedModel(plain: $0, in: house, best, parameters: parameters) }
        choose(best, taught, on: kept, &least)
        guard least.isFinite else { return }
        tryRoutes(taught, of: others, on: kept, &least)
        sharpen(recordings)
    }

    /// Makes the belief surer than parts of few lessons showed: each was scored by a model of fewer.
    private mutating func sharpen(_ recordings: [Recording]) {
        let rooms = recordings.flatMap { recording in
            zip(recording.hops, recording.rooms).compactMap { hop, room in hop.readings.isEmpty ? nil : room }
        }
        let hopsARoom = Double(rooms.count) / Double(max(1, Set(rooms).count))
        let worth = Parameters.few
        best.calibration.sharpen(by: worth / (worth + hopsARoom), slip: parameters.trial.slips)
    }

    /// Tries moves by their origins, and adopts them if they are better.
    private mutating func tryRoutes(
        _ taught: [TrainedModel?], of others: [[Recording]], on kept: [[Recording]], _ least: inout Double
    ) {
        var tried = taught
        for (part, recordings) in others.enumerated() {
            tried[part]?.routes = taught[part]?.routes(in: recordings, of: house, parameters: parameters)
        }
        guard tried.contains(where: { $0?.routes != nil }) else { return }
        var choice = best
        (choice.followsRoutes, choice.doubt) = (true, parameters.trust.doubt)
        choose(choice, tried, on: kept, &least)
    }

    /// Adopts a choice of less loss than the least before, by the model of the others for each part.
    private mutating func choose(
        _ choice: Choice, _ taught: [TrainedModel?], on kept: [[Recording]], _ least: inout Double
    ) {
        var tally = Tally(search: Calibration.Search(parameters: parameters.trial))
        for (lessons, recordings) in zip(taught, kept) {
            guard var lessons else { continue }
            lessons.choice = choice
            score(lessons, on: recordings, &tally)
        }
        // A more complex model must show a gain: by chance alone it often does a little better.
        let gain = least.isFinite ? parameters.trial.gain : 1
        guard tally.hops > 0, let found = tally.search.best, found.loss < least * gain else { return }
        (best, least, marks) = (choice, found.loss, tally.marks)
        best.calibration = found.calibration
        // An item that never leaves the worst-fitting room must be located by the lessons too.
        let fits = [tally.fit] + tally.trusts.values.map(\.mean).filter(\.isFinite)
        best.doubt = min(choice.doubt, (fits.min() ?? tally.fit) - parameters.trial.margin)
    }

    /// The results of one choice on the parts that were kept back.
    private struct Tally {
        var search: Calibration.Search
        /// The labelled hops.
        var hops = 0
        /// The least fit of a part, in nats a node; of a room, if a guide stayed in one after another.
        var fit = Double.infinity
        /// The fit of the lessons in each room that a guide stayed in.
        var trusts: [Int: Trust] = [:]
        /// The answers by true room, of recordings that a guide made.
        var marks = Marks()
    }

    /// Recordings in so many parts; one that is alone is cut, and so is each of a guide's: it may be its room's only
    /// one.
    private static func parts(_ recordings: [Recording], count: Int) -> [[Recording]] {
        if recordings.contains(where: \.isGuided) {
            return (0..<count).map { part in recordings.flatMap { quarters($0, count: count)[part] } }
        }
        let labelled = recordings.filter { $0.rooms.contains { $0 != nil } }
        guard let only = labelled.first, labelled.count == 1 else {
            var parts = [[Recording]](repeating: [], count: min(count, labelled.count))
            for (index, recording) in labelled.enumerated() { parts[index % parts.count].append(recording) }
            return parts
        }
        let bounds = (0...count).map { only.hops.count * $0 / count }
        return zip(bounds, bounds.dropFirst()).map { from, to in
            [Recording(hops: Array(only.hops[from..<to]), rooms: Array(only.rooms[from..<to]))]
        }
    }

    /// Each stay of a guided recording in so many pieces; piece by piece, those of all its stays.
    private static func quarters(_ recording: Recording, count: Int) -> [[Recording]] {
        var pieces = [[Recording]](repeating: [], count: count)
        var start = 0
        while start < recording.rooms.count {
            let end = recording.rooms[start...].firstIndex { $0 != recording.rooms[start] } ?? recording.rooms.count
            for piece in 0..<count where recording.rooms[start] != nil {
                let range = start + (end - start) * piece / count..<start + (end - start) * (piece + 1) / count
                pieces[piece].append(recording.slice(range))
            }
            start = end
        }
        return pieces
    }

    /// Counts the surprise at the true rooms of one part, and the fit of the lessons to it; rooms that they do not
    /// cover are left out.
    private func score(_ lessons: TrainedModel, on recordings: [Recording], _ tally: inout Tally) {
        var trust = Trust.blank(parameters: parameters)
        for recording in recordings {
            var filter = StateFilter(lessons: lessons, parameters: parameters)
            for (hop, room) in zip(recording.hops, recording.rooms).prefix(parameters.trial.longest) {
                filter.step()
                let isKnown = filter.weigh(hop)
                // The lessons need not explain hops that they do not cover.
                if isKnown, let room, lessons.rooms.contains(room) {
                    filter.refine(share: 1)
                    trust.weigh(filter, in: house, nodesByRoom: nodesByRoom)
                    if recording.isGuided {
                        tally.trusts[room, default: .blank(parameters: parameters)]
                            .weigh(filter, in: house, nodesByRoom: nodesByRoom)
                    }
                }
                guard let room, let truth = lessons.rooms.firstIndex(of: room) else { continue }
                let logs = filter.logsOfRooms()
                tally.search.count(logs, truth: truth)
                if recording.isGuided, let best = logs.indices.max(by: { logs[$0] < logs[$1] }) {
                    tally.marks.count(lessons.rooms[best], of: room)
                }
                tally.hops += 1
            }
        }
        if trust.mean.isFinite { tally.fit = min(tally.fit, trust.mean) }
    }
}
