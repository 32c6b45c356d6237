internal import Bytes
internal import Store

/// A walk with an item, during which a person marked the rooms where it truly was.
struct TruthWalk: Hashable {
    /// A time in one room.
    struct Stay: Hashable {
        /// The room's id.
        var room: String
        /// The beginning of the stay.
        var from: Timestamp
        /// The end of the stay, which belongs to the next one.
        var to: Timestamp
    }

    /// The time for which a mark holds without another one: who forgets to end a walk records no more than that.
    static let longestStay: Duration = .hours(1)

    /// Its stays in the order of time; each begins when the one before ends.
    private(set) var stays: [Stay]
    /// True if it goes on: its last stay ends now.
    private(set) var isOpen: Bool

    /// The beginning of the walk.
    var from: Timestamp { stays[0].from }
    /// The end of the walk; now, if it goes on.
    var to: Timestamp { stays[stays.count - 1].to }

    /// The walks of an item's marks, which are in the order of time. Marks of the same room make one stay.
    static func walks(of marks: [TruthRecord], at now: Timestamp) -> [TruthWalk] {
        var walks: [TruthWalk] = []
        for (index, mark) in marks.enumerated() where mark.at < now {
            guard let room = mark.room else { continue }
            let expiry = mark.at.advanced(by: longestStay)
            let next = index + 1 < marks.count ? marks[index + 1].at : now
            let stay = Stay(room: room, from: mark.at, to: min(next, expiry, now))
            let isOpen = index + 1 == marks.count && now < expiry
            guard var walk = walks.last, walk.to == mark.at, marks[index - 1].room != nil else {
                walks.append(TruthWalk(stays: [stay], isOpen: isOpen))
                continue
            }
            if walk.stays[walk.stays.count - 1].room == room {
                walk.stays[walk.stays.count - 1].to = stay.to
            } else {
                walk.stays.append(stay)
            }
            walk.isOpen = isOpen
            walks[walks.count - 1] = walk
        }
        return walks
    }

    /// Walks as a table of true rooms that `whereabouts locate` reads. A session is a walk, named by its first second; times are
    /// Unix seconds.
    static func table(_ walks: [TruthWalk], of item: String) -> String {
        var text = "session,tag,t_start,t_end,room\n"
        for walk in walks {
            let session = walk.from.microseconds / 1_000_000
            for stay in walk.stays {
                text += "\(session),\(item),\(seconds(stay.from)),\(seconds(stay.to)),\(stay.room)\n"
            }
        }
        return text
    }

    private static func seconds(_ time: Timestamp) -> String {
        var json = JSONWriter()
        json.value(time)
        return json.text
    }
}
