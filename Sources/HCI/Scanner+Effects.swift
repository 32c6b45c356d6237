/// Carries out the decisions of the scan controller.
extension Scanner {
    func performEffects() {
        while !control.effects.isEmpty {
            switch control.effects.removeFirst() {
            case .survey: surveyAdapters()
            case .open(let index): open(index)
            case .close: closeSocket()
            case .send(let command): send(command)
            case .lift(.power, let index): beginPower(index)
            case .lift(let lift, let index): begin(lift, index)
            }
        }
    }

    func surveyAdapters() {
        do {
            var adapters = try survey.adapters()
            for place in adapters.indices where managed?.contains(adapters[place].index) == false {
                adapters[place].isHeld = adapters[place].isUp
            }
            control.receiveAdapters(adapters, at: moment)
        } catch {
            control.recordFault(error, at: moment)
        }
    }

    func open(_ index: UInt16) {
        do {
            let socket = try HCISocket.listening(to: index, control.settings.channel)
            try poller.watch(socket.number)
            self.socket = socket
            switches = tree.switches(of: "hci\(index)")
            control.socketOpened(at: moment)
        } catch {
            control.socketRefused(error.code, at: moment)
        }
    }

    func closeSocket() {
        if let socket { loss.addLastCount(socket.dropped) }
        socket = nil
    }

    func send(_ command: HCICommand) {
        do {
            try socket?.send(command.packet)
        } catch {
            control.socketFailed(error.code, at: moment)
        }
    }

    func begin(_ lift: ScanController.Lift, _ index: UInt16) {
        let work = AdapterLift(adapter: index, channel: control.settings.channel, switches: switches)
        let call = BlockingCall { work.runLift(lift) }
        self.call = call
        do {
            try poller.watch(call.descriptor)
        } catch {
            self.call = nil
            control.liftEnded(error.code, at: moment)
        }
    }
}
