internal import HouseTracking
internal import WireProtocol

/// Persons that were taken out of the configuration, and those that only another fuser's names.
///
/// In force is the configuration of the fuser that serves. It clears whom it can know to be taken out: whom its own state
/// remembers, and whom it told itself. Another that it doesn't name may be in force elsewhere: what was told of it stays.
extension FuserPipeline {
    /// Takes what an earlier run remembered of persons who are not in the configuration.
    mutating func recall(_ memories: [PersonMemory]) {
        for memory in memories where !persons.contains(memory.person) {
            // For whom this fuser is not there, for what is no id, or of too many, nobody would ever clear anything.
            let isOwn = shards.contains(Topics.shardNumber(of: memory.person)) && Identifier.isValid(memory.person)
            if !isOwn || !unnamed.remember(memory.person) { effects.gonePersons.append(memory.person) }
        }
    }

    /// Takes what another fuser, or an earlier run, told of a person that the configuration doesn't name.
    mutating func note(unnamed person: String, toldBy teller: String) {
        if teller == fuser || formerFusers.contains(teller) {
            unnamed.noteFormer(person)
        } else if Identifier.isValid(teller) {
            unnamed.note(person, toldBy: teller)
        }
    }

    /// Whether what is retained of an id is a person's whom this fuser doesn't name.
    func isUnnamedPerson(_ id: String) -> Bool { isFormerPerson(id) || isOthersPerson(id) }

    /// Whether an id is of a person that was taken out of the configuration.
    func isFormerPerson(_ id: String) -> Bool { unnamed.former.contains(id) && isFree(id) }

    /// Whether an id is of a person that only another fuser names.
    func isOthersPerson(_ id: String) -> Bool {
        unnamed.tellers[id] != nil && !unnamed.former.contains(id) && isFree(id)
    }

    /// Clears what stands of persons that were taken out of the configuration, as far as this fuser serves them, and names
    /// those that only another one's names. Before the broker has told what it retains nothing is done: an item may have
    /// such an id now, and another fuser may serve.
    mutating func leaveFormerPersons(_ outbox: inout [Message]) {
        guard retained.isComplete, retained.confirmedAt == nil else { return }
        for person in unnamed.uncleared.sorted() where serves(person) {
            if isFree(person) {
                for topic in [topics.location(person), topics.room(person), topics.itemAlert(person)] {
                    retained.disinherit(topic)
                    outbox.append(.clearing(topic))
                }
            }
            if unnamed.cleared(person) { effects.gonePersons.append(person) }
            // Home Assistant is told, too.
            news.items.insert(person)
        }
        judgeOthersPersons()
    }

    /// Another fuser is gone for good: nobody stands any more for whom it alone named.
    mutating func forget(fuser: String, _ outbox: inout [Message]) {
        unnamed.forget(fuser: fuser)
        leaveFormerPersons(&outbox)
    }

    private mutating func judgeOthersPersons() {
        let others = unnamed.tellers.filter { isOthersPerson($0.key) && serves($0.key) }
        for (teller, persons) in Dictionary(grouping: others.keys.sorted(), by: { others[$0] ?? "" }) {
            diagnostics.warn(
                "persons of \(teller)",
                "fuser '\(teller)' told of persons that this one's configuration doesn't name: "
                    + "\(Self.list(persons)). While this one serves nobody tells where they are: give both the same "
                    + "`persons`; of one who is no more `whereabouts purge \(persons[0])` clears what stands")
        }
    }

    /// Whether nothing else has an id: neither a person here nor an item.
    private func isFree(_ id: String) -> Bool {
        !persons.contains(id) && !hasEntry(id) && !household.hasHeard(of: id)
    }
}
