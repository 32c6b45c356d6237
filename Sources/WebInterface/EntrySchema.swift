/// The schema of a registry's entry, as WireProtocol reads it (`ItemReader`); the item's id stands in the path. Unknown keys
/// are ignored, as in all payloads.
enum EntrySchema {
    static let json = Array(
        """
        {"type":"object","properties":{"v":{"const":1},"name":{"type":"string","minLength":1,"maxLength":32,\
        "pattern":"^[^\\\\x00-\\\\x20\\\\x7f-\\\\xa0]+$"},"tags":{"type":"array","maxItems":16,"items":\
        {"type":"string","pattern":"^[a-z0-9_-]{1,64}$"}},"ibeacon":{"$ref":"#/components/schemas/UUIDBeacon"},\
        "altbeacon":{"$ref":"#/components/schemas/UUIDBeacon"},"eddystone_uid":{"type":"object","properties":{\
        "namespace":{"type":"string","pattern":"^[0-9a-f]{20}$"},"instance":{"type":"string","pattern":"^[0-9a-f]{12}$"}},\
        "required":["namespace","instance"]},"address":{"type":"string","pattern":\
        "^[0-9a-f]{2}(:[0-9a-f]{2}){5}$"},"key":{"enum":["irk","eid","fmdn"]},"expected_interval":{"type":"number",\
        "minimum":0.01,"maximum":3600},"power":{"type":"integer","minimum":-100,"maximum":0}},"anyOf":[\
        {"required":["ibeacon"]},{"required":["altbeacon"]},{"required":["eddystone_uid"]},{"required":["address"]},\
        {"required":["key"]}]}
        """.utf8)

    /// The schemas that it refers to.
    static let parts = Array(
        """
        {"UUIDBeacon":{"type":"object","properties":{"uuid":{"type":"string","pattern":\
        "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"},"major":{"type":"integer","minimum":0,"maximum":65535},"minor":\
        {"type":"integer","minimum":0,"maximum":65535}},"required":["uuid","major","minor"]}}
        """.utf8)
}
