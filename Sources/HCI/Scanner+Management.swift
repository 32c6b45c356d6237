internal import Bytes
internal import Glibc

/// The management interface: adapters added and removed, and power.
extension Scanner {
    /// A change of power in progress.
    struct PowerCycle {
        let adapter: UInt16
        let until: Timestamp
        var isOff = false
    }

    /// Opens the management interface. Without it changes are only found by a survey every two seconds.
    func openManagement() {
        guard management == nil, let socket = try? HCISocket.management() else { return }
        do {
            try poller.watch(socket.number)
            try socket.send(ManagementMessage.askForIndices)
            management = socket
            // The kernel has already answered, and the first survey needs the answer.
            readManagement()
        } catch {
            // The next call tries again.
        }
    }

    func readManagement() {
        guard let management else { return }
        do {
            try management.drain { packet in
                guard let message = ManagementMessage(packet) else { return }
                receive(message)
            }
        } catch {
            self.management = nil
            managed = nil
        }
    }

    func receive(_ message: ManagementMessage) {
        switch message {
        case .indices(let indices):
            managed = Set(indices)
            for index in indices { sendCommand(ManagementMessage.askForSettings(index)) }
        case .added(let index):
            managed?.insert(index)
            sendCommand(ManagementMessage.askForSettings(index))
        case .removed(let index): managed?.remove(index)
        case .powerSet(let index, let status): if index == power?.adapter { powerSet(status) }
        case .settings: break
        }
        control.receive(message, at: moment)
    }

    func sendCommand(_ command: [UInt8]) {
        // Without this answer, changes are found by surveys.
        try? management?.send(command)
    }

    // MARK: Power

    func beginPower(_ index: UInt16) {
        power = PowerCycle(adapter: index, until: moment.advanced(by: Self.powerLimit))
        setPower(false)
    }

    func setPower(_ isOn: Bool) {
        guard let power, let management else { return endPower(ENOSYS) }
        do {
            try management.send(ManagementMessage.setPowered(power.adapter, isOn))
        } catch {
            endPower(error.code)
        }
    }

    /// Receives a status of the management interface: 0 for done, 0x14 for permission denied.
    func powerSet(_ status: UInt8) {
        guard let isOff = power?.isOff else { return }
        if status != 0 { return endPower(status == 0x14 ? EPERM : EIO) }
        if isOff || control.settings.channel == .user { return endPower(0) }
        power?.isOff = true
        setPower(true)
    }

    func endPower(_ code: Int32) {
        power = nil
        control.liftEnded(code, at: moment)
    }
}
