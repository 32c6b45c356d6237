/// The schema of a registry's entry, as WireProtocol reads it (`ItemReader`); the item's id stands in the path, and may be repeated. Unknown keys
/// are ignored, as in all payloads.
enum EntrySchema {
    static let json = Array(
        """
        {"type":"object","properties":{"name":{"$ref":"#/components/schemas/Name"},"at":{"type":"number","minimum":0,\
        "maximum":4102444800},"id":{"description":"That of the path.","type":"string",\
        "pattern":"^[a-z0-9_-]{1,64}$"},"removed":false,\(secrets)\
        "tags":{"type":"array","maxItems":16,"items":\
        {"type":"string","pattern":"^[a-z0-9_-]{1,64}$"}},"ibeacon":{"$ref":"#/components/schemas/UUIDBeacon"},\
        "altbeacon":{"$ref":"#/components/schemas/UUIDBeacon"},"eddystone_uid":{"type":"object","properties":{\
        "namespace":{"type":"string","pattern":"^[0-9a-f]{20}$"},"instance":{"type":"string","pattern":"^[0-9a-f]{12}$"}},\
        "required":["namespace","instance"]},"address":{"type":"string","pattern":\
        "^[0-9a-f]{2}(:[0-9a-f]{2}){5}$"},"key":{"enum":["irk","eid","fmdn","bthome"]},"expected_interval":{"type":"number",\
        "minimum":0.01,"maximum":3600},"power":{"type":"integer","minimum":-100,"maximum":0}},"anyOf":[\
        {"required":["ibeacon"]},{"required":["altbeacon"]},{"required":["eddystone_uid"]},{"required":["address"]},\
        {"required":["key"]}]}
        """.utf8)

    /// Keys by which others would send what a topic never carries.
    private static let secrets = [
        "irk", "irk_file", "eid", "eid_key", "fmdn", "fmdn_key", "eik", "bthome", "bindkey", "bind_key", "bthome_key",
        "key_file", "secret",
    ].reduce("") { $0 + "\"\($1)\":false," }

    /// The schemas that it and others refer to. A name has 128 bytes of UTF-8, which a schema can't count: it gives the
    /// characters that are sure to fit, by the bytes of the longest of them.
    static let parts = Array(
        """
        {"UUIDBeacon":{"type":"object","properties":{"uuid":{"type":"string","pattern":\
        "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"},"major":{"type":"integer","minimum":0,"maximum":65535},"minor":\
        {"type":"integer","minimum":0,"maximum":65535}},"required":["uuid","major","minor"]},\
        "Name":{"description":"Up to 128 bytes of UTF-8 without control characters.","type":"string","anyOf":[\
        {"pattern":"^[ -~]{1,128}$"},{"pattern":"^[ -~\\u00a0-\\u07ff]{1,64}$"},\
        {"pattern":"^[ -~\\u00a0-\\ud7ff\\ue000-\\uffff]{1,42}$"},{"pattern":"^[^\\u0000-\\u001f\\u007f-\\u009f]{1,32}$"}]},\
        "NameOrNull":{"anyOf":[{"$ref":"#/components/schemas/Name"},{"type":"null"}]}}
        """.utf8)
}
