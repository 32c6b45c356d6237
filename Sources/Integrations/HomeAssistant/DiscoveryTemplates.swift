internal import Bytes

/// Jinja templates with which Home Assistant reads our payloads. They accept an empty payload, as of a cleared topic,
/// and absent keys: Home Assistant would log a warning for each message otherwise.
enum DiscoveryTemplates {
    /// The payload as a map; an empty one if it isn't a map.
    static let map = "(value_json|default({}))"

    /// A value of the payload by its key; unknown if it is absent.
    static func value(_ key: String) -> String { "{{ \(map).\(key)|default('None') }}" }

    /// A flag of the payload by its key; unknown if it is absent.
    static func flag(_ key: String) -> String {
        "{{ {true:'ON',false:'OFF'}.get(\(map).\(key)|default(none),'None') }}"
    }

    /// A value of 0 to 1 as an integer percentage.
    static func percent(_ key: String) -> String {
        "{% set v=\(map).\(key)|default(-1) %}{{ (v*100)|round|int if v>=0 else 'None' }}"
    }

    /// A moment in Unix seconds, to the minute: a state that differs in seconds alone would be recorded each time.
    static func minute(_ key: String) -> String {
        "{% set t=\(map).\(key)|default(0) %}{{ (t//60*60)|as_datetime if t else 'None' }}"
    }

    /// Other texts for the values of an item's `room` topic; a room as `room`.
    static func valueTexts(away: String, room: String) -> String {
        "{{ {'away':'\(away)','unknown':'None','':'None'}.get(value,'\(room)') }}"
    }

    /// Names by their ids, for those with a name of their own: the name of `value`, as the attribute `key`.
    static func attribute(_ key: String, _ names: [(id: String, name: String)]) -> String {
        var json = JSONWriter()
        json.beginObject()
        for (id, name) in names { json.field(id, name) }
        json.endObject()
        return "{{ {'\(key)':\(json.text).get(value,value)}|to_json }}"
    }

    /// Members of the payload by their keys, as attributes; null for those that are absent.
    static func members(_ keys: [String]) -> String {
        "{{ {\(keys.map { "'\($0)':\(map).\($0)|default(none)" }.joined(separator: ","))}|to_json }}"
    }

    /// The whole payload, if it is a map.
    static let all = "{{ \(map)|to_json }}"
}
