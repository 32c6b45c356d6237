internal import Bytes

/// Has an adapter of this machine advertise, and takes that off the air when this ends, however it ends: what is sent is a
/// lease of 8 s at most that is renewed while this lives.
///
/// It belongs to one thread, never blocks, and wants to be called when its descriptor is readable and at its deadline. It
/// uses the kernel's management interface (CAP_NET_ADMIN, Linux 5.11), beside any other program and any scan.
///
///     let advertiser = try Advertiser(.auto, AdvertisingSettings(frame.advertisingData), now: MonotonicClock.now())
///     while advertiser.state != .ended {
///         _ = try loop.wait(readable: [advertiser.descriptor], until: advertiser.nextDeadline)
///         advertiser.advance(to: MonotonicClock.now())
///     }
public final class Advertiser {
    /// How it stands.
    public enum State: Hashable, Sendable {
        /// It isn't on the air; `problem` says why, if it isn't about to be.
        case waiting
        /// The controller has confirmed that it sends.
        case onAir
        /// It sends nothing, and won't; `failure` says why, if it wasn't asked to end.
        case ended
    }

    private var pilot: AdvertisingPilot
    private let survey: AdapterSurvey
    private let management: HCISocket
    private var now: Int64

    /// An advertiser that begins at the first `advance`.
    ///
    /// - Parameters:
    ///   - now: nanoseconds since the machine started.
    ///   - systemTree: where sysfs is mounted.
    ///
    /// Throws where the kernel has no management interface.
    public init(
        _ choice: AdapterChoice, _ settings: AdvertisingSettings, now: Int64, systemTree: String = "/sys"
    ) throws(AdvertisingFault) {
        do {
            management = try HCISocket.management()
        } catch {
            throw .adapter(
                ErrorNumber.fault(error.code, of: "open the management interface of", on: "Bluetooth", choice))
        }
        survey = AdapterSurvey(systemTree: systemTree)
        pilot = AdvertisingPilot(choice, settings, at: Timestamp(microseconds: now / 1000))
        self.now = now
    }

    /// Readable when `advance` is to be called.
    public var descriptor: Int32 { management.number }

    /// When `advance` is to be called at the latest, in nanoseconds since the machine started; nil when it has ended.
    public var nextDeadline: Int64? {
        pilot.effects.isEmpty ? pilot.nextDeadline.map { $0.microseconds * 1000 } : now
    }

    /// How it stands.
    public var state: State { pilot.phase == .ended ? .ended : pilot.isOnAir ? .onAir : .waiting }

    /// What is wrong at the moment.
    public var problem: AdvertisingFault? { pilot.problem }

    /// Why it has ended by itself.
    public var failure: AdvertisingFault? { pilot.failure }

    /// The adapter that it uses, such as `hci0`; nil before there is one.
    public var adapter: String? { pilot.adapter?.name }

    /// Takes what has come and does what is due.
    public func advance(to now: Int64) {
        self.now = now
        read()
        pilot.advance(to: moment)
        perform()
    }

    /// Asks the controller to send no more; the state is `ended` when it has confirmed that. Where nobody waits for that,
    /// it does so all the same.
    public func stop() {
        pilot.stop(at: moment)
        perform()
    }

    /// What has happened since the last call.
    public func takeNotices() -> [RadioNotice] {
        defer { pilot.notices.removeAll() }
        return pilot.notices
    }

    private var moment: Timestamp { Timestamp(microseconds: now / 1000) }

    private func read() {
        do {
            try management.drain { packet in
                guard let message = AdvertisingMessage(packet) else { return }
                pilot.receive(message, at: moment)
            }
        } catch {
            pilot.end(with: .adapter(.system(call: "read the management interface", code: error.code)))
        }
    }

    private func perform() {
        while !pilot.effects.isEmpty {
            do {
                switch pilot.effects.removeFirst() {
                case .survey: try pilot.found(survey.adapters(), at: moment)
                case .send(let packet): try management.send(packet)
                }
            } catch let fault as RadioFault {
                pilot.stumble(.adapter(fault), at: moment)
            } catch let error as SocketError {
                pilot.stumble(.adapter(.system(call: "advertise", code: error.code)), at: moment)
            } catch {}
        }
    }
}
