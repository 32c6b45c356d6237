import Subjects

/// libFuzzer's entry (LLVMFuzzerTestOneInput).
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    feed(
        UnsafeBufferPointer(start: bytes, count: count),
        to: [
            .json, .window, .scan, .info, .location, .itemEvent, .occupancy, .command, .config, .nodeEvent, .region,
            .result, .claim, .fuserCommand, .fuserResult, .itemAlerts, .topics, .telemetry,
        ])
    return 0
}
