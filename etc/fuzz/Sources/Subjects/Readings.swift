import BeaconFrames
import Bytes
import WireProtocol

/// What beacons tell of themselves, as windows and the broker carry it.
enum Readings {
    private static let head =
        #"{"v":1,"seq":412,"from":1795248000.123,"to":1795248001.123,"node":"hall","epoch":"5f1c09aa","id":"c00000000001","#
        + #""item":"keys","count":1,"telemetry":"#

    /// The readings of a window, which are what is fed.
    static func parse(_ bytes: Span<UInt8>) -> Bool {
        _ = try? Telemetry.keys(payload: bytes)
        let text = Array(head.utf8) + [UInt8](copying: bytes) + [UInt8(ascii: "}")]
        guard let window = try? Window(payload: text.span) else { return false }
        if let telemetry = window.telemetry { check(telemetry) }
        return true
    }

    /// What was read is bounded, and says the same when it is told and read again; decimals are cut the first time.
    static func check(_ telemetry: Telemetry) {
        precondition(telemetry.others.count <= Telemetry.readingBound, "more readings than are kept")
        precondition(telemetry.temperatureCelsius?.isFinite ?? true, "a temperature that is none")
        precondition(Set(telemetry.others.map(\.name)).count == telemetry.others.count, "a reading twice")
        for reading in telemetry.others {
            precondition((1...40).contains(reading.name.utf8.count), "a name without end")
            if case .number(let number) = reading.value { precondition(number.isFinite, "a reading that is none") }
        }
        let once = told(telemetry)
        let read = telemetry.isEmpty ? Telemetry() : readAgain(once)
        precondition(read.others.map(\.name) == telemetry.others.map(\.name), "a reading is lost by being told")
        precondition(told(read) == once, "readings change by being told")
        var merged = telemetry
        merged.merge(telemetry)
        precondition(merged == telemetry, "readings change by being merged with themselves")
        let topic = Payloads.written {
            telemetry.write(to: &$0, at: Timestamp(microseconds: 1_795_248_000_123_000), node: "hall")
        }
        let keys = try? Telemetry.keys(payload: topic.span)
        precondition(keys?.isSuperset(of: telemetry.others.map(\.name)) ?? false, "a reading's topic lacks it")
    }

    private static func window(_ telemetry: Telemetry) -> Window {
        let from = Timestamp(microseconds: 1_795_248_000_123_000)
        var window = Window(
            seq: 412, from: from, to: from.advanced(byMicroseconds: 1_000_000), node: "hall", epoch: "5f1c09aa",
            id: "c00000000001", count: 1)
        window.telemetry = telemetry
        return window
    }

    private static func told(_ telemetry: Telemetry) -> [UInt8] {
        Payloads.written { window(telemetry).write(to: &$0) }
    }

    private static func readAgain(_ window: [UInt8]) -> Telemetry {
        guard let telemetry = (try? Window(payload: window.span))?.telemetry else {
            preconditionFailure("readings are lost by being told")
        }
        return telemetry
    }

    static var seeds: [[UInt8]] {
        [
            #"{"battery_mv":2950,"temperature_c":21.5}"#,
            #"{"battery_percent":97,"humidity_percent":55.25,"pressure_hpa":1008.83,"temperature_c_2":-3.5,"motion":true,"#
                + #""door_open":false,"illuminance_lx":13460.67,"movements":66,"v":2,"unknown":[1],"text":"x"}"#,
            "{"
                + (10..<30).map { #""\#(String(repeating: "a", count: 38))\#($0)":-1.2345678901234567e308"# }
                .joined(separator: ",") + "}",
            "{" + (0..<30).map { #""reading_\#($0)":\#($0).0001"# }.joined(separator: ",") + "}",
        ].map { Array($0.utf8) }
    }
}
