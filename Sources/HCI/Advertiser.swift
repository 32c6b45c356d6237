public import Bytes

/// Makes an adapter of this machine advertise. The advertisement ends with this object or its process, however they
/// end: it is a lease of 8 s at most, renewed during the object's lifetime.
///
/// It belongs to one thread and never blocks. Call `advance` when its descriptor is readable and at its deadline. It
/// uses the kernel's management interface (CAP_NET_ADMIN, Linux 5.11), beside any other program and any scan.
///
///     let advertiser = try Advertiser(.auto, AdvertisingSettings(frame.advertisingData), now: MonotonicClock.now())
///     while advertiser.state != .ended {
///         _ = try loop.wait(readable: [advertiser.descriptor], until: advertiser.nextDeadline)
///         advertiser.advance(to: MonotonicClock.now())
///     }
public final class Advertiser {
    /// The state of an advertiser.
    public enum State: Hashable, Sendable {
        /// It isn't on the air; `problem` gives the reason, unless it is about to send.
        case waiting
        /// The controller has confirmed that it sends.
        case onAir
        /// It sends nothing from now on; `failure` gives the reason, unless it was asked to end.
        case ended
    }

    private var control: AdvertisingController
    private let survey: AdapterSurvey
    private let management: HCISocket
    private var now: MonotonicTime

    /// An advertiser that begins at the first `advance`.
    ///
    /// - Parameters:
    ///   - now: the time since the machine started.
    ///   - systemTree: the mount point of sysfs.
    ///
    /// Throws if the kernel has no management interface.
    public init(
        _ choice: AdapterChoice, _ settings: AdvertisingSettings, now: MonotonicTime, systemTree: String = "/sys"
    ) throws(AdvertiserFault) {
        do {
            management = try HCISocket.management()
        } catch {
            throw .adapter(
                ErrorNumber.fault(error.code, of: "open the management interface of", on: "Bluetooth", choice))
        }
        survey = AdapterSurvey(systemTree: systemTree)
        control = AdvertisingController(choice, settings, at: Timestamp(now))
        self.now = now
    }

    /// The descriptor; readable when `advance` is to be called.
    public var descriptor: Int32 { management.number }

    /// The latest time for the next call of `advance`, since the machine started; nil after the end.
    public var nextDeadline: MonotonicTime? {
        control.effects.isEmpty ? control.nextDeadline.map { MonotonicTime($0) } : now
    }

    /// The current state.
    public var state: State { control.phase == .ended ? .ended : control.isOnAir ? .onAir : .waiting }

    /// The current fault; nil if there is none.
    public var problem: AdvertiserFault? { control.problem }

    /// The fault that ended it; nil if none did.
    public var failure: AdvertiserFault? { control.failure }

    /// The name of its adapter, such as `hci0`; nil before one is found.
    public var adapter: String? { control.adapter?.name }

    /// Reads the messages that arrived and carries out the steps that are due.
    public func advance(to now: MonotonicTime) {
        self.now = now
        readMessages()
        control.advance(to: moment)
        performEffects()
    }

    /// Asks the controller to stop sending; the state is `ended` once the controller has confirmed this. It stops even
    /// if nobody waits for the confirmation.
    public func stop() {
        control.stop(at: moment)
        performEffects()
    }

    /// The notices since the last call.
    public func takeNotices() -> [RadioNotice] {
        control.notices.takeAll()
    }

    private var moment: Timestamp { Timestamp(now) }

    private func readMessages() {
        do {
            try management.drain { packet in
                guard let message = AdvertisingMessage(packet) else { return }
                control.receive(message, at: moment)
            }
        } catch {
            control.end(with: .adapter(.system(call: "read the management interface", code: error.code)))
        }
    }

    private func performEffects() {
        while !control.effects.isEmpty {
            do {
                switch control.effects.removeFirst() {
                case .survey: try control.receiveAdapters(survey.adapters(), at: moment)
                case .send(let packet): try management.send(packet)
                }
            } catch let fault as RadioFault {
                control.handleFault(.adapter(fault), at: moment)
            } catch let error as SocketError {
                control.handleFault(.adapter(.system(call: "advertise", code: error.code)), at: moment)
            } catch {}
        }
    }
}
