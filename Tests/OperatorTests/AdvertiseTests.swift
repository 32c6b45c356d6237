import BeaconFrames
import Bytes
import CommandLine
import Support
import Testing

@testable import Operator

/// The frames that `whereabouts advertise` makes of its words.
@Suite struct AdvertiseTests {
    static let uuid = "48534442-4c45-4144-80c0-1800fffffff0"

    /// The bytes for a command line, or its faults.
    static func made(_ words: [String]) throws -> String {
        guard case .run(let arguments) = try AdvertiseCommand.command.parse(words) else { return "" }
        return AdvertiseCommand.hexadecimal(try FrameRequest.frame(arguments, of: "whereabouts advertise"))
    }

    static func faults(_ line: String) -> [String] {
        do {
            return [try made(line.split(separator: " ").map(String.init))]
        } catch {
            return (error as? UsageError)?.faults ?? ["\(error)"]
        }
    }

    @Test(
        "Make the bytes of the specifications",
        arguments: [
            (
                "ibeacon --uuid \(uuid) --major 100 --minor 1",
                "0201061aff4c000215485344424c45414480c01800fffffff000640001c5"
            ),
            (
                "altbeacon --uuid 48534442-4C45-4144-80C0-1800FFFFFFF0 --major 1 --minor 65535 --power -70 --company 0x0118 --mfg 7",
                "0201061bff1801beac485344424c45414480c01800fffffff00001ffffba07"
            ),
            (
                "eddystone-uid --namespace 00112233445566778899 --instance 0123456789ab",
                "0201060303aafe1716aafe00ee001122334455667788990123456789ab0000"
            ),
            ("eddystone-url --url https://www.example.com/", "0201060303aafe0e16aafe10ee016578616d706c6500"),
            (
                "eddystone-tlm --battery-mv 2950 --temperature 21.5 --advertisements 9 --uptime 1.2",
                "0201060303aafe1116aafe20000b861580000000090000000c"
            ),
            ("eddystone-tlm", "0201060303aafe1116aafe20000000800000000000" + "00000000"),
        ])
    func bytes(_ line: String, _ hexadecimal: String) {
        #expect(Self.faults(line) == [hexadecimal])
    }

    @Test(
        "Reject an invalid value with its place and the remedy",
        arguments: [
            (
                "eddystone-url --url https://www.a-name-too-long.example.com/",
                "--url: 'https://www.a-name-too-long.example.com/' is longer than 17 bytes when compressed: there is "
                    + "no room for 'xample.com/' at byte 30; shorten it, as by a short link of your own"
            ),
            (
                "eddystone-url --url example.com",
                "--url: 'example.com' begins with no scheme that a beacon can carry: put http:// or https:// before it"
            ),
            (
                "eddystone-url --url https://müsli.de",
                "--url: the character at byte 10, U+00fc, is not printable ASCII: percent-encode it in a path, or use "
                    + "the domain's xn-- form"
            ),
            (
                "eddystone-uid --namespace 0011 --instance zz23456789ab",
                "--namespace: '0011' has 4: give 20 hexadecimal digits (10 bytes)"
            ),
            (
                "ibeacon --uuid 4853 --major 1 --minor 1",
                "--uuid: '4853' has 4 characters and is no UUID: give 32 hexadecimal digits, plain or in groups of "
                    + "8-4-4-4-12"
            ),
            (
                "ibeacon --uuid \(uuid) --major 65536 --minor 1",
                "--major: '65536' is not a whole number from 0 to 65535"
            ),
            (
                "ibeacon --uuid \(uuid) --major 1",
                "--minor is missing: ibeacon carries --uuid, --major, --minor"
            ),
            (
                "eddystone-url --url https://a.com --major 1",
                "--major: eddystone-url has no place for it; it carries --url, --power"
            ),
            (
                "eddystone-tlm --temperature 128",
                "--temperature: 128.0 °C is outside what 8.8 fixed point holds: give -127.99 to 127.99, or leave it "
                    + "out for \"not supported\""
            ),
            ("ibecon", "there is no format 'ibecon'; did you mean 'ibeacon'?"),
            (
                "altbeacon --uuid \(uuid) --major 1 --minor 1 --company apple",
                "--company: 'apple' is no company identifier: give a number from 0 to 65535, or 0x0000 to 0xffff"
            ),
        ])
    func refusals(_ line: String, _ fault: String) {
        #expect(Self.faults(line).first == fault)
    }

    @Test("Read seeded values of every format back from decode as they were given")
    func roundTrips() throws {
        let seed: UInt64 = 0xAD
        var random = AdvertisedValues(seed: seed)
        for format in AdvertisedFormat.allCases {
            for _ in 0..<(LongProofs.areRequested ? 10_000 : 1000) {
                let (words, frame) = random.next(format)
                let made = try Self.made(words)
                guard case .data(let data) = HexLine(made) else {
                    Issue.record("seed \(seed): \(words) made no line that decode reads as data")
                    return
                }
                var line = AdvertisementLine()
                let decoded = String(copying: try UTF8Span(validating: line.bare(data.span)))
                let wanted = "{\"data\":\"\(made)\",\"frames\":[\(frame)]}\n"
                if decoded != wanted { Issue.record("seed \(seed): \(words) gave \(decoded), not \(wanted)") }
                #expect(data.count <= 31)
            }
        }
    }

