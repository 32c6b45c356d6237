/// Carries out the pilot's decisions.
extension Scanner {
    func perform() {
        while !pilot.effects.isEmpty {
            switch pilot.effects.removeFirst() {
            case .survey: look()
            case .open(let index): open(index)
            case .close: closeSocket()
            case .send(let command): send(command)
            case .lift(.power, let index): beginPower(index)
            case .lift(let lift, let index): begin(lift, index)
            }
        }
    }

    func look() {
        do {
            var adapters = try survey.adapters()
            for place in adapters.indices where managed?.contains(adapters[place].index) == false {
                adapters[place].isHeld = adapters[place].isUp
            }
            pilot.found(adapters, at: moment)
        } catch {
            pilot.fail(error, at: moment)
        }
    }

    func open(_ index: UInt16) {
        do {
            let socket = try HCISocket.listening(to: index, pilot.settings.channel)
            try poller.watch(socket.number)
            self.socket = socket
            switches = tree.switches(of: "hci\(index)")
            pilot.opened(at: moment)
        } catch {
            pilot.refused(error.code, at: moment)
        }
    }

    func closeSocket() {
        if let socket { lostBefore += socket.dropped ?? lostHere }
        lostHere = 0
        socket = nil
    }

    func send(_ command: HCICommand) {
        do {
            try socket?.send(command.packet)
        } catch {
            pilot.broke(error.code, at: moment)
        }
    }

    func begin(_ lift: RadioPilot.Lift, _ index: UInt16) {
        let work = AdapterLift(adapter: index, channel: pilot.settings.channel, switches: switches)
        let call = BlockingCall { work.run(lift) }
        self.call = call
        do {
            try poller.watch(call.descriptor)
        } catch {
            self.call = nil
            pilot.lifted(error.code, at: moment)
        }
    }
}
