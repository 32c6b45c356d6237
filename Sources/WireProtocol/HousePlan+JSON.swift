public import Bytes

extension HousePlan {
    /// Writes the payload of the topic `house/plan`.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.field("v", 1)
        json.field("rev", revision)
        json.field("at", at)
        json.field("by", by)
        json.beginArray("floors")
        for floor in floors { floor.write(to: &json) }
        json.endArray()
        json.beginArray("rooms")
        for room in rooms { room.write(to: &json) }
        json.endArray()
        json.beginArray("doors")
        for door in doors {
            json.beginArray()
            json.value(door.one)
            json.value(door.other)
            json.endArray()
        }
        json.endArray()
        json.beginArray("nodes")
        for node in nodes {
            json.beginObject()
            json.field("id", node.id)
            json.field("x", node.x, decimals: 3)
            json.field("y", node.y, decimals: 3)
            json.field("z", node.z, decimals: 3)
            json.endObject()
        }
        json.endArray()
        json.endObject()
    }

    /// Reads such a payload. Unknown keys are ignored; a fault names its place, such as `rooms[3].polygon[1]`.
    public init(payload: Span<UInt8>) throws(PayloadFault) {
        let (plan, fault) = try readPayload(payload, limit: Self.payloadLimit) { json throws(JSONFault) in
            try HousePlanReader.read(&json)
        }
        if let fault { throw fault }
        self = plan
    }
}

extension HousePlan.Floor {
    /// Writes the floor as an object.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.field("id", id)
        json.field("name", name)
        if hasPicture { json.field("picture", true) }
        if let size {
            json.beginArray("metres")
            size.writeAxes(to: &json)
            json.endArray()
        }
        json.endObject()
    }
}

extension HousePlan.Room {
    fileprivate func write(to json: inout JSONWriter) {
        json.beginObject()
        json.field("id", id)
        json.field("name", name)
        json.field("floor", floor)
        json.beginArray("polygon")
        for corner in polygon { corner.write(to: &json) }
        json.endArray()
        json.endObject()
    }
}

extension HousePlan.Corner {
    /// Writes the corner as an array `[x,y]`.
    public func write(to json: inout JSONWriter) {
        json.beginArray()
        writeAxes(to: &json)
        json.endArray()
    }

    fileprivate func writeAxes(to json: inout JSONWriter) {
        json.value(x, decimals: 3)
        json.value(y, decimals: 3)
    }
}
