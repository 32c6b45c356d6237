import Glibc
import Subjects

/// The parsers that are given each input, one after another: those of the corpus that WHEREABOUTS_FUZZER names.
private let subjects: [Subject] =
    switch getenv("WHEREABOUTS_FUZZER").map({ String(cString: $0) }) {
    case "FuzzEvents": [.events]
    case "FuzzFrames": [.structures, .frames]
    case "FuzzCaptures": [.captures, .sniffers]
    case "FuzzPayloads":
        [
            .json, .window, .scan, .info, .location, .itemEvent, .occupancy, .command, .config, .nodeEvent, .region,
            .result, .claim, .fuserCommand, .fuserResult, .itemAlerts, .topics, .telemetry,
        ]
    case "FuzzKept": [.belief, .lesson, .alertMemory, .discoveryRow, .keyMemory, .presenceRegion, .presenceBeacon]
    case "FuzzNeighbours": [.foreignMessage, .foreignName, .discovery]
    case "FuzzKeys": [.keyed, .keyFile]
    case "FuzzYAML": [.yaml]
    case "FuzzPage": [.requestTarget, .requestHead, .plan]
    default: fatalError("WHEREABOUTS_FUZZER names no corpus")
    }

/// libFuzzer's entry (LLVMFuzzerTestOneInput).
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let input = UnsafeBufferPointer(start: bytes, count: count)
    for subject in subjects { _ = subject.parse(input.span) }
    return 0
}
