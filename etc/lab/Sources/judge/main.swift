import Glibc

/// All of a file's text; empty where there is none.
func text(of path: String) -> String {
    guard let file = fopen(path, "r") else { return "" }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while case let size = fread(&chunk, 1, chunk.count, file), size > 0 { bytes += chunk.prefix(size) }
    return String(decoding: bytes, as: UTF8.self)
}

let words = CommandLine.arguments
switch (words.dropFirst().first, words.count) {
case ("sums", 3):
    let scans = Broker(text(of: words[2])).scans
    print("scans \(scans.count)")
    print("reports \(scans.reduce(0) { $0 + $1.reports })")
    print("malformed \(scans.reduce(0) { $0 + $1.malformed })")
    print("dropped \(scans.reduce(0) { $0 + $1.dropped })")
    print("gap_ms \(Int(scans.reduce(0) { $0 + $1.gap * 1000 }.rounded()))")
case ("full", 5):
    let (since, rate) = (Double(words[3]) ?? 0, Double(words[4]) ?? 0)
    let isFull = Broker(text(of: words[2])).scans.contains { $0.from >= since && $0.isFull(rate: rate) }
    exit(isFull ? 0 : 1)
case ("faults", 6):
    let truth = Truth(text(of: words[3]), of: words[4])
    let broker = Broker(text(of: words[5]))
    var table = FaultTable()
    for line in text(of: words[2]).split(separator: "\n") {
        guard let episode = Episode(line) else { continue }
        table.add(episode.outcome(truth, broker), of: episode.fault)
    }
    table.write { print($0) }
    exit(table.isKept ? 0 : 1)
default:
    print(
        """
        judge sums BROKER                       scans, and the sums of what they say
        judge full BROKER SINCE RATE            whether an interval from SINCE on has RATE reports a second and no gap
        judge faults EPISODES TRUTH NAME BROKER the table of faults; ends with 1 where a promise isn't kept
        """)
    exit(2)
}
