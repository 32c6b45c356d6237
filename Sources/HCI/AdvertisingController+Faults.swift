internal import Bytes

/// The handling and logging of faults.
extension AdvertisingController {
    /// Handles a fault: waits if it may pass, or if the advertiser was on the air before; ends otherwise.
    mutating func handleFault(_ fault: AdvertiserFault, at now: Timestamp) {
        guard phase != .ended else { return }
        guard fault.passes || (hasSent && fault.isMendable) else { return end(with: fault) }
        pause(fault, at: now)
    }

    /// Waits while others use all instances: those of a program that was killed expire within seconds.
    mutating func wait(forPlaces places: Int, at now: Timestamp) {
        let since = takenSince ?? now
        takenSince = since
        let fault = AdvertiserFault.taken(name, places: places)
        if !hasSent, now.duration(since: since) >= Self.patience { return end(with: fault) }
        pause(fault, at: now)
    }

    /// Tries again after a pause.
    mutating func pause(_ fault: AdvertiserFault, for time: Duration = retry, at now: Timestamp) {
        isOnAir = false
        if problem != fault { log(.warning, "\(fault); \(fault.mend)") }
        problem = fault
        phase = .searching(until: now.advanced(by: time))
    }

    mutating func end(with fault: AdvertiserFault) {
        guard phase != .ended else { return }
        // Removes the instance without waiting for the answer.
        if let instance, let adapter {
            effects.append(.send(ManagementCommand.remove.bytes(adapter.index, [instance])))
        }
        (failure, problem, isOnAir) = (fault, fault, false)
        phase = .ended
    }

    /// Another program removed its instance: sets it up again, at a limited rate.
    mutating func lostPlace(at now: Timestamp) {
        if isOnAir { log(.notice, "another program ended what \(name) advertises; it is begun again") }
        isOnAir = false
        instance = nil
        phase = .waiting(until: resumptions.takeChance(at: now) ? now : resumptions.nextChance(from: now))
    }

    /// Logs a text, unless it repeats the previous one.
    mutating func log(_ level: RadioNotice.Level, _ text: String) {
        notices.appendNew(level, "advertising", text)
    }
}
