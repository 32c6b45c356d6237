internal import Bytes

/// Finds what tells rooms best in a house: each part of the lessons is kept back in turn, and judged by what the others taught.
///
/// What suits one house harms another, and only its own lessons can say so. The measure is the mean log loss, the surprise
/// at the true room, which asks for confidence that may be relied on as well as for the right room.
struct Trial {
    /// What is chosen.
    struct Choice {
        /// How long errors of levels last.
        var memory: Parameters.Shadowing.Memory
        /// For how many taught seconds a room is given a state.
        var stateSeconds: Int
    }

    /// The choice of the least loss.
    private(set) var best: Choice
    /// How it did with the parts that were kept back; empty where a guide didn't say what was where.
    private(set) var marks = Marks()

    init(_ recordings: [Recording], in house: House, parameters: Parameters) {
        // The simplest first: of equals it is taken.
        let choices = parameters.lessons.stateSeconds.flatMap { seconds in
            parameters.shadowing.memories.map { Choice(memory: $0, stateSeconds: seconds) }
        }
        best = choices[0]
        var losses = [Double](repeating: 0, count: choices.count)
        let parts = Self.parts(recordings, count: parameters.trial.parts)
        let isGuided = recordings.contains(where: \.isGuided)
        var marksOfChoices = [Marks](repeating: Marks(), count: choices.count)
        guard parts.count > 1 else { return }
        for part in parts.indices {
            let others = parts.indices.filter { $0 != part }.flatMap { parts[$0] }
            var lessons: Lessons?
            for (index, choice) in choices.enumerated() {
                if index == 0 || choice.stateSeconds != choices[index - 1].stateSeconds {
                    lessons = Lessons(plain: others, in: house, choice, parameters: parameters)
                }
                guard var lessons else { continue }
                lessons.memory = choice.memory
                for recording in isGuided ? [Recording.joined(parts[part])] : parts[part] {
                    losses[index] += Self.loss(
                        of: lessons, on: recording, parameters: parameters, &marksOfChoices[index])
                }
            }
        }
        var least = Double.infinity
        for (index, (choice, loss)) in zip(choices, losses).enumerated() {
            // Finer states must earn their place: by chance alone they often do a little better.
            guard loss < least * (choice.stateSeconds == best.stateSeconds ? 1 : parameters.trial.gain) else {
                continue
            }
            (best, least, marks) = (choice, loss, marksOfChoices[index])
        }
    }

    /// Recordings in so many parts; one that stands alone is cut, and so is each of a guide's: it may be its room's only one.
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

    /// The summed surprise at the true rooms of a recording, in nats; rooms that the lessons don't know are left out.
    private static func loss(
        of lessons: Lessons, on recording: Recording, parameters: Parameters, _ marks: inout Marks
    ) -> Double {
        var filter = Taught(lessons: lessons, parameters: parameters)
        let slip = parameters.decision.slip
        var loss = 0.0
        for (hop, room) in zip(recording.hops, recording.rooms).prefix(parameters.trial.longest) {
            filter.step()
            _ = filter.weigh(hop)
            guard let room, lessons.rooms.contains(room) else { continue }
            let chance = (1 - slip) * filter.probability(of: room) + slip / Double(lessons.rooms.count)
            loss -= Mathematics.log(chance)
            if recording.isGuided { marks.count(filter.likeliestRoom, of: room) }
        }
        return loss
    }
}
