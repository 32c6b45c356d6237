internal import Bytes

/// What goes wrong, and what is said.
extension AdvertisingPilot {
    /// Something is wrong that waiting may mend, if it was on the air before or such things pass.
    mutating func stumble(_ fault: AdvertisingFault, at now: Timestamp) {
        guard phase != .ended else { return }
        guard fault.passes || (hasSent && fault.isMendable) else { return end(with: fault) }
        pause(fault, at: now)
    }

    /// Others send all that can be sent at once: what a dead program left is over in a moment.
    mutating func wait(forPlaces places: Int, at now: Timestamp) {
        let since = takenSince ?? now
        takenSince = since
        let fault = AdvertisingFault.taken(name, places: places)
        if !hasSent, now.microseconds(since: since) >= Self.patience { return end(with: fault) }
        pause(fault, at: now)
    }

    /// Looks again in a moment.
    mutating func pause(_ fault: AdvertisingFault, for time: Int64 = retry, at now: Timestamp) {
        isOnAir = false
        if problem != fault { tell(.warning, "\(fault); \(fault.mend)") }
        problem = fault
        phase = .searching(until: now.advanced(byMicroseconds: time))
    }

    mutating func end(with fault: AdvertisingFault) {
        guard phase != .ended else { return }
        // What is set up is removed; nobody waits for that.
        if let instance, let adapter {
            effects.append(.send(ManagementCommand.remove.bytes(adapter.index, [instance])))
        }
        (failure, problem, isOnAir) = (fault, fault, false)
        phase = .ended
    }

    /// Its place was taken from it: it comes back, though not faster than is good for both.
    mutating func lostPlace(at now: Timestamp) {
        if isOnAir { tell(.notice, "another program ended what \(name) advertises; it is begun again") }
        isOnAir = false
        instance = nil
        phase = .waiting(until: insistence.take(at: now) ? now : insistence.nextChance(from: now))
    }

    /// Says something, but not twice running.
    mutating func tell(_ level: RadioNotice.Level, _ text: String) {
        guard notices.count < RadioPilot.noticeBound, told != text else { return }
        told = text
        notices.append(RadioNotice(level: level, subject: "advertising", text: text))
    }
}
