internal import Advertising
public import Bytes
public import Identity

/// The payload of `items/<item>/config`, and an element of an exported list.
///
///     {"v":1,"id":"keys","name":"Keys","tags":["anna"],"ibeacon":{"uuid":"…","major":100,"minor":1},"at":1753862400.123}
///     {"v":1,"id":"keys","removed":1753862400.123}
///
/// Further keys: `altbeacon` as `ibeacon`, `eddystone_uid` (`namespace`, `instance`), `address`, `expected_interval` (in
/// seconds), `power` (measured, dBm at one metre), `key` (`irk`, `eid` or `bthome`: the kind alone, never a key).
extension ItemChange: WirePayload {
    /// The maximum size of an accepted payload, in bytes.
    public static let payloadLimit = 16_384

    /// Writes the payload.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.field("v", Window.version)
        json.field("id", id)
        switch content {
        case .removed: json.field("removed", at)
        case .item(let item):
            Self.write(item.published, to: &json)
            json.field("at", at)
        }
        json.endObject()
    }

    /// Reads the payload of an item's topic; nil if it is empty, as a cleared topic's is: that removes nothing.
    ///
    /// Throws with all faults together. Unknown keys are ignored.
    public static func read(_ payload: Span<UInt8>, item id: String) throws(ItemRefusal) -> ItemChange? {
        if payload.isEmpty { return nil }
        guard payload.count <= payloadLimit else {
            throw ItemRefusal(id: id, faults: [ItemFault("", "longer than \(payloadLimit) bytes", at: 0)])
        }
        var json = JSONReader(payload)
        var reader = ItemReader(id: id)
        do throws(JSONFault) {
            try reader.read(&json)
            try json.end()
        } catch {
            throw ItemRefusal(id: id, faults: [ItemFault("", "not the expected JSON: \(error)", at: error.offset)])
        }
        guard let change = reader.change, reader.faults.isEmpty else {
            throw ItemRefusal(id: id, faults: reader.faults)
        }
        return change
    }

    private static func write(_ item: Item, to json: inout JSONWriter) {
        json.field("name", item.name)
        if !item.tags.isEmpty {
            json.beginArray("tags")
            for tag in item.tags { json.value(tag) }
            json.endArray()
        }
        var written: Set<String> = []
        for identity in item.identities where written.insert(identity.itemKey).inserted {
            identity.writeAsItemKey(to: &json)
        }
        json.field("key", item.key?.rawValue)
        json.field("expected_interval", item.expectedInterval?.seconds, decimals: 6)
        json.field("power", item.power)
    }
}

extension BeaconID {
    /// The key by which items' entries and files name such an identity.
    public var itemKey: String {
        switch self {
        case .iBeacon: "ibeacon"
        case .altBeacon: "altbeacon"
        case .eddystone: "eddystone_uid"
        case .address: "address"
        // Identities of a key are not part of an entry, which has `key` instead.
        case .irk, .eid, .fmdn: "key"
        }
    }

    fileprivate func writeAsItemKey(to json: inout JSONWriter) {
        switch self {
        case .iBeacon(let uuid, let major, let minor), .altBeacon(let uuid, let major, let minor):
            json.beginObject(itemKey)
            json.field("uuid", "\(uuid)")
            json.field("major", major)
            json.field("minor", minor)
            json.endObject()
        case .eddystone(let namespace, let instance):
            json.beginObject(itemKey)
            json.field("namespace", "\(namespace)")
            json.field("instance", Hex.text(instance, digits: 12))
            json.endObject()
        case .address(let bits): json.field(itemKey, DeviceAddress(bits, .public).text)
        case .irk, .eid, .fmdn: break
        }
    }
}
