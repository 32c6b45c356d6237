internal import Bytes

/// The scan: its set-up, supervision and recovery.
extension ScanController {
    /// Receives an event that isn't a report: an answer to a command of this or another program, or a hardware error.
    mutating func receive(_ event: Span<UInt8>, at time: Timestamp, now: Timestamp) {
        if event.byte(at: 0) == Self.hardwareErrorCode {
            // The kernel ignores a truncated event.
            return event.count < 3 ? () : hardwareError(at: time, now: now)
        }
        guard let answer = ControllerReply(event), answer.opcode.rawValue != 0 else { return }
        if case .settingUp(let setup, _, let byLadder) = phase, setup.awaited == answer.opcode {
            continueSetUp(setup, with: answer, byLadder, at: now)
        } else if HCICommand.Opcode.ofScans.contains(answer.opcode) {
            handleDisturbance(by: answer.opcode, at: time, now: now)
        }
    }

    /// Hardware Error (Core Vol 4 Part E 7.7.16).
    static let hardwareErrorCode: UInt8 = 0x10

    /// A beacon was received.
    mutating func receive(beacon: UInt64, at time: Timestamp) {
        watch.receive(beacon, at: time)
        if ladder.isClimbing, case .scanning = phase { recordRecovery(at: time) }
    }

    mutating func setUp(_ depth: ScanSetup.Depth, byLadder: Bool, at now: Timestamp) {
        interference = nil
        listening.stop(at: now)
        var setup = ScanSetup(settings, features: features, depth: depth)
        performStep(setup.begin(), setup, byLadder, at: now)
    }

    private mutating func continueSetUp(
        _ setup: ScanSetup, with answer: ControllerReply, _ byLadder: Bool, at now: Timestamp
    ) {
        var setup = setup
        performStep(setup.receive(answer), setup, byLadder, at: now)
    }

    private mutating func performStep(_ step: ScanSetup.Step, _ setup: ScanSetup, _ byLadder: Bool, at now: Timestamp) {
        switch step {
        case .send(let command):
            phase = .settingUp(setup, until: now.advanced(by: Self.commandLimit), byLadder: byLadder)
            effects.append(.send(command))
        case .done(let features):
            self.features = features
            phase = .scanning
            scanBegan(byLadder: byLadder, at: now)
        case .refused(let opcode, let status):
            let fault = RadioFault.refused(name, opcode: opcode.rawValue, status: status)
            // Most likely another program began to scan between two of our commands.
            if status == ControllerReply.disallowed, !byLadder, !ladder.isClimbing,
                resumptions.takeChance(at: now)
            {
                pauseScan(.masks, takesBack: false, until: now.advanced(by: Self.settling), at: now)
            } else {
                setUpFailed(.refused, fault, byLadder: byLadder, at: now)
            }
        }
    }

    /// The controller has confirmed the scan.
    private mutating func scanBegan(byLadder: Bool, at now: Timestamp) {
        if byLadder { ladder.receive(.done, at: now) }
        if ladder.cause == .mute {
            // The confirmation isn't sufficient: only a received beacon proves the scan.
        } else if ladder.isClimbing {
            recordRecovery(at: now)
        } else {
            wellAgain(at: now)
        }
        watch.resume(at: now)
        if let depth = interference { takeBack(depth, at: now, now: now) }
    }

    private mutating func recordRecovery(at now: Timestamp) {
        let recovery = ladder.recordRecovery(at: now)
        if let rung = recovery?.rung, let after = recovery?.after {
            log(.notice, "recovery", "\(rung.name) helped after \(after.milliseconds) ms")
        }
        wellAgain(after: recovery?.rung, at: now)
    }

    private mutating func wellAgain(after rung: RecoveryLadder.Rung? = nil, at now: Timestamp) {
        listening.resume(at: now)
        if journal.recordReception(after: rung, at: now) {
            let words = [settings.kind.rawValue] + (features?.names ?? [])
            log(.notice, "radio", "listening on \(name) (\(words.joined(separator: ", ")))")
        }
    }

    mutating func setUpFailed(
        _ cause: RecoveryLadder.Cause, _ fault: RadioFault, byLadder: Bool, at now: Timestamp
    ) {
        listening.stop(at: now)
        recordFault(fault, at: now)
        if byLadder { ladder.receive(.failed, at: now) }
        ladder.begin(cause, at: now)
        pauseScan(.masks, takesBack: false, until: now.advanced(by: Self.retry), at: now)
    }

