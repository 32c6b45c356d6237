import Bytes
import WireProtocol

extension Fused {
    /// Sends a window of an item without a scan, which would show its node's clock.
    mutating func window(_ node: String, _ end: Double, of item: String, at seconds: Double) {
        var window = Window(
            seq: UInt64(abs(end)), from: Self.time(end - 1), to: Self.time(end), node: node, epoch: "e",
            id: "0123456789ab", item: item, count: 1)
        window.rssi = Window.Levels(mean: -60, median: -60, minimum: -60, maximum: -60, deviation: nil)
        var json = JSONWriter()
        window.write(to: &json)
        receive(Message(topic: topics.window(beacon: item, node: node), payload: json.bytes), at: seconds)
    }
}