    @Test("Print the length of the data and the frame as decode does in the object")
    func object() throws {
        let frame = BeaconFrame.eddystoneURL(try EddystoneURL("https://a.com/", txPower: -18))
        #expect(
            AdvertiseCommand.json(of: frame)
                == #"{"length":16,"data":"0201060303aafe0816aafe10ee036100","#
                + #""frames":[{"type":"eddystone-url","url":"https://a.com/","power":-18}]}"#)
    }
}

/// Seeded command lines, and for each the frame that `decode` must show for it.
struct AdvertisedValues {
    private var random: SeededGenerator

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    mutating func next(_ format: AdvertisedFormat) -> (words: [String], frame: String) {
        let power = Int.random(in: -128...127, using: &random)
        switch format {
        case .iBeacon:
            let (words, fields) = identity()
            return (
                ["ibeacon"] + words + ["--power", "\(power)"], "{\"type\":\"ibeacon\",\(fields),\"power\":\(power)}"
            )
        case .altBeacon:
            let (words, fields) = identity()
            let (company, mfg) = (
                UInt16.random(in: 0 ... .max, using: &random), UInt8.random(in: 0 ... .max, using: &random)
            )
            // The company of Apple with AltBeacon's code is one as well.
            return (
                ["altbeacon", "--power=\(power)", "--company", "\(company)", "--mfg", "\(mfg)"] + words,
                "{\"type\":\"altbeacon\",\"company\":\(company),\(fields),\"power\":\(power),\"mfg\":\(mfg)}"
            )
        case .eddystoneUID:
            let (namespace, instance) = (digits(20), digits(12))
            return (
                ["eddystone-uid", "--namespace", namespace, "--instance", instance, "--power", "\(power)"],
                "{\"type\":\"eddystone-uid\",\"namespace\":\"\(namespace)\",\"instance\":\"\(instance)\",\"power\":\(power)}"
            )
        case .eddystoneURL:
            let url = address()
            let written = url.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            return (
                ["eddystone-url", "--url=\(url)", "--power", "\(power)"],
                "{\"type\":\"eddystone-url\",\"url\":\"\(written)\",\"power\":\(power)}"
            )
        case .eddystoneTLM: return telemetry()
        }
    }

    private mutating func digits(_ count: Int) -> String {
        Hex.text(random.next(), digits: 16).prefix(count) + Hex.text(random.next(), digits: max(0, min(16, count - 16)))
    }

    private mutating func identity() -> ([String], String) {
        let uuid = BeaconUUID(high: random.next(), low: random.next()).text
        let (major, minor) = (
            UInt16.random(in: 0 ... .max, using: &random), UInt16.random(in: 0 ... .max, using: &random)
        )
        return (
            [
                "--uuid", Bool.random(using: &random) ? uuid : uuid.uppercased(), "--major", "\(major)", "--minor",
                "\(minor)",
            ],
            "\"uuid\":\"\(uuid)\",\"major\":\(major),\"minor\":\(minor)"
        )
    }

    /// An address that fits: a scheme and up to 17 characters, some of them expansions.
    private mutating func address() -> String {
        var text = EncodedURL.schemes.randomElement(using: &random) ?? ""
        for _ in 0..<Int.random(in: 0...17, using: &random) {
            if Int.random(in: 0..<4, using: &random) == 0 {
                text += EncodedURL.expansions.randomElement(using: &random) ?? ""
            } else {
                text.unicodeScalars.append(Unicode.Scalar(UInt8.random(in: 0x21...0x7E, using: &random)))
            }
        }
        return text
    }

    private mutating func telemetry() -> ([String], String) {
        var words = ["eddystone-tlm"]
        var json = JSONWriter()
        json.beginObject()
        json.field("type", "eddystone-tlm")
        json.field("version", 0)
        if Bool.random(using: &random) {
            let battery = Int.random(in: 1...65535, using: &random)
            words += ["--battery-mv", "\(battery)"]
            json.field("battery_mv", battery)
        }
        if Bool.random(using: &random) {
            let temperature = Int.random(in: -32767...32767, using: &random)
            words += ["--temperature", "\(Double(temperature) / 256)"]
            json.field("temperature_c", Double(temperature) / 256, decimals: 8)
        }
        let advertisements = UInt32.random(in: 0 ... .max, using: &random)
        let uptime = Double(UInt32.random(in: 0 ... .max, using: &random)) / 10
        words += ["--advertisements", "\(advertisements)", "--uptime", "\(uptime)"]
        json.field("advertisements", advertisements)
        json.field("uptime_s", uptime, decimals: 1)
        json.endObject()
        return (words, json.text)
    }
}
