internal import Advertising
internal import Bytes
internal import Captures
internal import CommandLine

/// Decodes one file of hexadecimal text (``HexLine``).
struct HexDecoding {
    private let file: String
    private let name: String

    init(_ file: String) {
        self.file = file
        name = Complaints.name(of: file)
    }

    /// Prints the lines; each invalid one is reported with its number, and the others are decoded.
    func run(_ output: inout StandardOutput, _ complaints: inout Complaints) {
        var decoder = AdvertisingReportDecoder()
        var lines = AdvertisementLine()
        do throws(CaptureError) {
            var reader = file == "-" ? LineReader(descriptor: 0) : try LineReader(path: file)
            while output.isOpen, let line = try reader.next() {
                if let fault = decodeLine(line, &decoder, &lines, &output) {
                    complaints.fault("\(name):\(line.number): \(fault)")
                }
            }
        } catch {
            complaints.fault("\(name): \(error)")
        }
        guard output.isOpen else { return }
        decoder.abandonFragments()
        var counters = decoder.counters
        // Each was reported with its line.
        counters.malformed = 0
        complaints.printMalformed(counters, lines.brokenStructures, of: name)
    }

    /// Prints the contents of a line; returns its fault, or nil.
    private func decodeLine(
        _ line: LineReader.Line, _ decoder: inout AdvertisingReportDecoder, _ lines: inout AdvertisementLine,
        _ output: inout StandardOutput
    ) -> String? {
        guard let text = line.text else { return "longer than \(LineReader.maximumLength) bytes" }
        switch HexLine(text) {
        case .empty: return nil
        case .bad: return "not a line of hexadecimal digits, two a byte"
        case .data(let data):
            output.write(lines.bare(data.span))
            return nil
        case .event(let event):
            do throws(AdvertisingFault) {
                // A line has no time; its fragments are joined as if they arrived at once.
                try decoder.decode(event.span, at: Timestamp(microseconds: 0)) { report, data in
                    output.write(lines.report(report, data, at: nil))
                }
                return nil
            } catch {
                return "\(error)"
            }
        }
    }
}
