public import CommandLine

/// `whereabouts decode`: a JSON line for each advertisement of captures or of hexadecimal text.
///
/// Without `--hex` a FILE is a btsnoop, pcap or pcapng capture; with it, text with one advertisement or event a line
/// (``HexLine``). `-`, or no FILE, is standard input. ``AdvertisementLine`` describes the lines.
///
/// After a fault in one file the next is read. Exit status 1: a file that cannot be read or breaks off, an invalid line
/// of hexadecimal text, output that cannot be written. Malformed reports are counted and reported at the end of their
/// file; they alone leave the status 0, as does a reader of the output that goes away.
public struct DecodeCommand {
    /// Its syntax.
    public static let command = Command(
        "whereabouts decode", summary: "Print a JSON line for each advertisement.",
        positionals: .init(
            "FILE", 0...4096,
            help: "captures: btsnoop, pcap, pcapng, .pklg or an Android bug report; - is standard input"),
        options: [CommandOption("--hex", help: "FILE is text: advertising data or an HCI event a line")],
        example: "whereabouts decode capture.pcapng")

    private let request: Command.Request

    /// Reads the words after the command's name; throws every fault in them.
    public init(arguments: some Sequence<String>) throws(UsageError) {
        request = try Self.command.parse(arguments)
    }

    /// Runs it with the words after the command's name, and returns the exit status: 2 for wrong usage, reported on
    /// standard error, else as ``run()``.
    public static func run(_ words: some Sequence<String>) -> Int32 {
        do throws(UsageError) {
            return try DecodeCommand(arguments: words).run()
        } catch {
            var output = StandardOutput(descriptor: 2)
            output.line(error.description)
            return UsageError.exitStatus
        }
    }

    /// Runs it, and returns the exit status. Blocks until all input is read and all output is written.
    public func run() -> Int32 {
        var output = StandardOutput()
        var complaints = Complaints(of: Self.command.name)
        switch request {
        case .show(let text): output.write(text)
        case .run(let arguments):
            let files = arguments.positionals.isEmpty ? ["-"] : arguments.positionals
            for file in files where output.isOpen {
                if arguments.has("--hex") {
                    HexDecoding(file).run(&output, &complaints)
                } else {
                    CaptureDecoding(file).run(&output, &complaints)
                }
            }
        }
        if case .failed(let error) = output.flush() { complaints.fault("standard output: \(error)") }
        return complaints.status
    }
}
