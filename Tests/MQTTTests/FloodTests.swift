import Bytes
import WireProtocol
import Support
import Testing

@testable import MQTT

/// The messages that a client holds back, drops and never loses above its rate.
@Suite(.inTurn) struct FloodTests {
    private static let now = MonotonicTime(nanoseconds: 0)

    private func drain(_ queue: inout MessageQueue, at now: MonotonicTime = now) -> [String] {
        var texts: [String] = []
        while queue.first(at: now) != nil {
            texts.append(String(decoding: queue.removeFirst(at: now).payload, as: UTF8.self))
        }
        return texts
    }

    @Test func ofARetainedTopicOnlyTheLatestWaitsInThePlaceOfTheFirst() {
        var queue = MessageQueue()
        for (topic, text) in [("a", "a1"), ("b", "b1"), ("a", "a2")] {
            queue.append(
                Message(topic: topic, text: text, qos: .atLeastOnce, retained: true), at: Self.now, replacing: true)
        }
        queue.append(Message(topic: "a", text: "event", qos: .atLeastOnce), at: Self.now, replacing: true)
        #expect(queue.count == 3 && queue.bytes == 12)
        #expect(drain(&queue) == ["a2", "b1", "event"])
        #expect(queue.count == 0 && queue.bytes == 0)
    }

    @Test func aShortQueueTellsEachChangeAndALaterOneTakesThePlaceOfTheLast() {
        var queue = MessageQueue()
        for (text, isLong) in [("1", false), ("2", false), ("3", true)] {
            let message = Message(topic: "a", text: text, qos: .atLeastOnce, retained: true)
            queue.append(message, at: Self.now, replacing: isLong)
        }
        #expect(drain(&queue) == ["1", "3"])
    }

    @Test func samplesGoOldestFirstAndOthersStay() {
        var queue = MessageQueue()
        for number in 0..<6 {
            queue.append(
                Message(topic: "t", text: "\(number)", qos: number % 2 == 0 ? .atMostOnce : .atLeastOnce), at: Self.now,
                replacing: true)
        }
        for _ in 0..<2 {
            let hasDropped = queue.dropSample()
            #expect(hasDropped)
        }
        #expect(queue.samples == 1 && queue.count == 4)
        queue.append(Message(topic: "t", text: "6"), at: Self.now, replacing: true)
        #expect(drain(&queue) == ["1", "3", "4", "5", "6"])
        let hasDropped = queue.dropSample()
        #expect(!hasDropped)
    }

    @Test func whatHasWaitedForLongerThanItIsOfUseIsLetGoAndTheRestSaysWhatItHasLeft() {
        var queue = MessageQueue()
        var answer = Message(topic: "t", text: "answer", qos: .atLeastOnce)
        answer.expiry = 60
        queue.append(answer, at: Self.now, replacing: true)
        queue.append(Message(topic: "t", text: "event", qos: .atLeastOnce), at: Self.now, replacing: true)
        var early = queue
        #expect(early.first(at: Self.now.advanced(bySeconds: 20)) != nil)
        let taken = early.removeFirst(at: Self.now.advanced(bySeconds: 20.5))
        #expect(taken.expiry == 40)
        // A lost connection gives it no new life.
        early.keepAcknowledged(after: [taken], at: Self.now.advanced(bySeconds: 30))
        #expect(drain(&early, at: Self.now.advanced(bySeconds: 69)) == ["answer", "event"])
        #expect(drain(&queue, at: Self.now.advanced(bySeconds: 61)) == ["event"])
        #expect(queue.expired == 1)
    }

