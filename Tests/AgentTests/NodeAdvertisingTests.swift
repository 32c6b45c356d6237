import HCI
import Support
import WireProtocol
import Testing

@testable import Agent
import Bytes
import System

/// A transmitter that does what a test says.
private final class ScriptedTransmitter: AdvertisementSender {
    let choice: AdapterChoice
    let data: [UInt8]
    var state = Advertiser.State.waiting
    var problem: AdvertiserFault?
    var failure: AdvertiserFault?
    var nextDeadline: MonotonicTime?
    let descriptor: Int32
    private(set) var moments: [MonotonicTime] = []
    private(set) var isStopped = false

    init(_ choice: AdapterChoice, _ data: [UInt8], descriptor: Int32) {
        (self.choice, self.data, self.descriptor) = (choice, data, descriptor)
    }

    func advance(to now: MonotonicTime) { moments.append(now) }
    func stop() { isStopped = true }
    func takeNotices() -> [RadioNotice] { [] }
}

/// A node's advertising on a clock that the test moves, in seconds.
private final class Sender {
    private(set) var transmitters: [ScriptedTransmitter] = []
    /// The fault of an adapter that isn't available.
    var refusal: AdvertiserFault?
    private(set) var answers: [String] = []
    private(set) var advertising: NodeAdvertising!

    init() {
        advertising = NodeAdvertising(log: Log(level: .warning, style: .plain)) {
            [unowned self] (choice, settings, _) throws(AdvertiserFault) in
            if let refusal { throw refusal }
            let transmitter = ScriptedTransmitter(choice, settings.data, descriptor: Int32(100 + transmitters.count))
            transmitters.append(transmitter)
            return transmitter
        }
    }

    /// A command with an id, which wants a byte sent for some seconds.
    func start(_ id: String, _ byte: UInt8, for seconds: Int, at now: Int, radio: RadioStatus? = nil) {
        var status = RadioStatus(state: "scanning")
        (status.adapter, status.address) = ("hci0", "00:aa:ee:00:00:01")
        let length = Duration.seconds(seconds)
        let command = NodeCommand(id: id, action: .advertise(.start(data: [byte], for: length)))
        do throws(CommandFault) {
            try advertising.startSending(
                [byte], for: length, on: radio ?? status,
                NodeAdvertising.Request(command: command, reply: ReplyAddress(topic: "replies/\(id)")),
                at: .second(now))
        } catch {
            answers.append("\(id): \(error)")
        }
    }

    func advance(to now: Int) { tell(advertising.advance(to: .second(now), at: Node.time(Double(now)))) }
    func stop(at now: Int) { tell(advertising.stopAll(at: Node.time(Double(now)))) }

    /// The time of its deadline, in seconds.
    var due: Int64? { advertising.nextDeadline.map { ($0 - .start).components.seconds } }

    private func tell(_ results: [(CommandResult, ReplyAddress)]) {
        for (result, reply) in results {
            let id = result.id ?? ""
            #expect(reply.topic == "replies/\(id)" && result.action == "advertise")
            switch result.answer {
            case .done: answers.append("\(id): done at \(result.at.microseconds / 1_000_000)")
            case .failed(let words): answers.append("\(id): \(words)")
            case .nearby, .replayed: Issue.record("nobody asked for that")
            }
        }
    }
}

@Suite("The advertisements of a node on command")
struct NodeAdvertisingTests {
    private let sender = Sender()

    @Test("Answer a command once it is on the air, and send from then on for its time, on the scanning adapter")
    func ordinary() throws {
        sender.start("a", 1, for: 60, at: 100)
        let transmitter = try #require(sender.transmitters.first)
        #expect(transmitter.choice == AdapterChoice("00:aa:ee:00:00:01") && transmitter.data == [1])
        #expect(sender.advertising.descriptors == [100] && sender.due == 105)
        sender.advance(to: 101)
        #expect(sender.answers == [])
        transmitter.state = .onAir
        sender.advance(to: 103)
        sender.advance(to: 104)
        #expect(sender.answers == ["a: done at 103"] && sender.due == 163)
        sender.advance(to: 162)
        #expect(!transmitter.isStopped)
        sender.advance(to: 163)
        #expect(transmitter.isStopped && sender.advertising.descriptors == [] && sender.due == nil)
        #expect(sender.answers.count == 1, "its end was agreed, and is told nobody")
    }

