internal import Bytes

/// Jinja templates that Home Assistant reads our payloads with. They take an empty payload, as of a cleared topic, and
/// keys that are absent: Home Assistant would log a warning for each message otherwise.
enum DiscoveryTemplates {
    /// The payload as a map; an empty one where it is none.
    static let map = "(value_json|default({}))"

    /// A value of the payload by its key; unknown where it is absent.
    static func value(_ key: String) -> String { "{{ \(map).\(key)|default('None') }}" }

    /// A flag of the payload by its key; unknown where it is absent.
    static func flag(_ key: String) -> String {
        "{{ {true:'ON',false:'OFF'}.get(\(map).\(key)|default(none),'None') }}"
    }

    /// A value of 0 to 1 as whole percent.
    static func percent(_ key: String) -> String {
        "{% set v=\(map).\(key)|default(-1) %}{{ (v*100)|round|int if v>=0 else 'None' }}"
    }

    /// A moment in Unix seconds, by its minute: a state that differs in seconds alone would be recorded each time.
    static func minute(_ key: String) -> String {
        "{% set t=\(map).\(key)|default(0) %}{{ (t//60*60)|as_datetime if t else 'None' }}"
    }

    /// The words of an item's `room` topic as others; a room as `room`.
    static func words(away: String, room: String) -> String {
        "{{ {'away':'\(away)','unknown':'None','':'None'}.get(value,'\(room)') }}"
    }

    /// Names by their ids, of those that have another one: what `value` is called, as the attribute `key`.
    static func attribute(_ key: String, _ names: [(id: String, name: String)]) -> String {
        var json = JSONWriter()
        json.beginObject()
        for (id, name) in names { json.field(id, name) }
        json.endObject()
        return "{{ {'\(key)':\(json.text).get(value,value)}|to_json }}"
    }

    /// All of a payload that is a map.
    static let all = "{{ \(map)|to_json }}"
}
