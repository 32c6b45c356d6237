internal import Bytes
internal import Glibc

/// The thread of a long history. It takes no signals.
final class HistoryThread {
    private let settings: HistorySettings
    private let mailbox: HistoryMailbox
    private let wake: @Sendable () -> Void
    private var number: UInt64 = 0
    /// The pause before the next connection.
    private var pause = firstPause

    private static let firstPause: Duration = .seconds(1), longestPause: Duration = .seconds(30)
    /// The time after which this fuser's row is renewed, and after which partitions are looked after.
    private static let signPause: Duration = .seconds(30), carePause: Duration = .seconds(1800)

    private init(_ settings: HistorySettings, _ mailbox: HistoryMailbox, _ wake: @escaping @Sendable () -> Void) {
        self.settings = settings
        self.mailbox = mailbox
        self.wake = wake
    }

    static func start(
        _ settings: HistorySettings, _ mailbox: HistoryMailbox, wake: @escaping @Sendable () -> Void
    ) throws(HistoryError) {
        let context = unsafe Unmanaged.passRetained(HistoryThread(settings, mailbox, wake)).toOpaque()
        var all = sigset_t()
        var before = sigset_t()
        unsafe sigfillset(&all)
        // A new thread inherits the signal mask.
        unsafe pthread_sigmask(SIG_SETMASK, &all, &before)
        var thread = pthread_t()
        let code = unsafe pthread_create(&thread, nil, runHistory, context)
        unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
        guard code == 0 else {
            unsafe Unmanaged<HistoryThread>.fromOpaque(context).release()
            throw HistoryError(.statement, purpose: "start the thread", words: "pthread_create: errno \(code)")
        }
        pthread_detach(thread)
    }

    fileprivate func run() {
        while true {
            do throws(HistoryError) {
                let session = try HistorySession(settings, ending: mailbox.ending)
                try serve(session)
            } catch {
                guard error.kind != .ended else { break }
                report(.failed(error))
            }
            guard !waits(for: pause) else { break }
            pause = min(pause * 2, Self.longestPause)
        }
        mailbox.isEnded = true
    }

    /// Serves one connection until it breaks.
    private func serve(_ session: HistorySession) throws(HistoryError) {
        try session.sign(at: mailbox.time)
        var nextSign = MonotonicTime.now + Self.signPause
        let cursors = try session.cursors()
        number += 1
        // Earlier requests were for another connection.
        _ = mailbox.takeRequests()
        report(.connected(number, cursors: cursors))
        var retention = HistoryRetention()
        var nextCare = MonotonicTime.now
        while true {
            for request in mailbox.takeRequests() {
                switch request {
                case .purge(let purge): report(.purged(purge, rows: try session.purge(purge)))
                case .write(let batch) where batch.connection == number:
                    try session.write(batch)
                    pause = Self.firstPause
                    report(.written(batch.stream, epoch: batch.epoch, to: batch.to, count: batch.count))
                case .write: break
                }
            }
            let now = MonotonicTime.now
            if now >= nextSign {
                try session.sign(at: mailbox.time)
                nextSign = now + Self.signPause
            }
            if now >= nextCare { try care(session, &retention, &nextCare) }
            try wait(session, until: min(nextSign, nextCare))
        }
    }

    /// Takes a step in the care of partitions, between two batches. It fails where somebody reads a table for long, or
    /// where the server takes too long for a statement. Batches are written in spite of that.
    private func care(
        _ session: HistorySession, _ retention: inout HistoryRetention, _ next: inout MonotonicTime
    ) throws(HistoryError) {
        do throws(HistoryError) {
            guard try retention.advance(session) else { return }
            report(.maintained)
        } catch {
            guard error.kind != .unreachable, error.kind != .ended else { throw error }
            report(.warning(error))
        }
        retention = HistoryRetention()
        next = .now + Self.carePause
    }

    private func report(_ report: HistoryReport) {
        mailbox.report(report)
        wake()
    }

    private func wait(_ session: HistorySession, until deadline: MonotonicTime) throws(HistoryError) {
        var waiting = [
            pollfd(fd: mailbox.wanted, events: Int16(POLLIN), revents: 0),
            pollfd(fd: mailbox.ending, events: Int16(POLLIN), revents: 0),
            pollfd(fd: session.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        let left = max(.zero, deadline - .now) / .milliseconds(1)
        _ = unsafe poll(&waiting, nfds_t(waiting.count), Int32(left.rounded(.up)))
        guard waiting[1].revents == 0 else { throw HistoryError(.ended, purpose: "wait", words: "the program ends") }
        if waiting[2].revents != 0 { try session.checkAlive() }
    }

    /// Waits; true if the program ends.
    private func waits(for pause: Duration) -> Bool {
        var waiting = [pollfd(fd: mailbox.ending, events: Int16(POLLIN), revents: 0)]
        _ = unsafe poll(&waiting, 1, Int32(pause / .milliseconds(1)))
        return waiting[0].revents != 0
    }
}

private func runHistory(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context = unsafe context else { return nil }
    unsafe Unmanaged<HistoryThread>.fromOpaque(context).takeRetainedValue().run()
    return nil
}
