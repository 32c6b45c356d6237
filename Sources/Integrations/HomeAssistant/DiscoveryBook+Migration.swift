internal import Bytes
internal import WireProtocol

/// Entities of the older form, a topic each: Home Assistant is asked to release them, the device takes them over with
/// their ids, and their topics are cleared (home-assistant.io/integrations/mqtt, "Migration from single component to
/// device based discovery").
extension DiscoveryBook {
    /// Receives an entity of the older form: it belongs to its device, and the owner of that migrates it, or clears it.
    mutating func receive(_ message: Message, ofSingle level: String, at now: MonotonicTime) {
        // `item_room` is the room of nothing.
        let device = DiscoveryDocument.entity(ofSingle: level)?.object
        let object = device.flatMap { isOfKind($0) ? $0 : nil } ?? level
        guard !message.payload.isEmpty else {
            if entries[object]?.singles.remove(message.topic) != nil { singles -= 1 }
            if entries[object]?.isEmpty == true { entries[object] = nil }
            return
        }
        guard entries[object] != nil || entries.count < Self.capacity, singles < Self.singleBound else { return }
        guard entries[object, default: Entry()].singles.insert(message.topic).inserted else { return }
        singles += 1
        urgent.add(object)
        recordRetained(object, at: now)
    }

    mutating func migrateDevice(_ object: String, _ entry: Entry, at now: MonotonicTime, _ steps: inout Steps) {
        for topic in entry.singles.sorted() {
            steps.messages.append(
                Message(topic: topic, text: #"{"migrate_discovery":true}"#, qos: .atLeastOnce, retained: true))
        }
        entries[object]?.isMigrating = true
        delays.migrate.add(object, at: now)
    }

    mutating func advanceMigration(to now: MonotonicTime, _ steps: inout Steps) {
        for object in delays.migrate.takeDue(now) {
            // The device takes over the released entities.
            entries[object]?.standing = nil
            urgent.add(object)
            delays.leave.add(object, at: now)
        }
        for object in delays.leave.takeDue(now) {
            guard let entry = entries[object], entry.isMigrating else { continue }
            for topic in entry.singles.sorted() { steps.messages.append(.clearing(topic)) }
            singles -= entry.singles.count
            entries[object]?.singles = []
            entries[object]?.isMigrating = false
        }
    }

    /// Clears those of a device that is gone.
    mutating func clearSingles(_ entry: Entry, _ steps: inout Steps) {
        for topic in entry.singles.sorted() {
            steps.messages.append(.clearing(topic))
            guard let (platform, level) = place.object(of: topic),
                let (object, key) = DiscoveryDocument.entity(ofSingle: level),
                [object, key, platform].allSatisfy(StandingDocument.isKey), isOfKind(object)
            else { continue }
            if graves.bury(object, [key: platform]) { steps.isChanged = true }
        }
        singles -= entry.singles.count
    }
}
