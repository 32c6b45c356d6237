/// The schema of a plan, as WireProtocol reads it (`HousePlan`). It can't say that ids differ, and that rooms are on floors of
/// the plan.
enum PlanSchema {
    static let json = Array(
        """
        {"type":"object","properties":{"rev":{"type":"integer","minimum":0,"maximum":9007199254740992},\
        "at":{"type":"number","exclusiveMinimum":-3.2e12,"exclusiveMaximum":3.2e12},"by":{"$ref":"#/components/schemas/Name"},"floors":{"type":"array",\
        "maxItems":64,"items":{"type":"object","properties":{"id":{"type":"string","anyOf":[{"pattern":"^[ -~]{1,64}$"},\
        {"pattern":"^[^\\u0000-\\u001f\\u007f-\\u009f]{1,16}$"}]},"name":{"$ref":"#/components/schemas/NameOrNull"},"picture":{"type":"boolean"},"metres":{"type":\
        "array","minItems":2,"maxItems":2,"items":{"type":"number","exclusiveMinimum":0,"maximum":10000}}},"required":["id"],\
        "anyOf":[{"properties":{"picture":{"const":false}}},{"properties":{"id":{"pattern":"^[a-z0-9_-]{1,64}$"}}}]}},\
        "rooms":{"type":"array","maxItems":1024,"items":{"type":"object","properties":{"id":{"type":"string","pattern":\
        "^[a-z0-9_-]{1,64}$"},"name":{"$ref":"#/components/schemas/NameOrNull"},"floor":{"type":"string"},"polygon":\
        {"type":"array","maxItems":1000,"anyOf":[{"maxItems":0},{"minItems":3}],"items":{"type":"array","minItems":2,\
        "maxItems":2,"items":{"type":"number","minimum":\
        -10000,"maximum":10000}}}},"required":["id"]}},"doors":{"type":"array","maxItems":16384,"items":{"type":"array",\
        "minItems":2,"maxItems":2,"uniqueItems":true,"items":{"type":"string","pattern":"^[a-z0-9_-]{1,64}$"}}},"nodes":\
        {"type":"array","maxItems":1024,"items":{"type":"object","properties":{"id":{"type":"string","pattern":\
        "^[a-z0-9_-]{1,64}$"},"x":{"type":"number","minimum":-10000,"maximum":10000},"y":{"type":"number","minimum":-10000,\
        "maximum":10000},"z":{"type":"number","minimum":-10000,"maximum":10000}},"required":["id","x","y"]}}},\
        "required":["rev"]}
        """.utf8)
}
