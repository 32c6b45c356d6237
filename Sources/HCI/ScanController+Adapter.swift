internal import Bytes

/// The handling of adapters that are added and removed.
extension ScanController {
    /// Receives the adapters present.
    mutating func receiveAdapters(_ adapters: [Adapter], at now: Timestamp) {
        guard case .searching = phase else { return }
        do throws(RadioFault) {
            let adapter = try chooser.choose(among: adapters, at: now)
            missingSince = nil
            if ladder.cause == .gone { ladder.cancelClimb() }
            if self.adapter?.address != adapter.address || self.adapter?.index != adapter.index { features = nil }
            self.adapter = adapter
            // The steps that act on a scan wait until there is one again.
            if let rung = ladder.upcoming, rung >= .downUp { climbLadder(at: now) }
            guard case .searching = phase else { return }
            // A user channel opens an adapter that is down, and the kernel's own stack one that is up.
            if adapter.isUp == (settings.channel == .shared) {
                effects.append(.open(adapter.index))
            } else {
                beginLift(adapter.isUp ? .down : .up, byLadder: false)
            }
        } catch {
            recordFault(error, at: now)
            // Steps for the controller don't apply to an adapter that is gone, blocked, or in use by another program.
            if ladder.cause != .gone { ladder.cancelClimb() }
            if case .noAdapter = error { adapterMissing(at: now) } else { missingSince = nil }
        }
    }

    /// The socket is open.
    mutating func socketOpened(at now: Timestamp) {
        isOpen = true
        features = nil
        if let adapter { chooser.use(adapter) }
        setUp(settings.channel == .user ? .reset : .parameters, byLadder: false, at: now)
    }

    /// The socket couldn't be opened.
    mutating func socketRefused(_ code: Int32, at now: Timestamp) {
        recordFault(ErrorNumber.fault(code, of: "open", on: name, chooser.choice), at: now)
        phase = .searching(until: now.advanced(by: Self.retry))
    }

    /// The step of the ladder or of the opening has ended, with 0 or an error number.
    mutating func liftEnded(_ code: Int32, at now: Timestamp) {
        guard case .lifting(let lift, let byLadder) = phase else { return }
        if lift == .reset, isOpen, code == 0 { return setUp(.masks, byLadder: true, at: now) }
        phase = .searching(until: now)
        if lift == .reset, isOpen { return setUpFailed(.silent, .silent(name), byLadder: true, at: now) }
        if byLadder {
            let outcome: RecoveryLadder.Outcome =
                code == 0 ? .done : ErrorNumber.isLackOfMeans(code) ? .impossible : .failed
            ladder.receive(outcome, at: now)
        } else if code != 0 {
            let fault = ErrorNumber.fault(code, of: "take \(lift)", on: name, chooser.choice)
            recordFault(fault, at: now)
            phase = .searching(until: now.advanced(by: Self.retry))
            if case .silent = fault { ladder.begin(.stuck, at: now) }
        }
    }

    /// The socket failed: the adapter is gone or down.
    mutating func socketFailed(_ code: Int32, at now: Timestamp) {
        guard isOpen else { return }
        let fault = ErrorNumber.fault(code, of: "scan on", on: name, chooser.choice)
        if case .down = fault { return wentDown(at: now) }
        recordFault(fault, at: now)
        if case .noAdapter = fault { return leaveAdapter(until: now, at: now) }
        leaveAdapter(until: now.advanced(by: Self.retry), at: now)
    }

    /// Receives a message of the management interface.
    mutating func receive(_ message: ManagementMessage, at now: Timestamp) {
        if case .lifting = phase { return }
        switch message {
        case .added:
            if case .searching = phase { phase = .searching(until: now) }
        case .removed(let index):
            // A user channel hides the adapter from all others: this removal is our own.
            guard isOpen, settings.channel == .shared, index == adapter?.index else { return }
            recordFault(.noAdapter(chooser.choice), at: now)
            leaveAdapter(until: now, at: now)
        case .settings(let index, let isPowered):
            guard index == adapter?.index, settings.channel == .shared else { return }
            if case .searching = phase {
                if isPowered { phase = .searching(until: now) }
            } else if !isPowered {
                wentDown(at: now)
            }
        case .powerSet, .indices: break
        }
    }

    /// The kernel or another program took the adapter down.
    mutating func wentDown(at now: Timestamp) {
        guard isOpen else { return }
        recordFault(.down(name), at: now)
        leaveAdapter(until: now.advanced(by: Self.courtesy), at: now)
    }

    /// Closes the socket, and searches for the adapter at `due`.
    mutating func leaveAdapter(until due: Timestamp, at now: Timestamp) {
        giveUp(at: now)
        listening.stop(at: now)
        effects.append(.close)
        isOpen = false
        phase = .searching(until: due)
    }

    mutating func beginLift(_ lift: Lift, byLadder: Bool) {
        guard let adapter else { return }
        phase = .lifting(lift, byLadder: byLadder)
        effects.append(.lift(lift, adapter.index))
    }

    private mutating func adapterMissing(at now: Timestamp) {
        let since = missingSince ?? now
        missingSince = since
        if adapter != nil, now.duration(since: since) >= Self.missingLimit {
            ladder.begin(.gone, at: now)
            climbLadder(at: now)
        }
    }
}
