internal import BeaconFrames
internal import Bytes
internal import CommandLine

/// Reads the frame to advertise from a command line, and collects the faults in it.
struct FrameRequest {
    /// The measured power at one metre if none is given, in dBm: the value of most tags.
    static let usualPower: Int8 = -59
    /// The company identifier that the Bluetooth SIG reserves for tests.
    static let testCompany: UInt16 = 0xFFFF

    private let arguments: Arguments
    /// The faults, each in a sentence with its remedy.
    private(set) var faults: [String] = []

    init(_ arguments: Arguments) {
        self.arguments = arguments
    }

    /// The frame of the arguments; throws every fault in them.
    static func frame(_ arguments: Arguments, of command: String) throws(UsageError) -> BeaconFrame {
        var request = FrameRequest(arguments)
        let frame = request.frame()
        guard let frame, request.faults.isEmpty else { throw UsageError(command: command, faults: request.faults) }
        return frame
    }

    /// The frame, or nil if there is a fault.
    mutating func frame() -> BeaconFrame? {
        let word = arguments.positionals.first ?? ""
        guard let format = AdvertisedFormat(rawValue: word) else {
            let hint = Spelling.questionOrList(word, among: AdvertisedFormat.allCases.map(\.rawValue))
            faults.append("there is no format '\(word)'\(hint)")
            return nil
        }
        judgeOptions(of: format)
        switch format {
        case .iBeacon:
            guard let (uuid, major, minor) = readIdentity() else { return nil }
            return .iBeacon(IBeacon(uuid: uuid, major: major, minor: minor, measuredPower: readPower(Self.usualPower)))
        case .altBeacon:
            guard let (uuid, major, minor) = readIdentity() else { return nil }
            return .altBeacon(
                AltBeacon(
                    company: readCompany(), uuid: uuid, major: major, minor: minor,
                    referenceRSSI: readPower(Self.usualPower),
                    mfgReserved: UInt8(clamping: arguments.integer("--mfg") ?? 0)))
        case .eddystoneUID: return eddystoneUID()
        case .eddystoneURL: return eddystoneURL()
        case .eddystoneTLM: return eddystoneTLM()
        }
    }

    /// Reports missing options, and those that belong to another format.
    private mutating func judgeOptions(of format: AdvertisedFormat) {
        for option in format.required where !arguments.has(option) {
            faults.append("\(option) is missing: \(format.rawValue) carries \(format.required.joined(separator: ", "))")
        }
        for option in Set(AdvertisedFormat.allCases.flatMap(\.options)).sorted()
        where arguments.has(option) && !format.options.contains(option) {
            let carried = format.options.joined(separator: ", ")
            faults.append("\(option): \(format.rawValue) has no place for it; it carries \(carried)")
        }
    }

    private mutating func readIdentity() -> (uuid: BeaconUUID, major: UInt16, minor: UInt16)? {
        var uuid: BeaconUUID?
        if let text = arguments.text("--uuid") {
            uuid = BeaconUUID(text)
            if uuid == nil {
                let digits = "32 hexadecimal digits, plain or in groups of 8-4-4-4-12"
                faults.append("--uuid: '\(text)' has \(text.count) characters and is no UUID: give \(digits)")
            }
        }
        guard let uuid, let major = arguments.integer("--major"), let minor = arguments.integer("--minor") else {
            return nil
        }
        return (uuid, UInt16(clamping: major), UInt16(clamping: minor))
    }

    private func readPower(_ usual: Int8) -> Int8 { arguments.integer("--power").map { Int8(clamping: $0) } ?? usual }

    /// Eddystone's powers are at 0 m.
    private func powerAtNoDistance() -> Int8 { readPower(Self.usualPower + Int8(Eddystone.lossOverOneMetre)) }

    private mutating func readCompany() -> UInt16 {
        guard let text = arguments.text("--company") else { return Self.testCompany }
        let number = text.hasPrefix("0x") ? UInt16(text.dropFirst(2), radix: 16) : UInt16(text)
        if number == nil {
            faults.append(
                "--company: '\(text)' is no company identifier: give a number from 0 to 65535, or 0x0000 to 0xffff")
        }
        return number ?? 0
    }

    private mutating func eddystoneUID() -> BeaconFrame? {
        let namespace = arguments.text("--namespace").flatMap { text in
            let value = EddystoneUID.Namespace(text)
            if value == nil { faults.append(Self.readDigits("--namespace", text, 20)) }
            return value
        }
        let instance = arguments.text("--instance").flatMap { text in
            let value = EddystoneUID.instance(text)
            if value == nil { faults.append(Self.readDigits("--instance", text, 12)) }
            return value
        }
        guard let namespace, let instance else { return nil }
        return .eddystoneUID(
            EddystoneUID(namespace: namespace, instance: instance, rangingData: powerAtNoDistance()))
    }

    private static func readDigits(_ option: String, _ text: String, _ count: Int) -> String {
        let length = text.utf8.count
        let found = length == count ? "has others" : "has \(length)"
        return "\(option): '\(text)' \(found): give \(count) hexadecimal digits (\(count / 2) bytes)"
    }

    private mutating func eddystoneURL() -> BeaconFrame? {
        guard let text = arguments.text("--url") else { return nil }
        do {
            return .eddystoneURL(try EddystoneURL(text, txPower: powerAtNoDistance()))
        } catch {
            faults.append("--url: " + Self.faultText(error, in: text))
            return nil
        }
    }

    /// The fault of a web address, its place, and the remedy.
    private static func faultText(_ fault: BeaconFrameFault, in text: String) -> String {
        let bytes = Array(text.utf8)
        let rest = String(decoding: bytes.dropFirst(fault.offset), as: UTF8.self)
        let place = "at byte \(fault.offset + 1)"
        switch fault.reason {
        case .unknownScheme:
            return "'\(text)' begins with no scheme that a beacon can carry: put http:// or https:// before it"
        case .notPrintable:
            return "the character \(place), U+\(scalarText(rest.unicodeScalars.first)), is not printable ASCII: "
                + "percent-encode it in a path, or use the domain's xn-- form"
        case .tooLong:
            return "'\(text)' is longer than \(EncodedURL.maximumLength) bytes when compressed: there is no room for "
                + "'\(rest)' \(place); shorten it, as by a short link of your own"
        }
    }

    private static func scalarText(_ scalar: Unicode.Scalar?) -> String {
        Hex.text(UInt16(truncatingIfNeeded: scalar?.value ?? 0), digits: 4)
    }

    private mutating func eddystoneTLM() -> BeaconFrame? {
        var temperature: Int16?
        if let celsius = arguments.number("--temperature") {
            let fixedPoint = (celsius * 256).rounded()
            // −128 °C means "not supported".
            if fixedPoint > -32_768, fixedPoint <= 32_767 {
                temperature = Int16(fixedPoint)
            } else {
                faults.append(
                    "--temperature: \(celsius) °C is outside what 8.8 fixed point holds: give -127.99 to 127.99, "
                        + "or leave it out for \"not supported\"")
            }
        }
        let uptime = ((arguments.number("--uptime") ?? 0) * 10).rounded()
        guard faults.isEmpty else { return nil }
        return .eddystoneTLM(
            EddystoneTLM(
                batteryMillivolts: arguments.integer("--battery-mv").map { UInt16(clamping: $0) },
                temperature: temperature,
                advertisements: UInt32(clamping: arguments.integer("--advertisements") ?? 0),
                uptime: uptime < 4_294_967_296 ? UInt32(uptime) : .max))
    }
}
