import Bytes
import WireProtocol

extension Topics {
    /// What stands retained of nodes of their own rooms that have no adapter: that they are there, and since when, on a clock.
    func introductions(of nodes: [String], started: Timestamp, on clock: NodeClock? = nil) -> [Message] {
        nodes.flatMap { node in
            var info = NodeInfo(
                version: "1", room: node, adapter: "none", started: started, epoch: "0000000a", window: 1,
                publishesAll: false, registry: "")
            info.clock = clock
            var json = JSONWriter()
            info.write(to: &json)
            return [
                Message(topic: nodeStatus(node), text: "online", qos: .atLeastOnce, retained: true),
                Message(topic: nodeInfo(node), payload: json.bytes, qos: .atLeastOnce, retained: true),
            ]
        }
    }
}
