import Bytes
import WireProtocol

/// What comes from the broker. What was read can be written, and is then read again.
enum Payloads {
    static func json(_ bytes: Span<UInt8>) -> Bool {
        var value = JSONReader(bytes)
        do {
            try value.skip()
            try value.end()
        } catch {
            precondition(error.offset >= 0 && error.offset <= bytes.count)
            _ = error.description
            return false
        }
        // A whole value: an object's keys and strings come out too.
        var pulled = JSONReader(bytes)
        do {
            try pulled.beginObject()
            while let key = try pulled.nextKey() {
                switch key.utf8.count % 4 {
                case 0: _ = try pulled.string()
                case 1: _ = try pulled.number()
                case 2: _ = try pulled.integer(Int8.self)
                default: try pulled.skip()
                }
            }
            try pulled.end()
        } catch {
            precondition(error.offset >= 0 && error.offset <= bytes.count)
        }
        return true
    }

    static func window(_ bytes: Span<UInt8>) -> Bool {
        guard let value = try? Window(payload: bytes) else { return false }
        return isWritable { value.write(to: &$0) }
    }

    static func scan(_ bytes: Span<UInt8>) -> Bool {
        guard let value = try? Scan(payload: bytes) else { return false }
        return isWritable { value.write(to: &$0) }
    }

    static func info(_ bytes: Span<UInt8>) -> Bool {
        guard let value = try? NodeInfo(payload: bytes) else { return false }
        return isWritable { value.write(to: &$0) }
    }

    static func location(_ bytes: Span<UInt8>) -> Bool {
        guard let value = try? Location(payload: bytes) else { return false }
        return isWritable { value.write(to: &$0) }
    }

    static func itemEvent(_ bytes: Span<UInt8>) -> Bool {
        guard let value = try? ItemEvent(payload: bytes) else { return false }
        return isWritable { value.write(to: &$0) }
    }

    static func occupancy(_ bytes: Span<UInt8>) -> Bool {
        guard let value = try? Occupancy(payload: bytes) else { return false }
        return isWritable { value.write(to: &$0) }
    }

    static func battery(_ bytes: Span<UInt8>) -> Bool {
        guard let value = try? BatteryReport(payload: bytes) else { return false }
        precondition(value.levels.count <= BatteryReport.levelBound)
        let text = written { value.write(to: &$0) }
        guard let again = try? BatteryReport(payload: text.span) else {
            // Numbers may be written longer than they came.
            precondition(text.count > bytes.count, "what was written is not read again")
            return true
        }
        precondition(again.grade == value.grade && again.levels == value.levels)
        return isWritable { value.write(to: &$0) }
    }

    static func topic(_ bytes: Span<UInt8>) -> Bool {
        let topic = String(decoding: [UInt8](copying: bytes), as: UTF8.self)
        return Topics().kind(of: topic) != nil
    }

    /// A topic on the first line, and behind it the payload.
    static func message(_ bytes: Span<UInt8>) -> (topic: String, payload: [UInt8]) {
        let all = [UInt8](copying: bytes)
        let end = all.firstIndex(of: 0x0A) ?? all.count
        return (String(decoding: all[..<end], as: UTF8.self), Array(all[min(all.count, end + 1)...]))
    }

    static func message(_ topic: String, _ payload: String) -> [UInt8] { Array("\(topic)\n\(payload)".utf8) }

    static func isWritable(_ write: (inout JSONWriter) -> Void) -> Bool {
        var writer = JSONWriter()
        write(&writer)
        precondition(json(writer.bytes.span), "what was read is not written as JSON")
        return true
    }

    // MARK: Seeds

    private static let now = Timestamp(microseconds: 1_795_248_000_123_000)
    private static let later = now.advanced(byMicroseconds: 1_000_000)
    private static let beacon = "iBeacon:48534442-4c45-4144-80c0-1800fffffff0-100-7"

    static func written(_ write: (inout JSONWriter) -> Void) -> [UInt8] {
        var json = JSONWriter()
        write(&json)
        return json.bytes
    }

    static var jsonSeeds: [[UInt8]] {
        [
            #"{"a":[1,-2.5e3,true,false,null,"\u00e9\ud83d\ude00\n"],"b":{"c":{}},"seven":[[[[]]]],"n":127}"#,
            #"[0.1,1e-7,-0,9007199254740993,18446744073709551615,1E+30]"#, #""text""#, " 0 ",
        ].map { Array($0.utf8) }
    }

