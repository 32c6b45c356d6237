internal import Bytes

/// The handling of messages from the management interface.
extension AdvertisingController {
    private static let unknownCommand: UInt8 = 0x01
    private static let failed: UInt8 = 0x03
    private static let noResources: UInt8 = 0x07
    private static let rejected: UInt8 = 0x0B
    private static let busy: UInt8 = 0x0A
    private static let invalidIndex: UInt8 = 0x11
    private static let rfkilled: UInt8 = 0x12
    private static let permissionDenied: UInt8 = 0x14

    mutating func receive(_ message: AdvertisingMessage, at now: Timestamp) {
        if phase == .ended { return }
        if case .added = message, case .searching = phase { phase = .searching(until: now) }
        guard message.adapter == adapter?.index else { return }
        switch message {
        case .added: break
        case .gone: isGone(at: now)
        case .info(_, let supported, let current): if isAsking(.readInfo) { checkSettings(supported, current, at: now) }
        case .settings(_, let current): settingsChanged(current, at: now)
        case .features(_, let features): if isAsking(.readFeatures) { receive(features, at: now) }
        case .removed(_, let instance):
            guard instance == self.instance else { return }
            // The kernel reports the sender's own Remove to other sockets only.
            if isAsking(.remove) { phase = .ended } else { lostPlace(at: now) }
        case .answer(_, let command, let status, let power):
            guard isAsking(command) else { return }
            if status == 0 { goOn(after: command, power, at: now) } else { handleRefusal(command, status, at: now) }
        }
    }

    private func isAsking(_ command: ManagementCommand) -> Bool {
        if case .asking(command, _) = phase { true } else { false }
    }

    private mutating func checkSettings(
        _ supported: AdvertisingMessage.Settings, _ current: AdvertisingMessage.Settings, at now: Timestamp
    ) {
        guard supported.contains(.lowEnergy) else { return handleFault(.adapter(.noLE(name)), at: now) }
        reported.settings = current
        if !current.contains(.lowEnergy) {
            // On a machine without bluetoothd, LE isn't switched on yet.
            sendCommand(.setLowEnergy, [1], at: now)
        } else if current.contains(.powered) {
            sendCommand(.readFeatures, at: now)
        } else {
            log(.notice, "\(name) is off; it is switched on")
            sendCommand(.setPowered, [1], at: now)
        }
    }

    private mutating func settingsChanged(_ new: AdvertisingMessage.Settings, at now: Timestamp) {
        let wasPowered = reported.settings.contains(.powered)
        reported.settings = new
        if new.contains(.powered) {
            // The adapter was powered on during the wait.
            if case .searching = phase, !wasPowered { sendCommand(.readInfo, at: now) }
            if case .waiting = phase, !wasPowered { sendCommand(.readInfo, at: now) }
            return
        }
        guard wasPowered, !isAsking(.setPowered), !isAsking(.remove) else { return }
        instance = nil
        pause(.adapter(.down(name)), for: Self.courtesy, at: now)
    }

    private mutating func goOn(after command: ManagementCommand, _ power: Int8?, at now: Timestamp) {
        switch command {
        case .setLowEnergy, .setPowered: sendCommand(.readInfo, at: now)
        case .setParameters: setData(power: power, at: now)
        case .setData: recordSending(at: now)
        case .remove: phase = .ended
        case .readIndexList, .readInfo, .readFeatures: break
        }
    }

    private mutating func handleRefusal(_ command: ManagementCommand, _ status: UInt8, at now: Timestamp) {
        switch (command, status) {
        // The instance is already gone.
        case (.remove, _): phase = .ended
        case (_, Self.permissionDenied): handleFault(.adapter(.notPermitted("advertise on \(name)")), at: now)
        case (_, Self.invalidIndex):
            let isHeld = adapter?.isUp == true
            handleFault(.adapter(isHeld ? .held(name) : .noAdapter(chooser.choice)), at: now)
        case (.setPowered, Self.rfkilled): handleFault(.adapter(.blocked(name, isHard: false)), at: now)
        case (.setPowered, _): pause(.adapter(.down(name)), at: now)
        case (.setParameters, Self.unknownCommand): end(with: .oldKernel)
        case (.setParameters, Self.noResources): wait(forPlaces: Int(reported.features?.places ?? 1), at: now)
        // The controller rejects a new random address during a scan (Core Vol 4 Part E 7.8.4); the kernel reports that
        // as failed.
        case (.setData, Self.failed) where reported.features?.isExtended == false,
            (.setData, Self.rejected) where reported.features?.isExtended == false:
            handleFault(.scans(name), at: now)
        case (_, Self.busy): phase = .waiting(until: now.advanced(by: Self.retry))
        default:
            handleFault(.refused(name, step: command.step, status: status), at: now)
        }
    }

    private mutating func isGone(at now: Timestamp) {
        if isAsking(.remove) { return phase = .ended }
        instance = nil
        pause(.adapter(.noAdapter(chooser.choice)), at: now)
    }
}

extension ManagementCommand {
    /// The name of the step in messages.
    var step: String {
        switch self {
        case .readIndexList, .readInfo, .readFeatures: "to tell what it can"
        case .setPowered: "power"
        case .setLowEnergy: "low energy"
        case .setParameters: "how to advertise"
        case .setData: "what to advertise"
        case .remove: "to end it"
        }
    }
}
