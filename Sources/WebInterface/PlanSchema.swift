/// The schema of a plan, as WireProtocol reads it (`HousePlan`).
enum PlanSchema {
    static let json = Array(
        """
        {"type":"object","properties":{"rev":{"type":"integer","minimum":0,"maximum":9007199254740992},"floors":{"type":"array",\
        "maxItems":64,"items":{"type":"object","properties":{"id":{"type":"string","minLength":1,"maxLength":64},"name":\
        {"type":"string","minLength":1,"maxLength":128},"picture":{"type":"boolean"},"metres":{"type":"array","minItems":2,\
        "maxItems":2,"items":{"type":"number","exclusiveMinimum":0,"maximum":10000}}},"required":["id"]}},"rooms":{"type":\
        "array","maxItems":4096,"items":{"type":"object","properties":{"id":{"type":"string","pattern":\
        "^[a-z0-9_-]{1,64}$"},"name":{"type":"string","minLength":1,"maxLength":128},"floor":{"type":"string"},"polygon":\
        {"type":"array","maxItems":1000,"items":{"type":"array","minItems":2,"maxItems":2,"items":{"type":"number","minimum":\
        -10000,"maximum":10000}}}},"required":["id"]}},"doors":{"type":"array","maxItems":16384,"items":{"type":"array",\
        "minItems":2,"maxItems":2,"uniqueItems":true,"items":{"type":"string","pattern":"^[a-z0-9_-]{1,64}$"}}},"nodes":\
        {"type":"array","maxItems":4096,"items":{"type":"object","properties":{"id":{"type":"string","pattern":\
        "^[a-z0-9_-]{1,64}$"},"x":{"type":"number","minimum":-10000,"maximum":10000},"y":{"type":"number","minimum":-10000,\
        "maximum":10000},"z":{"type":"number","minimum":-10000,"maximum":10000}},"required":["id","x","y","z"]}}},\
        "required":["rev"]}
        """.utf8)
}