    static var windowSeeds: [[UInt8]] {
        var full = Window(
            seq: 412, from: now, to: later, node: "kitchen", epoch: "5f1c09aa", id: beacon, item: "keys", count: 17)
        full.expected = 19.25
        full.rssi = Window.Levels(mean: -67.2, median: -67, minimum: -80, maximum: -61, deviation: 3.1)
        full.power = -59
        full.distance = Window.Distance(metres: 2.41, low: 1.5, high: 3.9)
        full.proximity = .near
        full.telemetry = Telemetry(batteryMillivolts: 2950, temperatureCelsius: 21.5)
        let least = Window(
            seq: 1, from: now, to: later, node: "hall", epoch: "00", id: "c00000000001", count: 0)
        return [written { full.write(to: &$0) }, written { least.write(to: &$0) }]
    }

    static var scanSeeds: [[UInt8]] {
        var scan = Scan(from: now, to: later, seq: 9, registry: "0123456789abcdef", epoch: "5f1c09aa")
        (scan.windows, scan.reports, scan.beacons, scan.dropped, scan.spooled) = (3, 40, 12, 5, 6)
        scan.gapMilliseconds = 70
        scan.clock = NodeClock(start: now, origin: later, speed: 2)
        let plain = Scan(from: now, to: later, seq: 1, registry: "", epoch: "aa")
        return [written { scan.write(to: &$0) }, written { plain.write(to: &$0) }]
    }

    static var infoSeeds: [[UInt8]] {
        var info = NodeInfo(
            version: "1.0", room: "kitchen", adapter: "hci0", started: now, epoch: "5f1c09aa", window: 1,
            publishesAll: false, registry: "0123456789abcdef")
        let plain = written { info.write(to: &$0) }
        info.address = "aa:bb:cc:dd:ee:ff"
        info.features = ["legacy", "extended"]
        info.missingKeys = ["phone"]
        info.clock = NodeClock(start: now, origin: later, speed: nil)
        return [plain, written { info.write(to: &$0) }]
    }

    static var locationSeeds: [[UInt8]] {
        [
            #"{"v":1,"fuser":"main","state":"present","room":"kitchen","confidence":0.94,"since":1795248000.123,"#
                + #""previous":"hall","at":1795248001,"reason":[{"node":"kitchen","weight":2.5,"level":-61.5}],"#
                + #""rooms":{"kitchen":0.94,"hall":0.05,"away":0.01},"distances":{"kitchen":1.2}}"#,
            #"{"fuser":"main","state":"unknown","confidence":0,"since":1795248000}"#,
        ].map { Array($0.utf8) }
    }

    static var itemEventSeeds: [[UInt8]] {
        [
            #"{"fuser":"main","epoch":"5f1c09aa","seq":4,"item_seq":2,"id":"0123456789abcdef","at":1795248000.5,"#
                + #""kind":"moved","room":"kitchen","previous":"hall"}"#
        ].map { Array($0.utf8) }
    }

    static var occupancySeeds: [[UInt8]] {
        [
            written { Occupancy(items: ["keys", "cat"]).write(to: &$0) },
            written { Occupancy(items: []).write(to: &$0) },
        ]
    }

    static var batterySeeds: [[UInt8]] {
        var full = BatteryReport(fuser: "main", grade: .thisWeek, reason: .falling, cell: "cr2032")
        (full.millivolts, full.days, full.daysLow, full.daysHigh) = (2480, 6.1, 3.2, 11)
        (full.since, full.silentSince, full.until) = (now, later, now)
        full.levels = [3010, 2990, BatteryReport.noLevel, 2700]
        var percent = BatteryReport(fuser: "main", grade: .fine, reason: .steady, cell: "percent")
        percent.percent = 80
        return [full, percent].map { report in written { report.write(to: &$0) } }
    }

    static var topicSeeds: [[UInt8]] {
        let topics = Topics()
        return [
            topics.nodeStatus("kitchen"), topics.nodeInfo("kitchen"), topics.scan("hall"),
            topics.window(beacon: beacon, node: "kitchen"), topics.fuserStatus("main"), topics.location("keys"),
            topics.room("keys"), topics.itemEvents("keys"), topics.occupancy("kitchen"),
        ].map { Array($0.utf8) }
    }
}
