@testable import HouseTracking
import WireProtocol
import Support
import Testing

/// The cost of a house of many persons: work is counted, not timed.
@Suite struct PersonsCostTests {
    private static let count = 1000
    private static let everybody = (0..<count).map { Person(id: "p\($0)", items: ["phone\($0)", "keys\($0)"]) }

    private static func tell(_ persons: inout Persons, _ item: String, in room: String, at seconds: Int) {
        let time = PersonStory.time(seconds)
        let location = Location(
            fuser: "main", state: .present, room: room, confidence: 0.9, since: time, previous: nil, at: time)
        persons.receive(location, of: item, heard: nil)
    }

    /// A house in which everybody is in the kitchen, and nothing waits.
    private static func settled() -> Persons {
        var persons = Persons(everybody)
        for number in 0..<count {
            for thing in ["phone", "keys"] { tell(&persons, "\(thing)\(number)", in: "k", at: 0) }
        }
        let changes = persons.takeChanges(at: PersonStory.time(0), served: .all)
        #expect(changes.map(\.person) == everybody.map(\.id) && persons.checks == UInt64(count))
        #expect(persons.takeMemories().count == count)
        return persons
    }

    @Test("Check and store only the one that moves of a thousand persons")
    func oneMoves() {
        var persons = Self.settled()
        let before = persons.checks
        Self.tell(&persons, "phone500", in: "h", at: 300)
        var moved: [String] = []
        // A turn a second, as if nodes publish each second.
        for second in 300..<420 {
            moved += persons.takeChanges(at: PersonStory.time(second), served: .all).filter { $0.kind == .moved }.map(
                \.person)
        }
        #expect(moved == ["p500"])
        // At the message, after the phone has been alone for long enough, and at the end of the time for the keys.
        #expect(persons.checks - before == 3)
        #expect(persons.takeMemories().map(\.person) == ["p500"])
        #expect(persons.nextDeadline == nil && !persons.isDue(at: PersonStory.time(100_000)))
    }

    @Test("Check each of a thousand that move at once as often as one alone")
    func allMove() {
        var persons = Self.settled()
        let before = persons.checks
        for number in 0..<Self.count { Self.tell(&persons, "phone\(number)", in: "h", at: 300 + number % 7) }
        var moved: Set<String> = []
        for second in 300..<420 {
            for change in persons.takeChanges(at: PersonStory.time(second), served: .all) where change.kind == .moved {
                #expect(moved.insert(change.person).inserted, "once each")
            }
        }
        #expect(moved.count == Self.count && persons.checks - before == 3 * UInt64(Self.count))
    }

    @Test("Return each owner from the queue at its last time, in order, with one entry for each")
    func queue() {
        var generator = SeededGenerator(seed: 8)
        var queue = DueQueue(owners: 50)
        var model: [Int: Int] = [:]
        for round in 0..<5000 {
            let owner = Int.random(in: 0..<50, using: &generator)
            switch Int.random(in: 0..<10, using: &generator) {
            case 0:
                queue.set(nil, of: owner)
                model[owner] = nil
            case 1:
                let due = model.filter { $0.value <= round }
                let taken = queue.takeDue(at: PersonStory.time(round))
                #expect(Set(taken) == Set(due.keys) && taken.count == due.count)
                #expect(taken.map { due[$0] ?? 0 } == due.values.sorted())
                for owner in taken { model[owner] = nil }
            default:
                let due = round + Int.random(in: 0..<300, using: &generator)
                queue.set(PersonStory.time(due), of: owner)
                model[owner] = due
            }
            #expect(queue.first == model.values.min().map { PersonStory.time($0) })
        }
    }
}
