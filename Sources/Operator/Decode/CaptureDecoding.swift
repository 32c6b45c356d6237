internal import Advertising
internal import Bytes
internal import Captures
internal import CommandLine
internal import System

/// Decodes one capture.
struct CaptureDecoding {
    private let file: String
    private let name: String

    init(_ file: String) {
        self.file = file
        name = Complaints.name(of: file)
    }

    /// Prints the lines of all whole packets, then reports the faults of the file and in it.
    func run(_ output: inout StandardOutput, _ complaints: inout Complaints) {
        var decoder = AdvertisingReportDecoder()
        var lines = AdvertisementLine()
        do throws(CaptureError) {
            try read(&decoder, &lines, &output, &complaints)
        } catch {
            complaints.fault("\(name): \(error)")
        }
        guard output.isOpen else { return }
        decoder.abandonFragments()
        complaints.printMalformed(decoder.counters, lines.brokenStructures, of: name)
    }

    private func read(
        _ decoder: inout AdvertisingReportDecoder, _ lines: inout AdvertisementLine, _ output: inout StandardOutput,
        _ complaints: inout Complaints
    ) throws(CaptureError) {
        var reader = file == "-" ? CaptureReader(descriptor: 0) : try CaptureReader(path: file)
        let progress = Progress(
            "decoding \(name)", total: WholeFile.size(file).map { Double($0) }, unit: .bytes, printsMeanwhile: true)
        defer { progress.end() }
        // For a packet without a time, the packet before it dates the fragments.
        var clock = Timestamp(microseconds: 0)
        do throws(CaptureError) {
            while output.isOpen, let packet = try reader.next() {
                progress.advance(to: Double(reader.bytesRead))
                guard packet.kind == .event else { continue }
                clock = packet.time ?? clock
                reader.withBytes { event in
                    // The decoder counts malformed events, which are reported at the end.
                    try? decoder.decode(event, at: clock) { report, data in
                        output.write(lines.report(report, data, at: packet.time))
                    }
                }
            }
        } catch {
            progress.end()
            complaints.fault("\(name): \(error)")
        }
        progress.end()
        if reader.skippedPackets > 0 {
            complaints.printNote(
                "\(name): packets of interfaces other than Bluetooth HCI or LE: \(reader.skippedPackets)")
        }
        complaints.printUnused(reader.linkLayer, of: name)
    }
}
