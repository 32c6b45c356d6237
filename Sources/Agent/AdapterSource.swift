internal import Advertising
internal import Bytes
internal import Configuration
internal import HCI
internal import System
internal import WireProtocol

/// The events of an adapter of this machine, from now on and without end.
final class AdapterSource: PacketSource {
    private let choice: AdapterChoice
    private let scanner: Scanner
    private let log: Log?
    private var wall: Timestamp
    private var hasBegun = false
    private var isMore = false

    /// - Parameters:
    ///   - remembered: the adapter's address that `hci:auto` stood for in an earlier run.
    ///   - log: the log for changes; nil for none.
    init(
        _ choice: AdapterChoice, _ settings: ScanSettings, remembering remembered: String? = nil, log: Log?
    ) throws(RadioFault) {
        self.choice = choice
        self.log = log
        wall = WallClock.now()
        scanner = try Scanner(
            choice, settings, remembering: remembered.flatMap { DeviceAddress($0) }, now: MonotonicClock.now(),
            wall: wall)
    }

    var adapter: String { scanner.report.adapter ?? "\(choice)" }
    var chosenAdapter: String? { scanner.remembered?.text }
    var isLive: Bool { true }
    var descriptor: Int32? { scanner.descriptor }
    var radio: RadioStatus? { RadioStatus(scanner.report, lost: scanner.lost) }

    func rescan() -> Bool {
        scanner.rescan()
        return true
    }

    func beginRecording(atWall wall: Timestamp) throws(SourceFault) -> SourceTime? {
        guard !hasBegun else { return nil }
        hasBegun = true
        return .wall
    }

    var next: Upcoming {
        if isMore { return .due(Timestamp(microseconds: .min)) }
        guard let due = scanner.nextDeadline else { return .whenReadable }
        return .due(wall.advanced(by: due - MonotonicClock.now()))
    }

    func deliverEvents(
        until: Timestamp?, limit: Int, _ body: (Timestamp, Span<UInt8>) -> Void
    ) throws(SourceFault) {
        wall = until ?? WallClock.now()
        let now = wall
        isMore = scanner.advance(to: MonotonicClock.now(), wall: wall, limit: limit) { time, event in
            body(min(time, now), event)
        }
        for notice in scanner.takeNotices() { logNotice(notice) }
    }

    func takeListening() -> ScanChange? { scanner.takeListening() }
    func takeRadioChanges() -> [RadioChange] { scanner.takeChanges() }

    /// Checks that there is such an adapter that could be opened; throws the reason if there is none.
    static func check(_ choice: AdapterChoice) throws(RadioFault) {
        _ = try choice.adapter(among: AdapterSurvey().adapters())
    }

    private func logNotice(_ notice: RadioNotice) {
        let level: Log.Level =
            switch notice.level {
            case .warning: .warning
            case .notice: .notice
            case .info: .info
            }
        log?.logChange("radio.\(notice.subject)", level, notice.text)
    }
}

extension RadioStatus {
    init(_ report: RadioReport, lost: UInt64) {
        self.init(state: report.state.rawValue)
        adapter = report.adapter
        address = report.address?.text
        features = report.features
        problem = report.problem?.name
        mend = report.problem?.mend
        takenBack = report.takenBack
        self.lost = lost
        rungs = RecoveryLadder.Rung.allCases.compactMap { rung in
            report.tried[rung].map { Rung(name: rung.name, tried: $0, helped: report.helped[rung] ?? 0) }
        }
    }
}

extension ScanSettings {
    init(_ settings: RadioSettings) {
        self.init()
        kind = settings.scan == .active ? .active : .passive
        channel = settings.channel == .user ? .user : .shared
        phys = settings.phy == .le1MAndCoded ? .le1MAndCoded : .le1M
        interval = settings.interval
        duty = settings.duty
    }
}
