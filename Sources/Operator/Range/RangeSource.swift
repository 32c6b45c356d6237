internal import Agent
internal import Bytes
internal import CommandLine
internal import Configuration
internal import System
internal import WireProtocol

/// `range` from an adapter, a replay or a simulated house, received in this process.
final class RangeSource {
    /// The time between two drawings.
    private static let drawing: Duration = .milliseconds(250)
    /// Number of full intervals without a packet after which one table reports that.
    private static let patience = 10

    private let source: AgentSource
    private let options: RangeOptions
    private let node: LocalNode
    private let loop: RunLoop
    private let topics = Topics()
    private var table: RangeTable
    private var screen: RangeScreen
    private var intervals = 0
    private var started: Timestamp?
    /// The breaks of the source, with their places.
    private var faults: [String] = []

    init(_ source: AgentSource, _ options: RangeOptions, environment: [String: String]) throws {
        self.source = source
        self.options = options
        node = try LocalNode(
            source, items: options.items, node: options.node, speed: options.speed, command: RangeCommand.command.name)
        loop = try RunLoop()
        table = RangeTable(names: options.names, showsAll: options.showsAll)
        screen = RangeScreen(RangeView(showsNodes: false), options, environment: environment)
    }

    /// Runs until the source ends, the time is over or a signal arrives. Returns the exit status: 1 if it was broken.
    func run() throws -> Int32 {
        var drawn: Timestamp?
        var isOver = false
        while screen.isOpen, !isOver {
            let wall = WallClock.now()
            var due = wall
            switch node.step(atWall: wall, { receiveMessage($0) }) {
            case .wait(let until): due = until
            case .broken(let reason):
                faults.append(reason)
                if !screen.isLive { RangeCommand.printNote(reason) }
            case .ended: isOver = true
            }
            isOver = isOver || hasEnough()
            if isOver || drawn.map({ wall.duration(since: $0).magnitude >= Self.drawing }) ?? true {
                showRows()
                drawn = wall
            }
            let pause = isOver ? .zero : min(max(.zero, due.duration(since: wall)), Self.drawing)
            let descriptors = pause > .zero ? node.descriptor.map { [$0] } ?? [] : []
            if try loop.wait(readable: descriptors, until: MonotonicClock.now() + pause).shouldEnd { break }
        }
        if let obstacle = node.obstacle { RangeCommand.printNote(obstacle) }
        // A single output covers the whole recording.
        let rows = node.time.map { table.rows(at: $0, keepsAll: !screen.isLive) } ?? []
        try RangeCommand.finish(&screen, rows, hidden: table.hidden)
        return faults.isEmpty ? 0 : 1
    }

    private func receiveMessage(_ message: Message) {
        let kind = topics.kind(of: message.topic)
        if case .scan = kind { intervals += 1 }
        guard case .window = kind, let window = try? Window(payload: message.payload.span) else { return }
        if let row = table.receive(window, at: window.to) { screen.printRow(row) }
    }

    /// True if `--for` or `--once` is satisfied.
    private func hasEnough() -> Bool {
        guard let time = node.time else { return false }
        let started = started ?? time
        self.started = started
        if let length = options.length { return time.duration(since: started) >= length }
        // The first interval may be cut by the start, and later ones may be empty.
        guard options.isOnce, intervals >= 2 else { return false }
        return !table.isEmpty || node.obstacle != nil || intervals > Self.patience
    }

    private func showRows() {
        let time = node.time.map(LocalTime.clock) ?? "nothing heard yet"
        screen.update(
            node.time.map { table.rows(at: $0) } ?? [], title: "\(source) heard as \(node.name), \(time)",
            notices: faults + (node.obstacle.map { [$0] } ?? []))
    }
}
