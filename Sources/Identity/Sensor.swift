internal import Advertising
internal import BeaconFrames
internal import Bytes

/// A BTHome device that has a key: its counter may only go up.
struct Sensor: Sendable {
    /// The number of consecutive unopened frames that is reported: a single one may be another's.
    static let wrongBound = 3
    /// The number of different counters, each higher than the one before it, after which a restarted counter (as after
    /// a change of battery) is accepted …
    static let restartCount = 16
    /// … and the time that they must span. A replay must have been recorded for as long, and is
    /// reported.
    static let restartTime: Duration = .minutes(10)

    private let key: BTHomeKey
    private let check: UInt16
    private var last: UInt32?
    private var wrong = 0
    /// The sequence of counters below the last one.
    private var restart: (last: UInt32, count: Int, since: Timestamp)?

    init(_ key: BTHomeKey, _ memory: KeyMemory?) {
        self.key = key
        check = key.check
        if case .counter(let counter, check)? = memory { last = counter }
    }

    /// The state to remember; nil before the first frame.
    var memory: KeyMemory? { last.map { .counter($0, check: check) } }

    /// The trusted contents of a frame, and its problem.
    mutating func open(
        _ frame: BTHome, from address: DeviceAddress, at time: Timestamp
    ) -> (opened: BTHome?, finding: KeyFinding?) {
        switch key.open(frame, from: address, after: last) {
        case .opened(let opened, let counter):
            (last, wrong, restart) = (counter, 0, nil)
            return (opened, nil)
        case .repeated:
            wrong = 0
            return (nil, nil)
        case .replayed(let counter):
            wrong = 0
            guard hasRestarted(counter, at: time) else { return (nil, .replayed) }
            (last, restart) = (counter, nil)
            return (nil, nil)
        case .wrongKey:
            wrong = min(wrong + 1, Self.wrongBound)
            return (nil, wrong < Self.wrongBound ? nil : .wrongKey)
        case .notEncrypted: return (nil, .plain)
        }
    }

    private mutating func hasRestarted(_ counter: UInt32, at time: Timestamp) -> Bool {
        guard let before = restart, counter >= before.last, time >= before.since else {
            restart = (counter, 1, time)
            return false
        }
        guard counter > before.last else { return false }
        restart = (counter, before.count + 1, before.since)
        return before.count + 1 >= Self.restartCount && time.duration(since: before.since) >= Self.restartTime
    }
}
