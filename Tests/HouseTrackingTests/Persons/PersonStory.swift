import Bytes
import HouseTracking
import WireProtocol

/// A person's life on a virtual clock, a character for each ten seconds: a small letter is a room, `.` quiet in the
/// room before, `-` away, `?` unknown, a blank no message.
struct PersonStory {
    static let step = 10
    var persons: Persons
    let person: Person
    private(set) var now: Int
    /// The published answers, a line for each item and so for the person.
    private(set) var line = ""
    /// Events as text, such as `40 moved kitchen → hall`, with the room's letter.
    private(set) var events: [String] = []
    private(set) var changes: [PersonChange] = []
    var served = ShardSet.all
    private var letters: [String: Character] = [:]
    private var rooms: [String: String] = [:]

    init(_ items: [String], mustHave: [String] = [], remembering memories: [PersonMemory] = [], from now: Int = 0) {
        person = Person(id: "anna", name: "Anna", items: items, mustHave: mustHave)
        persons = Persons([person], remembering: memories)
        self.now = now
    }

    static func time(_ seconds: Int) -> Timestamp {
        Timestamp(microseconds: 1_000_000_000_000 + Int64(seconds) * 1_000_000)
    }

    /// Lives through lines of the same length, one for each item.
    mutating func live(_ lines: [String: String]) {
        let columns = lines.mapValues { Array($0) }
        let length = columns.values.map(\.count).max() ?? 0
        for column in 0..<length {
            for (item, letters) in columns.sorted(by: { $0.key < $1.key }) where column < letters.count {
                tell(item, letters[column])
            }
            for _ in 0..<Self.step {
                settle()
                now += 1
            }
            line.append(letter)
        }
    }

    /// The person's answer as a letter.
    var letter: Character {
        guard let location = persons.location(of: "anna", fuser: "main", at: Self.time(now)) else { return "!" }
        switch location.state {
        case .unknown: return "?"
        case .away: return "-"
        case .quiet: return Character(location.room?.uppercased() ?? "!")
        case .present: return Character(location.room ?? "!")
        }
    }

    /// The items that decide, and those that were left behind.
    var deciding: String? { persons.location(of: "anna", fuser: "main", at: Self.time(now))?.items.first?.item }
    var leftBehind: [String] {
        persons.location(of: "anna", fuser: "main", at: Self.time(now))?.items.filter(\.isLeftBehind).map(\.item) ?? []
    }

    mutating func settle() {
        note(persons.takeChanges(at: Self.time(now), served: served))
    }

    mutating func note(_ more: [PersonChange]) {
        changes += more
        for change in more {
            guard let kind = change.kind else { continue }
            let at = change.at.microseconds(since: Self.time(0)) / 1_000_000
            events.append("\(at) \(kind) \(change.previous ?? "-")→\(change.room ?? "-")")
        }
    }

    private mutating func tell(_ item: String, _ letter: Character) {
        guard letter != " ", letters.updateValue(letter, forKey: item) != letter else { return }
        var state = Location.State.present
        switch letter {
        case "?": state = .unknown
        case "-": state = .away
        case ".": state = .quiet
        default: rooms[item] = String(letter)
        }
        let room = state == .present || state == .quiet ? rooms[item] : nil
        let location = Location(
            fuser: "main", state: state, room: room, confidence: 0.9, since: Self.time(now), previous: nil,
            at: Self.time(now))
        persons.receive(location, of: item, heard: nil)
    }
}
