internal import WireProtocol

/// What Home Assistant missed: it is shown at its start, and taken away.
extension DiscoveryBook {
    /// Home Assistant has started.
    mutating func born(at now: Int64) {
        guard let opens else { return }
        isReborn = now < heeds
        guard !isReborn else { return }
        for object in entries.keys { entries[object]?.isDeleted = false }
        if graves.open() { isRowNew = true }
        if now < opens {
            // One that is retained comes with the connection, as may another: all is told when the book opens.
            heeds = opens
        } else {
            heeds = now + Self.rebirth
            begin(at: now)
        }
        exhume()
    }

    /// Home Assistant has ended: nobody sees what is shown now.
    mutating func ended() {
        if graves.close() { isRowNew = true }
        isReborn = false
        delays.exhume.removeAll()
        delays.rebury.removeAll()
    }

    /// Has all that is open shown from the next beginning on.
    mutating func exhume() {
        delays.exhume.removeAll()
        for object in graves.opened { delays.exhume.add(object, at: nextSlot) }
    }

    mutating func advanceGraves(to now: Int64, _ publisher: Publisher, _ steps: inout Steps) {
        for object in delays.exhume.take(now) where publisher.owns(object) {
            guard let buried = graves.components(of: object) else { continue }
            pass(document(of: object, publisher), object, showing: buried, &steps)
            delays.rebury.add(object, at: now)
        }
        for object in delays.rebury.take(now) {
            guard let buried = graves.components(of: object) else { continue }
            if let document = document(of: object, publisher) {
                pass(document, object, removing: buried, &steps)
            } else {
                steps.messages.append(Message(topic: place.device(object), payload: [], qos: .atLeastOnce))
            }
            graves.forget(object)
            steps.isChanged = true
        }
    }

    /// A document that Home Assistant is to see once, and the broker is not to keep.
    private mutating func pass(
        _ document: DiscoveryDocument?, _ object: String, showing: [String: String] = [:],
        removing: [String: String] = [:], _ steps: inout Steps
    ) {
        let document = document ?? DiscoveryDocument(name: object, model: "", availability: [], components: [])
        let payload = document.payload(at: place, object, removing: removing, showing: showing)
        if passing.count >= Graves.capacity { passing.removeAll() }
        passing.insert(StandingDocument.digest(payload))
        steps.messages.append(Message(topic: place.device(object), payload: payload, qos: .atLeastOnce))
    }
}
