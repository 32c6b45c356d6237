internal import Bytes
internal import System
internal import WireProtocol

/// The helper that installs packages as root (`whereabouts-upgrade.service`), which this program reaches by files alone: it
/// leaves a version in one, which the helper takes away, and reads the outcome in another.
struct UpgradeHelper {
    /// The time within which the helper takes a request.
    static let patience: Duration = .seconds(10)
    /// The time between two looks at the files.
    static let interval: Duration = .seconds(1)

    private struct Waiting {
        var command: NodeCommand
        var reply: ReplyAddress
        var until: MonotonicTime
    }

    private var files: (request: String, result: String)?
    private var waiting: Waiting?
    /// The result of a helper that was there once, and took no request; nil if it takes them as far as is known.
    private var stale: [UInt8]?
    /// The monotonic moment of the next look; nil if no helper was installed.
    private(set) var nextDeadline: MonotonicTime?
    /// The outcome of the last upgrade, empty before the first one; nil while no helper is enabled.
    private(set) var report: UpgradeReport?

    /// The helper that the unit of the package names: `WHEREABOUTS_UPGRADES` is the helper's folder, and `STATE_DIRECTORY` the
    /// program's (systemd.exec(5)).
    init(_ environment: [String: String]) {
        guard let state = environment["STATE_DIRECTORY"], let helper = environment["WHEREABOUTS_UPGRADES"] else {
            return
        }
        files = (state + "/upgrade-request", helper + "/result")
        nextDeadline = .distantPast
    }

    /// Asks for a version; `advance` returns the answer once the helper has taken the request.
    ///
    /// Only people with the right to administer may ask: programs, and Home Assistant's user, have another topic.
    mutating func request(
        _ version: String, _ command: NodeCommand, by sender: CommandSender?, _ reply: ReplyAddress,
        at now: MonotonicTime
    ) throws(CommandFault) {
        guard sender?.right == .administer else { throw .failed("'upgrade' is accepted on administer/<user> alone") }
        guard let files, report != nil else { throw Self.absence }
        guard waiting == nil else { throw .failed("the helper has not taken the last request yet") }
        do throws(SystemError) {
            try PrivateFiles.write(Array("\(version)\n".utf8), to: files.request)
        } catch {
            throw .failed("\(error)")
        }
        waiting = Waiting(command: command, reply: reply, until: now + Self.patience)
    }

    /// Looks at the files if it is time, and returns the answer that is due. A request that nothing takes is withdrawn.
    mutating func advance(to now: MonotonicTime, at time: Timestamp) -> (CommandResult, ReplyAddress)? {
        guard let files, let due = nextDeadline, now >= due else { return nil }
        nextDeadline = now + Self.interval
        let result = try? WholeFile.read(files.result, bound: UpgradeReport.payloadLimit)
        if result != stale { stale = nil }
        report = stale == nil ? result.flatMap { try? UpgradeReport(payload: $0.span) } : nil
        guard let waiting else { return nil }
        var answer = NodeAnswer.done
        if PrivateFiles.exists(files.request) {
            guard now >= waiting.until else { return nil }
            try? PrivateFiles.remove(files.request)
            // The result of a helper that was disabled stays. An enabled one changes it when it begins, and when it is done.
            (stale, report) = (result, nil)
            answer = .failed("\(Self.absence), or wait for the upgrade that it is busy with")
        }
        self.waiting = nil
        return (CommandResult(to: waiting.command, answer, at: time), waiting.reply)
    }

    private static let absence = CommandFault.failed(
        "no helper upgrades this machine: systemctl enable --now whereabouts-upgrade.path there")
}
