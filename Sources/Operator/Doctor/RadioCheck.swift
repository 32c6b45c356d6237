internal import Advertising
internal import Agent
internal import HCI
internal import BrokerSession
internal import Bytes
internal import CommandLine
internal import Configuration
internal import System
internal import WireProtocol

/// Checks the reception of this gateway: its rights, its adapter, and the packets on the air.
struct RadioCheck {
    /// Seconds of listening if no agent does.
    static let patience = 5.0

    private let source: AgentSource
    /// The `info` of a running agent, which is used instead of listening beside it.
    private let agent: NodeInfo?

    init(_ source: AgentSource, agent: NodeInfo?) {
        self.source = source
        self.agent = agent
    }

    /// Blocks for some seconds.
    func run(_ tell: (Finding) -> Void) throws {
        guard case .hci(let name) = source else {
            return tell(.ok(.adapter, "\(source) needs none"))
        }
        let missing = Capability.allCases.filter { !$0.isEffective }
        tell(PermissionCheck.permissionFinding(missing: missing))
        let adapter = AdapterCheck.run(name)
        tell(adapter)
        guard adapter.verdict != .fault else { return }
        if let radio = agent?.radio { return tell(ProgramChecks.radioFinding(radio)) }
        guard missing.isEmpty else { return }
        tell(try listenForPackets())
    }

    /// Listens as the agent would.
    private func listenForPackets() throws -> Finding {
        let node: LocalNode
        do {
            node = try LocalNode(source, items: [], node: nil, speed: nil, command: DoctorCommand.command.name)
        } catch let fault as ProgramFault {
            return .fault(.radio, fault.description, mend: "see the adapter above")
        }
        let loop = try RunLoop()
        let topics = Topics()
        let start = MonotonicClock.now()
        let deadline = start + .seconds(Self.patience)
        var reports = 0
        while MonotonicClock.now() < deadline {
            let wall = WallClock.now()
            let progress = node.step(atWall: wall) { message in
                guard case .scan = topics.kind(of: message.topic) else { return }
                reports += (try? Scan(payload: message.payload.span))?.reports ?? 0
            }
            guard case .wait(let due) = progress else { break }
            let wait = min(max(.zero, due.duration(since: wall)), .milliseconds(250))
            let until = min(deadline, MonotonicClock.now() + wait)
            let ready = try loop.wait(readable: [node.descriptor].compactMap { $0 }, until: until)
            if ready.shouldEnd { throw Interruption() }
        }
        if let obstacle = node.obstacle {
            return .fault(.radio, obstacle, mend: "see the adapter above; the agent tries by itself what can be tried")
        }
        guard reports > 0 else {
            return .warning(
                .radio, "nothing was heard in \(Int(Self.patience)) s",
                mend:
                    "hold a beacon near the gateway; if that is not heard either, move the adapter away from USB 3 and Wi-Fi"
            )
        }
        return .ok(.radio, "\(reports) reports were heard in \(Int(Self.patience)) s")
    }
}