    // MARK: Others

    /// A command of another program to the controller was answered.
    private mutating func handleDisturbance(by opcode: HCICommand.Opcode, at time: Timestamp, now: Timestamp) {
        takeBack(opcode == .reset ? .masks : .parameters, at: time, now: now)
    }

    private mutating func takeBack(_ depth: ScanSetup.Depth, at time: Timestamp, now: Timestamp) {
        let settled = now.advanced(by: Self.settling)
        switch phase {
        case .searching, .lifting: return
        case .settingUp: interference = max(depth, interference ?? depth)
        case .pausing(_, let before, let takesBack):
            let due = max(settled, resumptions.nextChance(from: now))
            pauseScan(max(depth, before), takesBack: takesBack, until: due, at: now)
        case .scanning:
            listening.stop(at: time)
            log(
                .notice, "others",
                "another program changed the scan on \(name); it is taken back, at most 20 times a minute"
            )
            pauseScan(depth, takesBack: true, until: max(settled, resumptions.nextChance(from: now)), at: now)
        }
    }

    private mutating func hardwareError(at time: Timestamp, now: Timestamp) {
        guard isOpen else { return }
        log(.warning, "hardware", "\(name) reports a hardware error; the kernel sets it up anew")
        listening.stop(at: time)
        if case .lifting = phase { return }
        pauseScan(.masks, takesBack: false, until: now.advanced(by: Self.settling), at: now)
    }

    private mutating func pauseScan(
        _ depth: ScanSetup.Depth, takesBack: Bool, until due: Timestamp, at now: Timestamp
    ) {
        giveUp(at: now)
        phase = .pausing(until: due, depth, takesBack: takesBack)
    }

    /// Ends the current step of the ladder, which another event has superseded.
    mutating func giveUp(at now: Timestamp) {
        switch phase {
        case .settingUp(_, _, byLadder: true), .lifting(_, byLadder: true): ladder.receive(.failed, at: now)
        case .settingUp, .lifting, .searching, .pausing, .scanning: break
        }
    }

    /// A pause is over.
    mutating func resumeScan(_ depth: ScanSetup.Depth, _ takesBack: Bool, at now: Timestamp) {
        if takesBack {
            guard resumptions.takeBack(at: now) else {
                return pauseScan(depth, takesBack: true, until: resumptions.nextChance(from: now), at: now)
            }
        }
        setUp(depth, byLadder: false, at: now)
    }

    /// Sets the scan up anew on request.
    mutating func rescan(at now: Timestamp) {
        switch phase {
        case .scanning:
            log(.notice, "rescan", "the scan on \(name) begins anew, as was asked for")
            setUp(.masks, byLadder: false, at: now)
        case .searching: phase = .searching(until: now)
        case .pausing(_, let depth, let takesBack): phase = .pausing(until: now, depth, takesBack: takesBack)
        case .lifting, .settingUp: break
        }
    }

    // MARK: The ladder

    /// Begins the next rung, if its time has come.
    mutating func climbLadder(at now: Timestamp) {
        switch phase {
        case .lifting, .settingUp: return
        case .searching, .pausing, .scanning: break
        }
        // A silence that no rung ended is real: many beacons left together.
        if ladder.isResting, ladder.cause == .mute { listening.resume(at: now) }
        while let rung = ladder.nextRung(at: now) {
            log(.notice, "rung", "trying \(rung.name) on \(name)")
            switch rung {
            case .reenable, .parameters, .reset:
                guard isOpen else {
                    ladder.receive(.failed, at: now)
                    continue
                }
                // The kernel's own reset doesn't wait for an unanswered command; a user channel has no kernel.
                if rung == .reset, settings.channel == .shared { return beginLift(.reset, byLadder: true) }
                return setUp(Self.setupDepth(rung), byLadder: true, at: now)
            case .downUp, .power, .bus:
                guard adapter != nil else {
                    ladder.receive(.impossible, at: now)
                    continue
                }
                if isOpen { leaveAdapter(until: now, at: now) }
                return beginLift(rung == .downUp ? .downUp : rung == .power ? .power : .bus, byLadder: true)
            }
        }
    }

    private static func setupDepth(_ rung: RecoveryLadder.Rung) -> ScanSetup.Depth {
        switch rung {
        case .reenable: .enable
        case .parameters: .parameters
        case .reset, .downUp, .power, .bus: .reset
        }
    }
}
