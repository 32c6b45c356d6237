internal import Advertising

extension Complaints {
    /// Tells what was malformed in an input, where anything was.
    mutating func tell(_ counters: AdvertisingCounters, _ brokenStructures: Int, of name: String) {
        if counters.malformed > 0 {
            note(
                "\(name): malformed reports or events: \(counters.malformed), in \(counters.events) advertising events")
        }
        if brokenStructures > 0 {
            note("\(name): advertisements whose AD structures pass the end of their data: \(brokenStructures)")
        }
        if counters.fragmentsDropped > 0 {
            note("\(name): fragments whose rest never came: \(counters.fragmentsDropped)")
        }
    }
}
