internal import CMosquitto
internal import Glibc
internal import WireProtocol

/// The properties of a PUBLISH that state the destination of the answer to a request (MQTT 5 section 4.10).
extension Message {
    /// Reads them from a received list (`mosquitto_property_read_string`, `_read_binary`).
    mutating func readReply(_ properties: OpaquePointer) {
        var topic: UnsafeMutablePointer<CChar>?
        if unsafe mosquitto_property_read_string(
            properties, Int32(MQTT_PROP_RESPONSE_TOPIC.rawValue), &topic, false) != nil, let topic = unsafe topic
        {
            responseTopic = unsafe String(cString: topic)
            unsafe free(topic)
        }
        var bytes: UnsafeMutableRawPointer?
        var count: UInt16 = 0
        guard
            unsafe mosquitto_property_read_binary(
                properties, Int32(MQTT_PROP_CORRELATION_DATA.rawValue), &bytes, &count, false) != nil
        else { return }
        correlationData = unsafe Array(UnsafeRawBufferPointer(start: bytes, count: Int(count)))
        unsafe free(bytes)
    }

    /// Passes them and the expiry to `body` as a list that is valid during the call; nil if there are none. Correlation
    /// data of more than 65,535 bytes, which no packet can carry, is left out.
    func withReply<Result>(_ body: (OpaquePointer?) throws(MQTTError) -> Result) throws(MQTTError) -> Result {
        guard responseTopic != nil || correlationData != nil || expiry != nil else { return try body(nil) }
        var properties: OpaquePointer?
        defer { unsafe mosquitto_property_free_all(&properties) }
        if let expiry {
            unsafe mosquitto_property_add_int32(
                &properties, Int32(MQTT_PROP_MESSAGE_EXPIRY_INTERVAL.rawValue), expiry)
        }
        if let responseTopic {
            unsafe mosquitto_property_add_string(
                &properties, Int32(MQTT_PROP_RESPONSE_TOPIC.rawValue), responseTopic)
        }
        if let correlationData, let count = UInt16(exactly: correlationData.count) {
            _ = unsafe correlationData.withUnsafeBytes {
                unsafe mosquitto_property_add_binary(
                    &properties, Int32(MQTT_PROP_CORRELATION_DATA.rawValue), $0.baseAddress, count)
            }
        }
        return try unsafe body(properties)
    }
}
