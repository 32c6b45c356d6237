internal import Bytes
internal import WireProtocol

/// The removals that Home Assistant missed: each is published again at its start, and removed.
extension DiscoveryBook {
    /// Records that Home Assistant has started.
    mutating func homeAssistantStarted(at now: MonotonicTime) {
        guard let opens else { return }
        isReborn = now < heeds
        guard !isReborn else { return }
        for object in entries.keys { entries[object]?.isDeleted = false }
        if graves.open() { isRowNew = true }
        if now < opens {
            // A retained birth message arrives with the connection, as may another: everything is published at the
            // opening of the book.
            heeds = opens
        } else {
            heeds = now + Self.rebirth
            begin(at: now)
        }
        republishRemovals()
    }

    /// Records that Home Assistant has ended: it doesn't receive further messages.
    mutating func homeAssistantEnded() {
        if graves.close() { isRowNew = true }
        isReborn = false
        delays.exhume.removeAll()
        delays.rebury.removeAll()
    }

    /// Publishes all open removals again from the next start on.
    mutating func republishRemovals() {
        delays.exhume.removeAll()
        for object in graves.opened { delays.exhume.add(object, at: nextSlot) }
    }

    mutating func advanceGraves(to now: MonotonicTime, _ publisher: Publisher, _ steps: inout Steps) {
        for object in delays.exhume.takeDue(now) where publisher.owns(object) {
            guard let buried = graves.components(of: object) else { continue }
            publishDocument(document(of: object, publisher), object, showing: buried, &steps)
            delays.rebury.add(object, at: now)
        }
        for object in delays.rebury.takeDue(now) {
            guard let buried = graves.components(of: object) else { continue }
            if let document = document(of: object, publisher) {
                publishDocument(document, object, removing: buried, &steps)
            } else {
                steps.messages.append(Message(topic: place.device(object), payload: [], qos: .atLeastOnce))
            }
            graves.forget(object)
            steps.isChanged = true
        }
    }

    /// Publishes a document that Home Assistant needs once, and the broker is not to retain.
    private mutating func publishDocument(
        _ document: DiscoveryDocument?, _ object: String, showing: [String: String] = [:],
        removing: [String: String] = [:], _ steps: inout Steps
    ) {
        let document = document ?? DiscoveryDocument(name: object, model: "", availability: [], components: [])
        let payload = document.payload(at: place, object, removing: removing, showing: showing)
        if passing.count >= RemovedEntities.capacity { passing.removeAll() }
        passing.insert(StandingDocument.digest(payload))
        steps.messages.append(Message(topic: place.device(object), payload: payload, qos: .atLeastOnce))
    }
}
