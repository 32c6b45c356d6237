internal import WireProtocol

/// Persons published by another fuser, or by an earlier configuration, that this configuration does not list.
struct UnnamedPersons: Sendable {
    /// Persons known at once, of each kind; others are ignored.
    static let capacity = Person.bound

    /// Those that this fuser's state stores.
    private(set) var remembered: Set<String> = []
    /// Those that were removed from this fuser's configuration: stored, or published by it before.
    private(set) var former: Set<String> = []
    /// Of these, those whose topics it has yet to clear.
    private(set) var uncleared: Set<String> = []
    /// The other fuser that published each person last.
    private(set) var publishers: [String: String] = [:]

    /// Adds a person with a stored row; false if there are too many.
    mutating func addPerson(_ person: String) -> Bool {
        guard remembered.count < Self.capacity else { return false }
        remembered.insert(person)
        noteFormer(person)
        return true
    }

    /// Records a person that was removed from the configuration.
    mutating func noteFormer(_ person: String) {
        guard former.contains(person) || former.count < 2 * Self.capacity else { return }
        former.insert(person)
        uncleared.insert(person)
    }

    /// Records that another fuser publishes a person.
    mutating func recordPerson(_ person: String, publishedBy fuser: String) {
        guard publishers[person] != nil || publishers.count < Self.capacity else { return }
        publishers[person] = fuser
        // A person that is published again after it was cleared is in that fuser's configuration.
        if !uncleared.contains(person) { former.remove(person) }
    }

    /// Records that a person's topics are cleared; true if it has a stored row to delete.
    mutating func recordClearing(_ person: String) -> Bool {
        uncleared.remove(person)
        publishers[person] = nil
        return remembered.remove(person) != nil
    }

    /// Records that another fuser has cleared a person.
    mutating func clearPublisher(of person: String) { publishers[person] = nil }

    /// Records that a fuser was removed: its persons are former ones.
    mutating func removeFuser(_ fuser: String) {
        for (person, publisher) in publishers where publisher == fuser {
            publishers[person] = nil
            noteFormer(person)
        }
    }
}
