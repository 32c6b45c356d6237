internal import WireProtocol

/// Persons of whom is told, or was, and whom this fuser's configuration doesn't name.
struct UnnamedPersons: Sendable {
    /// Persons known at once, of each kind; more are not looked at.
    static let capacity = Person.bound

    /// Those of whom this fuser's state holds a row.
    private(set) var remembered: Set<String> = []
    /// Those that this fuser can know were taken out of its configuration: whom its state remembers, and whom it told itself.
    private(set) var former: Set<String> = []
    /// Of these, those whose topics it has yet to clear.
    private(set) var uncleared: Set<String> = []
    /// The other fuser that told of one last, by person.
    private(set) var tellers: [String: String] = [:]

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
    mutating func recordPerson(_ person: String, toldBy teller: String) {
        guard tellers[person] != nil || tellers.count < Self.capacity else { return }
        tellers[person] = teller
        // What was cleared once, and is told again all the same, is in force there.
        if !uncleared.contains(person) { former.remove(person) }
    }

    /// Records that a person's topics are cleared; true if it has a stored row to delete.
    mutating func recordClearing(_ person: String) -> Bool {
        uncleared.remove(person)
        tellers[person] = nil
        return remembered.remove(person) != nil
    }

    /// Nothing stands of one any more that another told of.
    mutating func forget(_ person: String) { tellers[person] = nil }

    /// A fuser is gone for good, and whom it alone told of with it.
    mutating func forget(fuser: String) {
        for (person, teller) in tellers where teller == fuser {
            tellers[person] = nil
            noteFormer(person)
        }
    }
}
