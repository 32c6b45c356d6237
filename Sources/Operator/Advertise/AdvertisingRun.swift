internal import BeaconFrames
internal import HCI
internal import BrokerSession
internal import Bytes
internal import CommandLine
internal import Configuration
internal import System

/// Sends a frame until a signal arrives, its time is over, or it cannot be sent; reports its state on standard error.
struct AdvertisingRun {
    /// Time within which the controller should confirm the end: the run ends without that, too.
    private static let endLimit: Duration = .seconds(3)

    let choice: AdapterChoice
    let settings: AdvertisingSettings
    /// The time on the air; nil for no end.
    let length: Duration?

    /// Reads the options for sending; throws every fault in them.
    init(_ arguments: Arguments, _ frame: BeaconFrame, of command: String) throws(UsageError) {
        var faults: [String] = []
        let adapter = arguments.text("--adapter") ?? "auto"
        let choice = AdapterChoice(adapter)
        if choice == nil {
            faults.append(
                "--adapter: '\(adapter)' is no adapter: give auto, hci0 or an address such as aa:bb:cc:dd:ee:ff")
        }
        var settings = AdvertisingSettings(frame.advertisingData)
        settings.power = arguments.integer("--tx-power").map { Int8(clamping: $0) }
        if let text = arguments.text("--interval") {
            let interval = DurationText.duration(text) ?? .zero
            if AdvertisingSettings.intervals.contains(interval) {
                settings.interval = interval
            } else {
                faults.append("--interval: '\(text)' is no time from 20ms to 10240ms")
            }
        }
        let time = arguments.text("--for")
        let length = time.map { DurationText.duration($0) ?? .zero }
        if let time, length == .zero { faults.append("--for takes such as 30s; found '\(time)'") }
        if arguments.has("--json") { faults.append("--json goes with --print") }
        guard let choice, faults.isEmpty else { throw UsageError(command: command, faults: faults) }
        (self.choice, self.settings) = (choice, settings)
        self.length = length
    }

    /// Runs it; 0 if it was on the air, or was ended before. Throws the reason for which it cannot be sent.
    func run() throws -> Int32 {
        let loop = try RunLoop()
        let advertiser: Advertiser
        do {
            advertiser = try Advertiser(choice, settings, now: MonotonicClock.now())
        } catch {
            throw ProgramFault("\(error); \(error.mend)")
        }
        var errors = StandardOutput(descriptor: 2)
        var end: MonotonicTime?
        var isEnding = false
        while advertiser.state != .ended {
            if advertiser.state == .onAir, end == nil, let length { end = MonotonicClock.now() + length }
            let due = [advertiser.nextDeadline, end].compactMap { $0 }.min()
            let ready = try loop.wait(readable: [advertiser.descriptor], until: due)
            let now = MonotonicClock.now()
            advertiser.advance(to: now)
            for notice in advertiser.takeNotices() { errors.line("\(AdvertiseCommand.command.name): \(notice.text)") }
            errors.flush()
            let isOver = end.map { now >= $0 } ?? false
            if isEnding, isOver { break }
            if !isEnding, isOver || ready.shouldEnd {
                isEnding = true
                end = now + Self.endLimit
                advertiser.stop()
            }
        }
        if let failure = advertiser.failure { throw ProgramFault("\(failure); \(failure.mend)") }
        errors.line("\(AdvertiseCommand.command.name): ended")
        errors.flush()
        return 0
    }
}
