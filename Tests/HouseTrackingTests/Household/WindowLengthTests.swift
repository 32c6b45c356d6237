import HouseTracking
import Testing
import WireProtocol

@Suite("Nodes with windows of different lengths")
struct WindowLengthTests {
    /// Five minutes in a house with windows of a second, which receives the keys each ten seconds up to second 203.
    private func play(_ home: inout Home, _ scans: (inout Home, Int) -> Void) {
        for second in 1...300 {
            let end = 1000 + Double(second)
            home.advance(to: end)
            if second <= 203, second % 10 == 3 { home.window(end, "kitchen", -50) }
            scans(&home, second)
            home.advance(to: end + 0.4)
        }
    }

    @Test("Count a silence once beside a node with longer windows", arguments: [5, 60], [true, false])
    func longerWindows(seconds: Int, isLast: Bool) {
        var home = Home()
        play(&home) { home, second in
            let end = 1000 + Double(second)
            if isLast { home.scan(end, "kitchen") }
            if second % seconds == 0 { home.scan(end, "hall", length: Double(seconds)) }
            if !isLast { home.scan(end, "kitchen") }
        }
        #expect(home.events.map(\.kind) == [.left])
        #expect(home.events.first?.at == Home.time(1263), "a minute after its last packet")
    }

    /// The node listens in all of the two minutes, or in none of them.
    @Test("Let a scan of two minutes with an end of its own neither hasten nor delay a departure", arguments: [0, 120])
    func longScan(gap: Int) {
        var home = Home(["kitchen", "hall", "den"])
        play(&home) { home, second in
            let end = 1000 + Double(second)
            for node in ["kitchen", "hall"] { home.scan(end, node) }
            home.scan(end + 0.5, "den", length: 120, gap: gap)
        }
        #expect(home.events.map(\.kind) == [.left])
        #expect(home.events.first?.at == Home.time(1263), "a minute after its last packet")
    }

    @Test("Count no time of a pause that no window covers")
    func pause() {
        var home = Home(awayAfter: 10)
        home.run(3, [("kitchen", -50)])
        for (end, length) in [(1011.0, 4.0), (1014.0, 3.0), (1015.0, 1.0), (1016.0, 1.0), (1017.0, 1.0)] {
            #expect(home.events.isEmpty, "before \(end)")
            home.advance(to: end)
            home.scan(end, "hall", length: length)
            home.advance(to: end + 0.4)
        }
        #expect(home.events.map(\.kind) == [.left])
    }

    /// One that sends each second has left after a silent window; one that sends each minute after five.
    @Test("Follow an item in a house whose only node has windows of a minute", arguments: [(60, 1), (1, 5)])
    func minutes(packets: Int, silent: Int) {
        var home = Home(["hall"])
        for minute in 1...(10 + silent) {
            let end = 1000 + Double(minute) * 60
            home.advance(to: end)
            if minute <= 10 { home.window(end, "hall", -50, length: 60, expected: Double(packets)) }
            home.scan(end, "hall", length: 60)
            home.advance(to: end + 0.4)
            guard minute < 10 + silent else { continue }
            #expect(home.events.isEmpty && home.locations.last?.state == .present, "minute \(minute)")
        }
        #expect(home.events.map(\.kind) == [.left])
    }
}

extension Home {
    /// A scan of `length` seconds, of which the node did not listen in `gap`.
    fileprivate mutating func scan(_ end: Double, _ node: String, length: Double, gap: Int = 0) {
        var scan = Self.scan(end)
        scan.from = Self.time(end - length)
        scan.gapMilliseconds = gap * 1000
        household.receive(scan, of: node, at: Self.time(now))
    }

    fileprivate mutating func window(
        _ end: Double, _ node: String, _ level: Double, length: Double, expected: Double
    ) {
        var window = Self.window(end, node, level)
        window.from = Self.time(end - length)
        window.expected = expected
        household.receive(window, at: Self.time(now))
    }
}
