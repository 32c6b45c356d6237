internal import BeaconFrames
internal import Bytes
internal import HCI
internal import BrokerSession
internal import CommandLine

/// `whereabouts advertise`: a beacon of this machine, or the bytes that make one.
enum AdvertiseCommand {
    /// Its syntax. Names are the specifications'.
    static let command = Command(
        "whereabouts advertise",
        summary: "Advertise as a beacon until ^C or for a time; with --print, print the bytes instead.",
        positionals: Command.Positionals("FORMAT", 1...1, help: AdvertisedFormat.words),
        options: [
            CommandOption("--adapter", .text("A"), help: "auto, a number such as hci0, or an address; default auto"),
            CommandOption("--for", .text("D"), help: "end so long after it went on the air, such as 30s"),
            CommandOption(
                "--interval", .text("D"), help: "from one packet to the next, 20ms to 10240ms; default 100ms"),
            CommandOption(
                "--tx-power", .integer("DBM", AdvertisingSettings.powers),
                help: "transmit power; default: chosen by the controller"),
            CommandOption("--print", help: "print the AD structures in hexadecimal, and send nothing"),
            CommandOption("--json", help: "print an object instead: length, data, and the frame as decode shows it"),
            CommandOption("--uuid", .text("UUID"), help: "ibeacon, altbeacon: whose beacons these are"),
            CommandOption("--major", .integer("N", 0...65535), help: "ibeacon, altbeacon: which group"),
            CommandOption("--minor", .integer("N", 0...65535), help: "ibeacon, altbeacon: which of the group"),
            CommandOption(
                "--power", .integer("DBM", -128...127),
                help: "as received at 1 m (default -59); Eddystone: at 0 m (default -18)"),
            CommandOption("--company", .text("N"), help: "altbeacon: company identifier; default 0xffff, for tests"),
            CommandOption("--mfg", .integer("N", 0...255), help: "altbeacon: the maker's own byte; default 0"),
            CommandOption("--namespace", .text("HEX"), help: "eddystone-uid: 20 digits"),
            CommandOption("--instance", .text("HEX"), help: "eddystone-uid: 12 digits"),
            CommandOption("--url", .text("URL"), help: "eddystone-url: http(s), 17 bytes when compressed"),
            CommandOption(
                "--battery-mv", .integer("MV", 1...65535), help: "eddystone-tlm; default: not supported"),
            CommandOption(
                "--temperature", .number("C", -1000...1000), help: "eddystone-tlm, in °C; default: not supported"),
            CommandOption(
                "--advertisements", .integer("N", 0...4_294_967_295),
                help: "eddystone-tlm: frames sent since the start; default 0"),
            CommandOption(
                "--uptime", .number("S", 0...429_496_729.5), help: "eddystone-tlm: seconds since the start; default 0"),
        ],
        example: "whereabouts advertise ibeacon --uuid 48534442-4c45-4144-80c0-1800fffffff0 --major 100 --minor 1")

    /// Runs it with the words after its name, and returns the exit status.
    static func run(_ words: [String]) -> Int32 {
        Program.run(command, words) { arguments in
            let frame = try FrameRequest.frame(arguments, of: command.name)
            guard arguments.has("--print") else {
                return try AdvertisingRun(arguments, frame, of: command.name).run()
            }
            var output = StandardOutput()
            output.line(arguments.has("--json") ? json(of: frame) : hexadecimal(frame))
            if case .failed(let error) = output.flush() { throw ProgramFault("standard output: \(error)") }
            return 0
        }
    }

    /// The advertising data as `decode --hex` reads it.
    static func hexadecimal(_ frame: BeaconFrame) -> String {
        Hex.text(frame.advertisingData.span)
    }

    /// `{"length","data","frames"}`; the frame as `decode` shows it.
    static func json(of frame: BeaconFrame) -> String {
        let data = frame.advertisingData
        var json = JSONWriter()
        json.beginObject()
        json.field("length", data.count)
        json.field("data", hex: data.span)
        json.beginArray("frames")
        frame.write(to: &json)
        json.endArray()
        json.endObject()
        return json.text
    }
}
