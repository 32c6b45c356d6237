internal import BrokerSession
internal import HouseTracking
internal import Store

/// The stored state of persons: a row each.
extension FuserMemory {
    /// The setting in which all persons were stored before each had a row.
    private static let olderRow = "persons"

    /// The state of persons of an earlier run. One that cannot be read has its id alone.
    func persons() -> [PersonMemory] {
        let rows =
            state.read("persons are found anew") { store throws(StoreError) in
                (try store.persons(), try store.setting(Self.olderRow))
            } ?? ([], nil)
        var memories = rows.0.map { row in
            if let memory = PersonMemory(person: row.person, bytes: row.detail.span) { return memory }
            state.logFault(
                "what was remembered of person '\(row.person)' can't be read: only that person is found anew")
            return PersonMemory(nothingOf: row.person)
        }
        guard let text = rows.1 else { return memories }
        let newer = Set(memories.map(\.person))
        if let all = PersonMemory.all(in: text) {
            olderPersons = all.filter { !newer.contains($0.person) }
            memories += olderPersons ?? []
        } else {
            state.logFault("what was remembered of persons can't be read: they are found anew")
            olderPersons = []
        }
        return memories
    }

    /// Gives each person of the older form a row in its place; once, with the first batch that is written anyway: until
    /// then the end of the run before stays on record.
    func moveOlderPersons(to batch: inout StoreBatch) {
        guard let older = olderPersons else { return }
        for memory in older { batch.set(Self.row(memory)) }
        batch.set(.forgetSetting(Self.olderRow))
        olderPersons = nil
    }

    static func row(_ memory: PersonMemory) -> StoreChange {
        .person(PersonRecord(person: memory.person, detail: memory.bytes))
    }
}
