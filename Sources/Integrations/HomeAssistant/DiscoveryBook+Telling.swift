public import Bytes
internal import WireProtocol

/// The publication of documents.
extension DiscoveryBook {
    /// The publisher's answers about its devices.
    struct Publisher {
        let owns: (String) -> Bool
        let isGone: (String, String?) -> Bool
        let describe: (String) -> DiscoveryDocument?
    }

    /// Carries out the steps that are due at `now`.
    ///
    /// - Parameters:
    ///   - owns: returns true if this publisher may publish and clear a device.
    ///   - isGone: returns true if a retained and unwanted device is gone for certain, by its description and its
    ///     model. The publisher may not yet know of the others, and they stay for `patience`.
    ///   - describe: the document of a wanted device.
    public mutating func advance(
        to now: MonotonicTime, owns: @escaping (String) -> Bool,
        isGone: @escaping (String, String?) -> Bool = { _, _ in true },
        describe: @escaping (String) -> DiscoveryDocument?
    ) -> Steps {
        var steps = Steps()
        guard let opens, now >= opens else { return steps }
        if isReborn, now >= heeds { homeAssistantStarted(at: now) }
        (steps.isChanged, isRowNew) = (isRowNew, false)
        let publisher = Publisher(owns: owns, isGone: isGone, describe: describe)
        advanceDelays(to: now, publisher, &steps)
        publishChanges(at: now, publisher, &steps)
        return steps
    }

    private mutating func publishChanges(at now: MonotonicTime, _ publisher: Publisher, _ steps: inout Steps) {
        var (told, looks) = (0, 0)
        while told < Self.burst, looks < Self.lookBound, now >= nextSlot {
            let next = urgent.takeNext()
            let again = next == nil ? forced.takeNext() : nil
            guard let object = next ?? again ?? all.takeNext() else { break }
            looks += 1
            guard publishDevice(object, again != nil, at: now, publisher, &steps) else { continue }
            // It was just published, and needs no publication with all others.
            forced.remove(object)
            all.remove(object)
            told += 1
            nextSlot = max(nextSlot + Self.pace, now - Self.pace * Self.burst)
        }
    }

    /// Publishes the changes of a device; returns true if there were any.
    private mutating func publishDevice(
        _ object: String, _ isForced: Bool, at now: MonotonicTime, _ publisher: Publisher, _ steps: inout Steps
    ) -> Bool {
        guard let entry = entries[object] else { return false }
        guard publisher.owns(object) else {
            // Its owner may have had other reasons.
            entries[object]?.isDeleted = false
            return false
        }
        guard let document = document(of: object, publisher) else {
            guard entry.isOver || publisher.isGone(object, entry.standing?.model) else { return false }
            return clearObject(object, entry, &steps)
        }
        guard !entry.isDeleted else { return false }
        guard entry.singles.isEmpty || entry.isMigrating else {
            migrateDevice(object, entry, at: now, &steps)
            return true
        }
        let platforms = document.platforms
        let gone = (entry.standing?.components ?? [:]).filter { platforms[$0.key] == nil }
        let payload = document.payload(at: place, object, removing: gone)
        let digest = StandingDocument.digest(payload)
        guard isForced || entry.standing?.digest != digest else { return false }
        steps.messages.append(
            Message(topic: place.device(object), payload: payload, qos: .atLeastOnce, retained: true))
        entries[object]?.standing = StandingDocument(document, digest: digest)
        if graves.recover(object, platforms) { steps.isChanged = true }
        if !gone.isEmpty {
            if graves.bury(object, gone) { steps.isChanged = true }
            // Leaves out the removed entities, after Home Assistant has removed them.
            delays.clean.add(object, at: now)
        }
        delays.soon.add(object, at: now)
        delays.late.add(object, at: now)
        return true
    }

    /// The document of a wanted device. A name that is retained takes precedence over one made of the id.
    func document(of object: String, _ publisher: Publisher) -> DiscoveryDocument? {
        guard let entry = entries[object], entry.isWanted, var document = publisher.describe(object) else { return nil }
        if document.isNameGuessed, let name = entry.standing?.name { document.name = name }
        return document
    }

    private mutating func clearObject(_ object: String, _ entry: Entry, _ steps: inout Steps) -> Bool {
        clearSingles(entry, &steps)
        if let standing = entry.standing {
            steps.messages.append(.clearing(place.device(object)))
            if graves.bury(object, standing.components) { steps.isChanged = true }
        }
        entries[object] = nil
        return entry.standing != nil || !entry.singles.isEmpty
    }

    private mutating func advanceDelays(to now: MonotonicTime, _ publisher: Publisher, _ steps: inout Steps) {
        steps.restated += delays.soon.takeDue(now) + delays.late.takeDue(now)
        for object in delays.clean.takeDue(now) { urgent.add(object) }
        for object in delays.absent.takeDue(now) where entries[object].map({ !$0.isWanted }) ?? false {
            entries[object]?.isOver = true
            urgent.add(object)
        }
        advanceMigration(to: now, &steps)
        advanceGraves(to: now, publisher, &steps)
    }
}

extension DiscoveryDocument {
    /// The platforms of its entities, by key.
    var platforms: [String: String] {
        Dictionary(components.map { ($0.key, $0.platform.rawValue) }) { first, _ in first }
    }
}
