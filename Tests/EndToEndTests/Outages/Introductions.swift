import Bytes
import WireProtocol

extension Topics {
    /// The retained messages of nodes of their own rooms without an adapter: their presence, and its start, on a clock.
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
