import WireProtocol
import Testing

@testable import Fuser

@Suite struct BacklogTests {
    private func texts(_ backlog: inout Backlog, taking limit: Int = .max) -> [String] {
        var taken: [String] = []
        backlog.sendMessages { message in
            guard taken.count < limit else { return false }
            taken.append("\(message.topic)=\(String(decoding: message.payload, as: UTF8.self))")
            return true
        }
        return taken
    }

    @Test("Of a retained topic only the latest waits; nothing else is lost or put out of order")
    func latest() {
        var backlog = Backlog()
        backlog.addMessage(Message(topic: "a", text: "1", retained: true))
        backlog.addMessage(Message(topic: "e", text: "1"))
        backlog.addMessage(Message(topic: "b", text: "1", retained: true))
        backlog.addMessage(Message(topic: "a", text: "2", retained: true))
        backlog.addMessage(Message(topic: "e", text: "2"))
        #expect(texts(&backlog, taking: 2) == ["a=2", "e=1"])
        backlog.addMessage(Message(topic: "a", text: "3", retained: true))
        #expect(texts(&backlog) == ["b=1", "e=2", "a=3"])
        #expect(backlog.isEmpty && texts(&backlog).isEmpty)
    }

    @Test("What speaks of events doesn't overtake them, however often it changes")
    func behindEvents() {
        var backlog = Backlog()
        let state = Message(topic: "alert", text: "0", retained: true)
        backlog.addMessage(state, isBehindEvents: true)
        for number in 1...Backlog.capacity + 1000 {
            if number.isMultiple(of: 4000) { backlog.addMessage(Message(topic: "e", text: "\(number)")) }
            backlog.addMessage(Message(topic: "alert", text: "\(number)", retained: true), isBehindEvents: true)
        }
        #expect(texts(&backlog) == ["e=4000", "e=8000", "alert=\(Backlog.capacity + 1000)"])
        #expect(backlog.isEmpty)
        backlog.addMessage(state, isBehindEvents: true)
        #expect(texts(&backlog) == ["alert=0"])
    }

    @Test("What waits is bounded, and what is lost is counted")
    func bounded() {
        var backlog = Backlog()
        for number in 0..<Backlog.capacity + 5 { backlog.addMessage(Message(topic: "e", text: "\(number)")) }
        for _ in 0..<100 { backlog.addMessage(Message(topic: "a", text: "x", retained: true)) }
        #expect(backlog.dropped == 5)
        #expect(texts(&backlog).count == Backlog.capacity + 1)
    }
}