    @Test("Call a transmitter by its deadline")
    func deadline() {
        sender.start("a", 1, for: 60, at: 100)
        sender.transmitters[0].nextDeadline = .second(102)
        #expect(sender.due == 102)
        sender.advance(to: 102)
        #expect(sender.transmitters[0].moments == [.second(102)])
    }

    @Test("Fail an advertisement that isn't on the air within five seconds, with the reason and the remedy")
    func late() {
        sender.start("a", 1, for: 60, at: 100)
        sender.start("b", 2, for: 60, at: 101)
        sender.transmitters[1].problem = .taken("hci0", places: 1)
        sender.advance(to: 104)
        #expect(sender.answers == [])
        sender.advance(to: 105)
        sender.advance(to: 106)
        let taken = AdvertiserFault.taken("hci0", places: 1)
        #expect(sender.answers == ["a: it was not on the air within 5 s", "b: \(taken); \(taken.mend)"])
        #expect(sender.transmitters.allSatisfy(\.isStopped) && sender.due == nil)
    }

    @Test("Answer at once if an advertisement ends before it is on the air")
    func refused() {
        sender.start("a", 1, for: 60, at: 100)
        (sender.transmitters[0].state, sender.transmitters[0].failure) = (.ended, .oldKernel)
        sender.advance(to: 101)
        #expect(sender.answers == ["a: \(AdvertiserFault.oldKernel); \(AdvertiserFault.oldKernel.mend)"])
        #expect(sender.advertising.descriptors == [])
    }

    @Test("Report a node without an adapter, or without advertising, with the remedy")
    func impossible() {
        var radio = RadioStatus(state: "waiting")
        radio.mend = "plug one in"
        sender.start("a", 1, for: 60, at: 100, radio: radio)
        sender.refusal = .adapter(.notPermitted("advertise"))
        sender.start("b", 1, for: 60, at: 100)
        #expect(sender.answers.count == 2 && sender.answers[0] == "a: this node has no adapter yet: plug one in")
        #expect(sender.answers[1].hasPrefix("b: not permitted: advertise; "))
        #expect(sender.due == nil)
    }

    @Test("Extend an advertisement with the same data, and answer each command")
    func again() {
        sender.start("a", 1, for: 60, at: 100)
        sender.start("b", 1, for: 10, at: 101)
        #expect(sender.transmitters.count == 1)
        sender.transmitters[0].state = .onAir
        sender.advance(to: 102)
        #expect(sender.answers == ["a: done at 102", "b: done at 102"] && sender.due == 112)
        sender.start("c", 1, for: 300, at: 110)
        sender.advance(to: 111)
        #expect(sender.answers.last == "c: done at 111" && sender.due == 411)
        sender.advance(to: 410)
        #expect(sender.transmitters.count == 1 && !sender.transmitters[0].isStopped)
    }

    @Test("Send four advertisements at once, and reject a fifth until one of them ends")
    func capacity() {
        for byte in 1...4 { sender.start("a\(byte)", UInt8(byte), for: 10 * byte, at: 100) }
        for transmitter in sender.transmitters { transmitter.state = .onAir }
        sender.advance(to: 100)
        sender.start("b", 5, for: 10, at: 100)
        #expect(sender.answers.last?.hasPrefix("b: 4 advertisements are sent already") == true)
        sender.start("c", 4, for: 40, at: 101)
        #expect(sender.transmitters.count == 4, "one that is sent takes no place more")
        sender.advance(to: 110)
        sender.start("d", 5, for: 10, at: 110)
        #expect(sender.transmitters.count == 5 && sender.advertising.descriptors.count == 4)
    }

    @Test("End all advertisements at a stop, with an answer for those that weren't on the air")
    func stopped() {
        sender.start("a", 1, for: 60, at: 100)
        sender.transmitters[0].state = .onAir
        sender.advance(to: 101)
        sender.start("b", 2, for: 60, at: 102)
        sender.stop(at: 103)
        #expect(sender.answers == ["a: done at 101", "b: it was stopped before it was on the air"])
        #expect(sender.transmitters.allSatisfy(\.isStopped) && sender.due == nil)
        sender.start("c", 1, for: 60, at: 104)
        #expect(sender.transmitters.count == 3, "and it can begin anew")
    }
}
