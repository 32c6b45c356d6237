import CBench
import Glibc

guard let options = Options(Array(CommandLine.arguments.dropFirst())) else {
    print(Options.usage)
    exit(2)
}
if let crowd = options.crowd {
    guard var house = CrowdedHouse(crowd) else { exit(2) }
    house.serve()
    exit(0)
}
var report = Report()
if options.suites.contains("decode") { Decoding(options: options).run(&report) }
if options.suites.contains("identity") { Identifying(options: options).run(&report) }
if options.suites.contains("replay") { Replaying(options: options).run(&report) }
if options.suites.contains("fuse") { Fusing(options: options).run(&report) }
if options.suites.contains("broker") { Publishing(options: options).run(&report) }
if let path = options.json, bench_write(path, report.json, report.json.count) != 0 {
    print("cannot write \(path)")
    exit(2)
}
exit(report.holds ? 0 : 1)
