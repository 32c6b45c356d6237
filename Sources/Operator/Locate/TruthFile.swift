internal import Bytes
internal import Configuration
internal import RoomEstimation

/// The true rooms of tags: `session,tag,t_start,t_end,room`, one stay a row; its end belongs to the next.
struct TruthFile {
    private struct Stay {
        var start: Timestamp
        var end: Timestamp
        var room: Int
    }

    private var stays: [SightingsFile.Key: [Stay]] = [:]

    /// Reads all stays of a file, or throws the first fault.
    init(_ path: String, in house: House) throws(InputFault) {
        let bytes = try InputFault.text(of: path)
        var csv = try CSVReader(bytes.span, file: path, columns: ["session", "tag", "t_start", "t_end", "room"])
        while try csv.next() {
            guard let start = Timestamp(seconds: try csv.number(2)) else { throw csv.fault("t_start: out of range") }
            guard let end = Timestamp(seconds: try csv.number(3)) else { throw csv.fault("t_end: out of range") }
            guard start <= end else { throw csv.fault("t_end is before t_start") }
            guard let room = house.room(csv.fields[4]) else { throw csv.fault("no room '\(csv.fields[4])'") }
            let key = SightingsFile.Key(session: csv.fields[0], tag: csv.fields[1])
            stays[key, default: []].append(Stay(start: start, end: end, room: room))
        }
        for key in stays.keys { stays[key]?.sort { $0.start < $1.start } }
    }

    /// The tag's hops with the room of each, or nil if the file does not contain the tag.
    func recording(_ key: SightingsFile.Key, hops: [Hop]) -> Recording? {
        guard let stays = stays[key] else { return nil }
        var next = 0
        var rooms: [Int?] = []
        for hop in hops {
            while next < stays.count, stays[next].end <= hop.end { next += 1 }
            rooms.append(next < stays.count && stays[next].start <= hop.end ? stays[next].room : nil)
        }
        return Recording(hops: hops, rooms: rooms)
    }
}
