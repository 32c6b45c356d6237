import Bytes
import Foundation
import HomeFiles
import RoomEstimation

// oracle: takes what `whereabouts locate` takes and answers like it, but knows what comes after. No product can: it says what
// of a locator's mistakes the same evidence could have spared.
var arguments: [String: String] = [:]
let words = Array(CommandLine.arguments.dropFirst())
for (name, value) in zip(words, words.dropFirst()) where name.hasPrefix("--") { arguments[name] = value }
guard let home = arguments["--home"], let sightings = arguments["--sightings"] else {
    print("usage: oracle --home FILE --sightings FILE [--learn-sightings FILE --learn-truth FILE]")
    exit(2)
}

let files = try HomeFiles(home: home)
var recordings: [Recording] = []
if let path = arguments["--learn-sightings"], let truth = arguments["--learn-truth"] {
    recordings = try files.recordings(path, truth: truth).map(\.recording)
}
let rooms = files.house.rooms
let lessons = TrainedModel(recordings, in: files.house)
let smoothing = Smoothing(recordings, rooms: rooms.count)
print("t_s,session,tag,room,confidence")
for (key, hops) in try files.hops(sightings) {
    var locator = Locator(house: files.house, lessons: lessons)
    let filtered = hops.map { hop in
        locator.weigh(hop)
        return locator.probabilities
    }
    for (hop, belief) in zip(hops, smoothing.smoothed(filtered)) {
        guard let best = belief.indices.max(by: { belief[$0] < belief[$1] }), belief[best] > 0 else { continue }
        let confidence = min(1, max(0, belief[best]))
        print("\(hop.end.microseconds / 1_000_000),\(key.session),\(key.tag),\(rooms[best].id),\(confidence)")
    }
}
