internal import Advertising
internal import CommandLine

/// The messages of a command on standard error, and the exit status that follows from them.
struct Complaints: ~Copyable {
    private let command: String
    private var error = StandardOutput(descriptor: 2)
    /// 0, or 1 once there was a fault.
    private(set) var status: Int32 = 0

    /// No message yet, of a command such as `whereabouts decode`.
    init(of command: String) {
        self.command = command
    }

    /// The readable name of an input: a path, or standard input for `-`.
    static func name(of file: String) -> String { file == "-" ? "standard input" : file }

    /// Reports a fault that makes the command fail.
    mutating func fault(_ text: String) {
        status = 1
        printNote(text)
    }

    /// Reports a remark that does not.
    mutating func printNote(_ text: String) {
        error.line("\(command): \(text)")
        error.flush()
    }
}

extension Complaints {
    /// Reports the malformed parts of an input, if there are any.
    mutating func printMalformed(_ counters: AdvertisingCounters, _ brokenStructures: Int, of name: String) {
        if counters.malformed > 0 {
            printNote(
                "\(name): malformed reports or events: \(counters.malformed), in \(counters.events) advertising events")
        }
        if brokenStructures > 0 {
            printNote("\(name): advertisements whose AD structures pass the end of their data: \(brokenStructures)")
        }
        if counters.fragmentsDropped > 0 {
            printNote("\(name): fragments whose rest never came: \(counters.fragmentsDropped)")
        }
    }

    /// Logs the unused link-layer packets of a capture, if there are any.
    mutating func printUnused(_ counters: LinkLayerCounters, of name: String) {
        let counts: [(String, UInt64)] = [
            ("packets with a wrong CRC", counters.crcFailures),
            ("packets that are still whitened", counters.whitened),
            ("malformed link-layer packets", counters.malformed),
            ("scan requests, connection requests and their answers", counters.requests),
            ("packets of connections, streams and periodic advertising", counters.other),
            ("extended advertisements whose AUX_ADV_IND is missing", counters.unanswered),
            ("AUX packets without the packet that announces them", counters.orphans),
            ("extended advertisements cut short, whose AUX_CHAIN_IND is missing", counters.truncated),
        ]
        for (text, count) in counts where count > 0 { printNote("\(name): \(text): \(count)") }
    }
}
