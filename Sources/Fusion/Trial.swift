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

    init(_ recordings: [Recording], in house: House, parameters: Parameters) {
        // The simplest first: of equals it is taken.
        let choices = parameters.lessons.stateSeconds.flatMap { seconds in
            parameters.shadowing.memories.map { Choice(memory: $0, stateSeconds: seconds) }
        }
        best = choices[0]
        var losses = [Double](repeating: 0, count: choices.count)
        let parts = Self.parts(recordings, count: parameters.trial.parts)
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
                for recording in parts[part] {
                    losses[index] += Self.loss(of: lessons, on: recording, parameters: parameters)
                }
            }
        }
        var least = Double.infinity
        for (choice, loss) in zip(choices, losses) {
            // Finer states must earn their place: by chance alone they often do a little better.
            guard loss < least * (choice.stateSeconds == best.stateSeconds ? 1 : parameters.trial.gain) else {
                continue
            }
            (best, least) = (choice, loss)
        }
    }

    /// Recordings in so many parts; one that stands alone is cut.
    private static func parts(_ recordings: [Recording], count: Int) -> [[Recording]] {
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

    /// The summed surprise at the true rooms of a recording, in nats; rooms that the lessons don't know are left out.
    private static func loss(of lessons: Lessons, on recording: Recording, parameters: Parameters) -> Double {
        var filter = Taught(lessons: lessons, parameters: parameters)
        let slip = parameters.decision.slip
        var loss = 0.0
        for (hop, room) in zip(recording.hops, recording.rooms).prefix(parameters.trial.longest) {
            filter.step()
            _ = filter.weigh(hop)
            guard let room, lessons.rooms.contains(room) else { continue }
            let chance = (1 - slip) * filter.probability(of: room) + slip / Double(lessons.rooms.count)
            loss -= Mathematics.log(chance)
        }
        return loss
    }
}
