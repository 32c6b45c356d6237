public import Bytes
public import WireProtocol

/// The reception of messages.
extension DiscoveryBook {
    /// Records a new connection: the retained messages will arrive again.
    public mutating func connected(at now: MonotonicTime) {
        for (object, entry) in entries {
            var entry = entry
            (entry.standing, entry.singles, entry.isMigrating) = (nil, [], false)
            entries[object] = entry.isEmpty ? nil : entry
        }
        singles = 0
        delays.removeAll()
        passing.removeAll()
        (heeds, isReborn) = (.distantPast, false)
        begin(at: now + Self.settling)
        // Removals lost on the connection, or interrupted by the end of an earlier run.
        republishRemovals()
    }

    /// Receives a message; returns true if it is on one of its topics.
    public mutating func receive(_ message: Message, at now: MonotonicTime) -> Bool {
        if place.isBirth(message.topic) {
            switch String(decoding: message.payload, as: UTF8.self) {
            case "online": homeAssistantStarted(at: now)
            case "offline": homeAssistantEnded()
            default: break
            }
            return true
        }
        guard let (platform, object) = place.object(of: message.topic) else { return false }
        guard isOfKind(object) else { return true }
        if platform == "device" {
            receive(message, of: object, at: now)
        } else {
            receive(message, ofSingle: object, at: now)
        }
        return true
    }

    private mutating func receive(_ message: Message, of object: String, at now: MonotonicTime) {
        guard !message.payload.isEmpty else {
            // A document that this publisher cleared is unwanted, or was published again since: the new one arrives
            // next.
            if wants(object), entries[object]?.standing != nil {
                entries[object]?.isDeleted = true
                urgent.add(object)
            }
            entries[object]?.standing = nil
            if entries[object]?.isEmpty == true { entries[object] = nil }
            return
        }
        let digest = StandingDocument.digest(message.payload)
        guard entries[object]?.standing?.digest != digest, !passing.contains(digest) else { return }
        guard entries[object] != nil || entries.count < Self.capacity, StandingDocument.isKey(object) else { return }
        entries[object, default: Entry()].standing = StandingDocument(message.payload)
        entries[object]?.isDeleted = false
        recordRetained(object, at: now)
    }

    /// Records a retained document that may have to be cleared.
    mutating func recordRetained(_ object: String, at now: MonotonicTime) {
        guard !wants(object) else { return }
        isFullyWanted = false
        urgent.add(object)
        delays.absent.addOnce(object, at: now)
    }
}
