import Bytes
import HomeFiles
import RoomEstimation

extension RecordedHome {
    /// The figures of a split with these parameters.
    func score(_ split: Split, _ parameters: Parameters) -> Figures {
        score(split) { fold in
            var locator = locator(for: fold, parameters)
            return { hop in
                let answer = locator.weigh(hop)
                return answer.room.map { (room: $0, confidence: answer.confidence) }
            }
        }
    }

    /// The figures of the rule that an item is where its mean level of some seconds is greatest.
    func scoreLoudest(_ split: Split, seconds: Int) -> Figures {
        score(split) { _ in
            var window: [[Hop.Reading]] = []
            var room: Int?
            return { hop in
                window.append(Array(hop.readings))
                if window.count > seconds { window.removeFirst() }
                var sums: [Int: (level: Double, count: Double)] = [:]
                for reading in window.joined() {
                    sums[reading.node, default: (0, 0)].level += reading.level
                    sums[reading.node, default: (0, 0)].count += 1
                }
                let means = sums.mapValues { $0.level / $0.count }
                // Of nodes that hear alike the first counts.
                let best = means.max { ($0.value, $1.key) < ($1.value, $0.key) }
                room = best.flatMap { house.nodes[$0.key].room } ?? room
                return room.map { (room: $0, confidence: 1) }
            }
        }
    }

    /// The figures of answers, of which `begin` makes a source for each tag of a fold.
    private func score(
        _ split: Split, _ begin: (Fold) -> (Hop) -> (room: Int, confidence: Double)?
    ) -> Figures {
        var figures = Figures()
        for fold in split.folds {
            for (key, recording) in scored(in: fold) {
                let answer = begin(fold)
                let answers = recording.hops.compactMap { hop in
                    answer(hop).map {
                        TimedAnswer(
                            time: Double(hop.end.microseconds) / 1e6, room: $0.room, confidence: $0.confidence)
                    }
                }
                figures.score(answers, truth: stays[key] ?? [])
            }
        }
        return figures
    }
}