    @Test func aLongQueueKeepsItsOrderAndItsBooks() {
        var queue = MessageQueue()
        var generator = SeededGenerator(seed: 11)
        var model: [Message] = []
        for step in 0..<20_000 {
            let topic = "t\(Int.random(in: 0..<5, using: &generator))"
            switch Int.random(in: 0..<10, using: &generator) {
            case 0..<3:
                let message = Message(topic: topic, text: "\(step)")
                queue.append(message, at: Self.now, replacing: true)
                model.append(message)
            case 3..<5:
                let message = Message(topic: topic, text: "\(step)", qos: .atLeastOnce)
                queue.append(message, at: Self.now, replacing: true)
                model.append(message)
            case 5:
                let message = Message(topic: topic, text: "\(step)", qos: .atLeastOnce, retained: true)
                queue.append(message, at: Self.now, replacing: true)
                if let place = model.firstIndex(where: { $0.retained && $0.topic == topic }) {
                    model[place] = message
                } else {
                    model.append(message)
                }
            case 6:
                let hasDropped = queue.dropSample()
                let place = model.firstIndex { $0.qos == .atMostOnce }
                #expect(hasDropped == (place != nil))
                if let place { model.remove(at: place) }
            default:
                #expect(queue.first(at: Self.now) == model.first)
                if !model.isEmpty { #expect(queue.removeFirst(at: Self.now) == model.removeFirst()) }
            }
            guard queue.count == model.count else {
                Issue.record("seed 11, step \(step): \(queue.count) messages, not \(model.count)")
                return
            }
            #expect(queue.samples == model.count { $0.qos == .atMostOnce })
        }
        #expect(queue.bytes == model.reduce(0) { $0 + $1.size })
    }

    @Test func inNoSecondMoreGoesOutThanIsAllowedAndATenthOfIt() {
        var bucket = Outbox.bucket(rate: 1000)
        var taken: [Double] = []
        for tick in 0..<4000 {
            let seconds = Double(tick) / 1000
            let now = Self.now.advanced(bySeconds: seconds)
            // A flood in the first two seconds, and a pause before the last.
            guard seconds < 2 || seconds > 3 else { continue }
            for _ in 0..<5 where bucket.take(at: now) { taken.append(seconds) }
        }
        let most =
            taken.indices.map { first in
                taken[first...].prefix { $0 < taken[first] + 1 }.count
            }.max() ?? 0
        #expect((1050...1101).contains(most), "\(most)")
    }

    @Test(.enabled(if: Broker.isInstalled, Comment(rawValue: Broker.missing)))
    func aFloodDropsTheOldestSamplesCountsThemAndKeepsEventsAndStates() throws {
        let broker = try Broker(["max_queued_messages 0"])
        let seen = try Watcher(broker, id: "seen", subscribing: [Subscription("#", qos: .atLeastOnce)]) {
            $0.incoming = .init(messages: 1 << 20, bytes: 64 << 20)
        }
        #expect(seen.waitConnected())
        let watcher = try Watcher(broker, id: "a") { $0.rate = 500 }
        #expect(watcher.waitConnected())
        for number in 0..<3000 {
            watcher.client.publish(Message(topic: "window", text: "\(number)"))
            guard number % 30 == 0 else { continue }
            watcher.client.publish(Message(topic: "event", text: "\(number)", qos: .atLeastOnce))
            watcher.client.publish(Message(topic: "state", text: "\(number)", qos: .atLeastOnce, retained: true))
        }
        watcher.client.publish(Message(topic: "scan", text: "last"))
        let began = ContinuousClock.now
        #expect(seen.wait(20) { $0.texts("scan") == ["last"] })
        let took = ContinuousClock.now - began
        #expect(watcher.client.waitUntilUnsent(below: 1, timeout: 10))
        let statistics = watcher.client.statistics
        // The dropped messages and the received ones are all.
        #expect(statistics.droppedFlood > 2000 && statistics.dropped == statistics.droppedFlood)
        #expect(seen.texts("window").count + statistics.droppedFlood == 3000)
        #expect(seen.texts("event") == stride(from: 0, to: 3000, by: 30).map { "\($0)" })
        #expect(seen.texts("state").last == "2970")
        #expect(seen.texts("window").last == "2999")
        // All that came in would have gone out in more than six.
        #expect(took < .seconds(5), "\(took)")
        // As fast as the broker takes it, again.
        watcher.client.limit(to: nil)
        for _ in 0..<3000 { watcher.client.publish(Message(topic: "fast", text: "x", qos: .atLeastOnce)) }
        #expect(watcher.client.waitUntilUnsent(below: 1, timeout: 5))
    }

    @Test(.enabled(if: Broker.isInstalled, Comment(rawValue: Broker.missing)))
    func aFullQueueMakesRoomForEventsAndStatesByItsSamples() throws {
        let broker = try Broker(["max_queued_messages 0"])
        let seen = try Watcher(broker, id: "seen", subscribing: [Subscription("#", qos: .atLeastOnce)])
        let watcher = try Watcher(broker, id: "a") {
            $0.rate = 10
            $0.outgoing = .init(messages: 320, bytes: 100_000)
        }
        #expect(seen.waitConnected() && watcher.waitConnected())
        for _ in 0..<10 { watcher.client.publish(Message(topic: "window", text: "w")) }
        for number in 0..<300 { watcher.client.publish(Message(topic: "event", text: "\(number)", qos: .atLeastOnce)) }
        for number in 0..<100 {
            watcher.client.publish(Message(topic: "state", text: "\(number)", qos: .atLeastOnce, retained: true))
        }
        #expect(watcher.client.statistics.droppedFull == 0, "\(watcher.client.statistics)")
        watcher.client.limit(to: nil)
        #expect(seen.wait { $0.texts("state").last == "99" && $0.texts("event").count == 300 })
    }

    @Test(.enabled(if: Broker.isInstalled, Comment(rawValue: Broker.missing)))
    func aBrokerOfVersion5IsToldForHowLongAMessageIsOfUse() throws {
        let broker = try Broker(["persistent_client_expiration 1h"])
        // A client with a session that lasts is away; what ages is gone when it comes back.
        let watcher = try Watcher(broker, id: "a", subscribing: [Subscription("t", qos: .atLeastOnce)])
        #expect(watcher.waitConnected())
        var message = Message(topic: "kept", text: "short", qos: .atLeastOnce, retained: true)
        message.expiry = 1
        watcher.client.publish(message)
        watcher.client.publish(Message(topic: "kept2", text: "long", qos: .atLeastOnce, retained: true))
        #expect(watcher.client.waitUntilUnsent(below: 1, timeout: 10))
        let isGone = waitUntil(10) {
            guard let late = try? Watcher(broker, id: "late", subscribing: [Subscription("#")]) else { return false }
            return late.wait { $0.texts("kept2") == ["long"] } && late.texts("kept").isEmpty
        }
        #expect(isGone)
    }

    @Test func anInboxHasEventsFromTheFirstThatArrivesUntilAllAreTaken() throws {
        let inbox = Inbox(bound: .init(messages: 8, bytes: 1024), wake: try EventDescriptor())
        var events: [MQTTEvent] = []
        #expect(!inbox.hasEvents)
        inbox.receive(Message(topic: "t", text: "1"))
        #expect(inbox.hasEvents)
        inbox.takeEvents(into: &events)
        #expect(!inbox.hasEvents && events.count == 1)
        // One that arrives while those are used.
        inbox.receive(Message(topic: "t", text: "2"))
        #expect(inbox.hasEvents)
    }
}
