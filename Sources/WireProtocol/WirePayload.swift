public import Bytes

/// A value that is written as the payload of a topic.
public protocol WirePayload {
    /// Writes the payload.
    func write(to json: inout JSONWriter)
}

extension WirePayload {
    /// The payload in bytes.
    public var payload: [UInt8] {
        var json = JSONWriter()
        write(to: &json)
        return json.bytes
    }
}
